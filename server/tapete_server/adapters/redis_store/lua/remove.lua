-- Close a table: announce its last batch, drop its keys and its index entry, give its bank to the house.
-- KEYS  1 table t, 2 stream e, 3 deadlines d, 4 records r, 5 index i, 6 totals m, 7 closed z
-- ARGV  1 table, 2 channel, 3 expected version, 4 expected head, 5 last version, 6 batch, 7 bank (may be negative),
--       8 how long z is kept (s)
-- Reply {OK, version, ms} | {GONE, ms} | {CONFLICT, version, head, blob, ms}; OK again when this very batch closed it
local now = now_ms()
local stored = redis.call('HMGET', KEYS[1], 'v', 'h', 'b')
local closing = redis.sha1hex(ARGV[6])
if not stored[1] then
  if redis.call('GET', KEYS[7]) == closing then
    return {'OK', ARGV[5], now}
  end
  return {'GONE', now}
end
if stored[1] ~= ARGV[3] or stored[2] ~= ARGV[4] then
  return {'CONFLICT', stored[1], stored[2], stored[3], now}
end
redis.call('HINCRBY', KEYS[6], 'house', ARGV[7])
redis.call('DEL', KEYS[1], KEYS[2], KEYS[4])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('HDEL', KEYS[5], ARGV[1])
redis.call('SET', KEYS[7], closing, 'EX', ARGV[8])
redis.call('PUBLISH', ARGV[2], ARGV[6])
return {'OK', ARGV[5], now}
