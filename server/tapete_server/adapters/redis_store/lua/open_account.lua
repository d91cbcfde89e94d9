-- Open an account and mint its opening balance. One that is there stays as it is.
-- KEYS  1 account a, 2 ledger l, 3 totals m, 4 accounts by time s
-- ARGV  1 player, 2 name, 3 opening balance (minor units, may be 0), 4 ledger rows kept (about)
-- Reply {name, balance}
local account = redis.call('HMGET', KEYS[1], 'n', 'b')
if account[2] then
  return account
end
redis.call('HSET', KEYS[1], 'n', ARGV[2], 'b', ARGV[3], 'open', '0')
redis.call('HINCRBY', KEYS[3], 'minted', ARGV[3])
redis.call('ZADD', KEYS[4], now_ms(), ARGV[1])
row(KEYS[2], ARGV[4], 'opening', ARGV[3], ARGV[3], '')
return {ARGV[2], ARGV[3]}
