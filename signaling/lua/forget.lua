-- A room is no more, if it is still ours to end.
-- KEYS: room. ARGV: own name.
if redis.call('HGET', KEYS[1], 'home') == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
