-- A node begins a session: its lease, and the end of the lease it had before.
-- While Redis is young (just started, perhaps with nothing or with old rooms) nobody is told "no such room".
-- KEYS: own lease, old lease, since, young. ARGV: lease in ms, Redis's run id, ms of youth.
redis.call('SET', KEYS[1], 1, 'PX', ARGV[1])
redis.call('DEL', KEYS[2])
if redis.call('GET', KEYS[3]) ~= ARGV[2] then
  redis.call('SET', KEYS[3], ARGV[2])
  redis.call('SET', KEYS[4], 1, 'PX', ARGV[3])
end
return 1
