-- Give an account another name; an absent one is not made.
-- KEYS  1 account a
-- ARGV  1 name
-- Reply 1 done, 0 no such account
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
redis.call('HSET', KEYS[1], 'n', ARGV[1])
return 1
