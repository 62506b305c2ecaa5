-- Deletes a room that has ended, if the calling node still owns it (the field `home`).
-- KEYS: the room. ARGV: the calling node's name.
-- Returns 1 if the room was deleted, else 0.
if redis.call('HGET', KEYS[1], 'home') == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
