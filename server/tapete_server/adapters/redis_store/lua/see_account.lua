-- An account, noted as seen now: whoever comes back does not expire.
-- KEYS  1 account a, 2 accounts by time s
-- ARGV  1 player
-- Reply {name, balance} | nil: no such account
local account = redis.call('HMGET', KEYS[1], 'n', 'b')
if not account[2] then
  return false
end
redis.call('ZADD', KEYS[2], now_ms(), ARGV[1])
return account
