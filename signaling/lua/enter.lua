-- Begins a session of a node: takes its new lease, and deletes the lease of its last session.
-- The first session after a start of Redis also sets the flag that Redis has just started. Redis may then be empty or
-- hold old rooms, so while the flag is set no node answers that a room does not exist.
-- KEYS: the new lease; the old lease; the run id of Redis that was seen last; the flag that Redis has just started.
-- ARGV: the duration of a lease in milliseconds; the run id of Redis now; milliseconds until the flag expires.
-- Returns 1.
redis.call('SET', KEYS[1], 1, 'PX', ARGV[1])
redis.call('DEL', KEYS[2])
if redis.call('GET', KEYS[3]) ~= ARGV[2] then
  redis.call('SET', KEYS[3], ARGV[2])
  redis.call('SET', KEYS[4], 1, 'PX', ARGV[3])
end
return 1
