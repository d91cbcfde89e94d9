-- A node is about to seat a player: whoever sees it die must find the table.
-- KEYS  1 incarnations not walked yet hu, 2 tables it served p
-- ARGV  1 incarnation, 2 table
-- Reply 1
redis.call('ZADD', KEYS[1], 'NX', now_ms(), ARGV[1])
redis.call('SADD', KEYS[2], ARGV[2])
return 1
