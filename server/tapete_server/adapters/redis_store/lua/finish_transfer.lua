-- End a buy-in that is pending: done, or refunded and paid back in this very script. Ended before: nothing moves.
-- KEYS  1 account a, 2 ledger l, 3 journal j, 4 finished jd
-- ARGV  1 transfer, 2 'done' or 'refunded', 3 how long jd is kept (s), 4 ledger rows kept (about)
-- Reply {name, balance} | nil: no such account (nothing was written)
local account = redis.call('HMGET', KEYS[1], 'n', 'b')
if not account[2] then
  return false
end
local entry = redis.call('HGET', KEYS[3], ARGV[1])
local amount, rest = string.match(entry or '', '^pending (%d+) (.*)$')
if not amount then
  return account
end
if ARGV[2] == 'refunded' then
  account[2] = redis.call('HINCRBY', KEYS[1], 'b', amount)
  row(KEYS[2], ARGV[4], 'refund', amount, account[2], ARGV[1])
end
local ended = ARGV[2] .. ' ' .. amount .. ' ' .. rest
redis.call('HSET', KEYS[3], ARGV[1], ended)
redis.call('SET', KEYS[4], ended, 'EX', ARGV[3])
return account
