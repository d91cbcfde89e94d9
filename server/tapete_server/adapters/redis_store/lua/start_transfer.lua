-- Begin a buy-in: debit, ledger row and journal entry. One that began before, or has ended, is told as it is.
-- KEYS  1 account a, 2 ledger l, 3 accounts by time s, 4 journal j, 5 finished jd
-- ARGV  1 transfer, 2 player, 3 table, 4 amount (minor units), 5 ledger rows kept (about)
-- Reply 'STATUS AMOUNT STARTED_MS TABLE PLAYER' | nil: not enough, or no such account
local entry = redis.call('HGET', KEYS[4], ARGV[1]) or redis.call('GET', KEYS[5])
if entry then
  return entry
end
local balance = redis.call('HGET', KEYS[1], 'b')
if not balance or tonumber(balance) < tonumber(ARGV[4]) then
  return false
end
local now = now_ms()
local after = redis.call('HINCRBY', KEYS[1], 'b', '-' .. ARGV[4])
redis.call('HINCRBY', KEYS[1], 'open', 1)
redis.call('ZADD', KEYS[3], now, ARGV[2])
entry = 'pending ' .. ARGV[4] .. ' ' .. string.format('%.0f', now) .. ' ' .. ARGV[3] .. ' ' .. ARGV[2]
redis.call('HSET', KEYS[4], ARGV[1], entry)
row(KEYS[2], ARGV[5], 'buy_in', '-' .. ARGV[4], after, ARGV[1])
return entry
