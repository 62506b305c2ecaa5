-- Which node rules a room? One whose lease is over has lost it to whoever asks.
-- KEYS: room, wrong codes of this address, young.
-- ARGV: own name, prefix of leases, most wrong codes, their ms, 1 if a room that is no more will be made anew.
local home = redis.call('HGET', KEYS[1], 'home')
if home and (home == ARGV[1] or redis.call('EXISTS', ARGV[2] .. home) == 0) then
  if home ~= ARGV[1] and redis.call('EXISTS', KEYS[3]) == 1 then
    return {'away'}
  end
  redis.call('HSET', KEYS[1], 'home', ARGV[1])
  return {'mine', redis.call('HGET', KEYS[1], 'record')}
end
if home then
  return {'home', home}
end
if redis.call('EXISTS', KEYS[3]) == 1 then
  return {'away'}
end
if ARGV[5] == '1' then
  return {'code'}
end
if tonumber(redis.call('GET', KEYS[2]) or '0') >= tonumber(ARGV[3]) then
  return {'wait'}
end
if redis.call('INCR', KEYS[2]) == 1 then
  redis.call('PEXPIRE', KEYS[2], ARGV[4])
end
return {'code'}
