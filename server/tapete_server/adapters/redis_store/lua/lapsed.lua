-- Incarnations that have stopped beating, and whose tables nobody has walked yet.
-- KEYS  1 incarnations not walked yet hu
-- ARGV  1 silence that counts as death (ms)
-- Reply {incarnation, ...}
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now_ms() - tonumber(ARGV[1]))
