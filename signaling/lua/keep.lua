-- The record of a room, written by the node that rules it; 0 if another one, alive, has it by now.
-- KEYS: room. ARGV: own name, prefix of leases, record, ms to live.
local home = redis.call('HGET', KEYS[1], 'home')
if home and home ~= ARGV[1] and redis.call('EXISTS', ARGV[2] .. home) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'home', ARGV[1], 'record', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
