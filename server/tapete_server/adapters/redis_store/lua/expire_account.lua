-- Burn an account's balance and delete it, unless a buy-in or cash-out of it is open.
-- KEYS  1 account a, 2 ledger l, 3 totals m, 4 accounts by time s
-- ARGV  1 player, 2 only if not seen since (ms; 0 whenever)
-- Reply 1 it is gone, 0 something is open, or it was seen
local account = redis.call('HMGET', KEYS[1], 'b', 'open')
if not account[1] then
  return 1
end
if account[2] ~= '0' then
  return 0
end
if ARGV[2] ~= '0' and tonumber(redis.call('ZSCORE', KEYS[4], ARGV[1]) or '0') >= tonumber(ARGV[2]) then
  return 0
end
redis.call('HINCRBY', KEYS[3], 'burned', account[1])
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('ZREM', KEYS[4], ARGV[1])
return 1
