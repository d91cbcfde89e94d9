-- Heartbeats of late, by the store's clock.
-- KEYS  1 heartbeats hb
-- ARGV  1 how far back (ms)
-- Reply {incarnation, ms, incarnation, ms, ...}
return redis.call('ZRANGEBYSCORE', KEYS[1], now_ms() - tonumber(ARGV[1]), '+inf', 'WITHSCORES')
