-- The table has taken note of a cash-out: its journal entry becomes a mark that expires.
-- KEYS  1 account a, 2 journal of cash-outs o, 3 paid po
-- ARGV  1 transfer, 2 how long po is kept (s)
-- Reply 1 settled, 0 nothing to settle
if redis.call('HDEL', KEYS[2], ARGV[1]) == 0 then
  return 0
end
redis.call('SET', KEYS[3], '1', 'EX', ARGV[2])
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('HINCRBY', KEYS[1], 'open', -1)
end
return 1
