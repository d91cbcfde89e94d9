-- A node leaves in order: what it still served may be walked at once, and its crowd has gone.
-- KEYS  1 incarnations not walked yet hu, 2 tables it served p, 3 its crowd w, 4 its name n
-- ARGV  1 incarnation
-- Reply 1
if redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('ZADD', KEYS[1], 0, ARGV[1])
else
  redis.call('ZREM', KEYS[1], ARGV[1])
end
redis.call('DEL', KEYS[3], KEYS[4])
return 1
