-- A node is alive, and asks whether others are.
-- KEYS: own lease, then those of the others. ARGV: lease in ms, own channel.
-- Gives: was the lease still ours, does anybody listen on our channel, then 1 or 0 for each other node.
local found = {redis.call('PEXPIRE', KEYS[1], ARGV[1]), redis.call('PUBLISH', ARGV[2], '')}
for place = 2, #KEYS do
  found[place + 1] = redis.call('EXISTS', KEYS[place])
end
return found
