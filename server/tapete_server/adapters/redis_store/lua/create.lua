-- Open a table: version 1 with its first batch.
-- KEYS  1 table t, 2 stream e, 3 deadlines d, 4 records r, 5 index i
-- ARGV  1 table, 2 channel, 3 head, 4 blob, 5 batch, 6 deadline (ms; 0 none), 7 public (1 or 0), 8 era
-- Reply {1, '1', head} when it was made, {0, version, head} when there is one
local stored = redis.call('HMGET', KEYS[1], 'v', 'h')
if stored[1] then
  return {0, stored[1], stored[2]}
end
redis.call('DEL', KEYS[2], KEYS[4])
redis.call('XADD', KEYS[2], '1-0', 'b', ARGV[5])
redis.call('HSET', KEYS[1], 'v', '1', 'h', ARGV[3], 'b', ARGV[4], 'g', ARGV[8])
if ARGV[6] ~= '0' then
  redis.call('ZADD', KEYS[3], ARGV[6], ARGV[1])
else
  redis.call('ZREM', KEYS[3], ARGV[1])
end
redis.call('HSET', KEYS[5], ARGV[1], ARGV[7])
redis.call('PUBLISH', ARGV[2], ARGV[5])
return {1, '1', ARGV[3]}
