-- A node's heartbeat, by the store's clock.
-- KEYS  1 heartbeats hb, 2 incarnations not walked yet hu, 3 name of this node n
-- ARGV  1 incarnation, 2 node, 3 how long heartbeats are kept (ms), 4 how long the name is kept (s)
-- Reply ms
local now = now_ms()
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZADD', KEYS[2], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[3]))
redis.call('SET', KEYS[3], ARGV[2], 'EX', ARGV[4])
return now
