-- Compare-and-set of a table: the state, its batch, its deadline, perhaps a round's record, perhaps a buy-in's mark.
-- KEYS  1 table t, 2 stream e, 3 deadlines d, 4 records r, 5 mark x (only when a buy-in is credited)
-- ARGV  1 table, 2 channel, 3 expected version, 4 expected head, 5 new version, 6 new head, 7 blob, 8 batch,
--       9 not before (ms; 0 none), 10 not after (ms; 0 none), 11 deadline (ms; 0 none), 12 trim below version (0 none),
--       13 batches kept (about), 14 round of the record (0 none), 15 record, 16 records kept, 17 era
-- Reply {OK, version, ms} | {GONE, ms} | {CONFLICT, version, head, blob, ms} | {DUPLICATE, mark, ms}
--       | {TOO_EARLY, ms} | {TOO_LATE, ms} | {FAULT, why}: nothing was written except for OK
local now = now_ms()
local stored = redis.call('HMGET', KEYS[1], 'v', 'h', 'b')
if not stored[1] then
  return {'GONE', now}
end
if stored[1] ~= ARGV[3] or stored[2] ~= ARGV[4] then
  return {'CONFLICT', stored[1], stored[2], stored[3], now}
end
if KEYS[5] then
  local mark = redis.call('GET', KEYS[5])
  if mark then
    return {'DUPLICATE', mark, now}
  end
end
if ARGV[9] ~= '0' and now < tonumber(ARGV[9]) then
  return {'TOO_EARLY', now}
end
if ARGV[10] ~= '0' and now > tonumber(ARGV[10]) then
  return {'TOO_LATE', now}
end
-- The two writes that may fail come first, so that a failure leaves nothing half done.
if ARGV[14] ~= '0' then
  local added = redis.pcall('XADD', KEYS[4], 'MAXLEN', '=', ARGV[16], ARGV[14] .. '-0', 'r', ARGV[15])
  if type(added) == 'table' and added.err then
    return {'FAULT', 'record of round ' .. ARGV[14] .. ': ' .. added.err}
  end
end
local id = ARGV[5] .. '-0'
local added = redis.pcall('XADD', KEYS[2], 'MAXLEN', '~', ARGV[13], id, 'b', ARGV[8])
if type(added) == 'table' and added.err then
  -- A stream that is ahead of its table is no history of it.
  redis.call('DEL', KEYS[2])
  redis.call('XADD', KEYS[2], id, 'b', ARGV[8])
end
redis.call('HSET', KEYS[1], 'v', ARGV[5], 'h', ARGV[6], 'b', ARGV[7], 'g', ARGV[17])
if ARGV[12] ~= '0' then
  redis.call('XTRIM', KEYS[2], 'MINID', '=', ARGV[12] .. '-0')
end
if ARGV[11] ~= '0' then
  redis.call('ZADD', KEYS[3], ARGV[11], ARGV[1])
else
  redis.call('ZREM', KEYS[3], ARGV[1])
end
if KEYS[5] then
  redis.call('SET', KEYS[5], 'credited')
end
redis.call('PUBLISH', ARGV[2], ARGV[8])
return {'OK', ARGV[5], now}
