-- Version and head of tables of one shard: one reply for all of them, because reading each costs a node more than the store.
-- KEYS  1 table t, 2 another, ...
-- ARGV  1 nothing
-- Reply {{version, head}, ...}, in the order of the keys; {nil, nil} for one that is not there
local found = {}
for at, key in ipairs(KEYS) do
  found[at] = redis.call('HMGET', key, 'v', 'h')
end
return found
