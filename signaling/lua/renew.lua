-- Renews the lease of the calling node, and checks the leases of other nodes.
-- KEYS: the calling node's lease, then the leases of the other nodes.
-- ARGV: the duration of a lease in milliseconds; the calling node's channel.
-- Returns 1 if the lease had not expired, else 0; the number of subscribers of the channel, which is 0 if the node has
-- lost its subscription; then for each other node 1 if it has a lease, else 0.
local found = {redis.call('PEXPIRE', KEYS[1], ARGV[1]), redis.call('PUBLISH', ARGV[2], '')}
for place = 2, #KEYS do
  found[place + 1] = redis.call('EXISTS', KEYS[place])
end
return found
