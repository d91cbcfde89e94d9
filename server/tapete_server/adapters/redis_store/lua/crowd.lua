-- How many watch each table through this node; replaces what it said before.
-- KEYS  1 its crowd w
-- ARGV  1 how long it is good for (s), then table and count in turn
-- Reply 1
redis.call('DEL', KEYS[1])
for at = 2, #ARGV, 2 do
  redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1])
end
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 1
