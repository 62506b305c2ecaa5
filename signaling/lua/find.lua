-- Finds the node that owns a room. If that node's lease has expired, the calling node becomes the owner.
-- The field `home` of a room is the name of the node that owns it; `record` is what the owner has stored of the room.
-- KEYS: the room; the count of wrong codes of this address; the flag that Redis has just started.
-- ARGV: the calling node's name; the prefix of lease keys; the limit of wrong codes; the milliseconds after which their
-- count expires; 1 if the calling node will make the room in case it does not exist (then no wrong code is counted).
-- Returns one of:
--   {'mine', record}: the calling node owns the room
--   {'home', node}: another node owns it
--   {'code'}: there is no such room
--   {'wait'}: there is no such room, and this address has used up its wrong codes
--   {'away'}: not known yet: Redis has just started, and other nodes may still have to store their rooms and leases
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
