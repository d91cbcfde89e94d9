-- Take an ended buy-in from the journal, after its table-side mark was given its TTL: jd must outlive that mark.
-- KEYS  1 account a, 2 journal j, 3 finished jd
-- ARGV  1 transfer, 2 how long jd is kept from now (s)
-- Reply 1 gone, 0 still pending or not there
local entry = redis.call('HGET', KEYS[2], ARGV[1])
if not entry or string.sub(entry, 1, 8) == 'pending ' then
  return 0
end
redis.call('SET', KEYS[3], entry, 'EX', ARGV[2])
redis.call('HDEL', KEYS[2], ARGV[1])
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('HINCRBY', KEYS[1], 'open', -1)
end
return 1
