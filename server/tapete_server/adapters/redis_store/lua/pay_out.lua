-- Credit a cash-out to the wallet, once.
-- KEYS  1 account a, 2 ledger l, 3 accounts by time s, 4 journal of cash-outs o, 5 paid po
-- ARGV  1 transfer, 2 player, 3 table, 4 amount (minor units), 5 ledger rows kept (about)
-- Reply {name, balance} | nil: no such account | {} the balance would not be whole any more (nothing was written)
local account = redis.call('HMGET', KEYS[1], 'n', 'b')
if not account[2] then
  return false
end
if redis.call('HEXISTS', KEYS[4], ARGV[1]) == 1 or redis.call('EXISTS', KEYS[5]) == 1 then
  return account
end
if tonumber(account[2]) + tonumber(ARGV[4]) > WHOLE_MAX then
  return {}
end
local now = now_ms()
local after = redis.call('HINCRBY', KEYS[1], 'b', ARGV[4])
redis.call('HINCRBY', KEYS[1], 'open', 1)
redis.call('ZADD', KEYS[3], now, ARGV[2])
redis.call('HSET', KEYS[4], ARGV[1], 'pending ' .. ARGV[4] .. ' ' .. string.format('%.0f', now) .. ' ' .. ARGV[3] .. ' ' .. ARGV[2])
row(KEYS[2], ARGV[5], 'cash_out', ARGV[4], after, ARGV[1])
return {account[1], after}
