-- Stands before every script: the store's clock, and a row of a ledger.
local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Numbers are doubles here: beyond this they would not be whole any more.
local WHOLE_MAX = 9007199254740991

local function row(ledger, rows_max, kind, amount, balance, reference)
  redis.call('XADD', ledger, 'MAXLEN', '~', rows_max, '*', 'kind', kind, 'amount', amount, 'balance', balance, 'ref', reference)
end

