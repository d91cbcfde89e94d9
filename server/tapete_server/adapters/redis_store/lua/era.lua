-- The store's era: a new one begins when the server comes up anew while nodes were at work, and may have forgotten their last
-- moments. Those nodes are its witnesses: when all have come back, and none of them misses anything, nothing was forgotten
-- that anybody saw. Else the era is doubted.
-- KEYS  1 era, 2 incarnations not walked yet hu, 3 witnesses who have not come yet ew
-- ARGV  1 the run of the server that answers, 2 1 when whatever it acknowledges is on its disk already, else 0,
--       3 the witness that has come (or nothing), 4 1 when it misses something, else 0, 5 how long witnesses are waited
--       for (ms)
-- Reply {when it began (ms; 0: the first), when the last doubted one began (ms; 0: none), 1 while it waits for witnesses,
--       else 0}
local now = now_ms()
local known = redis.call('HMGET', KEYS[1], 'run', 'began', 'doubted', 'durable')
local began, doubted = tonumber(known[2] or 0), tonumber(known[3] or 0)
if known[1] and known[1] ~= ARGV[1] and known[4] ~= '1' then
  redis.call('DEL', KEYS[3])
  local at_work = redis.call('ZRANGEBYSCORE', KEYS[2], '(0', '+inf')
  if #at_work > 0 then
    began = math.max(now, began + 1)
    for _, witness in ipairs(at_work) do
      redis.call('SADD', KEYS[3], witness)
    end
  end
end
redis.call('SREM', KEYS[3], ARGV[3])
local waits = 0
if redis.call('EXISTS', KEYS[3]) == 1 then
  waits = now < began + tonumber(ARGV[5]) and 1 or 0
end
if ARGV[4] == '1' or (waits == 0 and redis.call('DEL', KEYS[3]) == 1) then
  doubted, waits = began, 0
  redis.call('DEL', KEYS[3])
end
redis.call('HSET', KEYS[1], 'run', ARGV[1], 'began', began, 'doubted', doubted, 'durable', ARGV[2])
return {began, doubted, waits}
