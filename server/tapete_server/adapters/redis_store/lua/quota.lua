-- Count a new account against its address's hour. The same player again is not counted again.
-- KEYS  1 players of that address and hour q
-- ARGV  1 player, 2 how many it may be, 3 how long they are kept (s)
-- Reply 1 granted, 0 too many
if redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 1 then
  return 1
end
if redis.call('SCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  return 0
end
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
