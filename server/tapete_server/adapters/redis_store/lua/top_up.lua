-- Mint more for a player who has little; once for one command.
-- KEYS  1 account a, 2 ledger l, 3 totals m, 4 accounts by time s, 5 topped up u
-- ARGV  1 player, 2 command, 3 amount (minor units), 4 only below this balance, 5 how long u is kept (s),
--       6 ledger rows kept (about)
-- Reply {OK, name, balance} | {ENOUGH} | {ABSENT}
local account = redis.call('HMGET', KEYS[1], 'n', 'b')
if not account[2] then
  return {'ABSENT'}
end
if redis.call('EXISTS', KEYS[5]) == 1 then
  return {'OK', account[1], account[2]}
end
local balance = tonumber(account[2])
if balance >= tonumber(ARGV[4]) or balance + tonumber(ARGV[3]) > WHOLE_MAX then
  return {'ENOUGH'}
end
local after = redis.call('HINCRBY', KEYS[1], 'b', ARGV[3])
redis.call('HINCRBY', KEYS[3], 'minted', ARGV[3])
redis.call('ZADD', KEYS[4], now_ms(), ARGV[1])
redis.call('SET', KEYS[5], '1', 'EX', ARGV[5])
row(KEYS[2], ARGV[6], 'top_up', ARGV[3], after, ARGV[2])
return {'OK', account[1], after}
