-- Stores the record of a room, with the calling node as its owner (the field `home`).
-- KEYS: the room. ARGV: the calling node's name; the prefix of lease keys; the record; milliseconds until it expires.
-- Returns 1, or 0 if it stored nothing, because another node with a valid lease owns the room by now.
local home = redis.call('HGET', KEYS[1], 'home')
if home and home ~= ARGV[1] and redis.call('EXISTS', ARGV[2] .. home) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'home', ARGV[1], 'record', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
