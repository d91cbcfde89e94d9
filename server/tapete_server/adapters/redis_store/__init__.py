"""The store on Redis (≥ 7.0) or Valkey (≥ 7.2).

`N` is the shard of a table or player: CRC-32 of its id, modulo a number that is settled when the store is first used.
All keys of one script carry the same tag in braces, so that a Cluster could hold them.

    tapete:shards          string         the number of shards
    tapete:probe           string, TTL    written to see whether the store takes writes
    tapete:echo:NAME       string, TTL    written, read and said on a channel of that name by a connection's readiness
    t:{sN}:TABLE           hash           v version, h head, b state, g the era that it was in
    e:{sN}:TABLE           stream         batches, id `version-0`, field b; bounded, trimmed at openings
    r:{sN}:TABLE           stream         round records, id `round-0`, field r; the last 500
    ev:{sN}:TABLE          channel        batches as they are committed
    d:{sN}                 zset           table by its earliest deadline, ms
    i:{sN}                 hash           table: 1 public, 0 not
    z:{sN}:TABLE           string, TTL    hash of the batch that closed it
    x:{sN}:TRANSFER        string         in the table's shard: a buy-in was credited or refused; TTL once it has ended
    a:{sN}:PLAYER          hash           n name, b balance, open: buy-ins and cash-outs under way
    l:{sN}:PLAYER          stream         ledger: kind, amount, balance, ref; bounded
    s:{sN}                 zset           player by when they were last seen, or money moved, ms; also the index of accounts
    j:{sN}                 hash           buy-ins: `status amount started_ms table player`
    jd:{sN}:TRANSFER       string, TTL    a buy-in that has ended, in the same words
    o:{sN}                 hash           cash-outs credited that the table has not taken note of, in the same words
    po:{sN}:TRANSFER       string, TTL    a cash-out that it has
    u:{sN}:PLAYER:COMMAND  string, TTL    a top-up that was given
    c:{sN}:PLAYER:COMMAND  string, TTL    the first answer to a command without a table
    q:{sN}:HOUR:ADDRESS    set, TTL       players who opened accounts from an address in an hour
    m:{sN}                 hash           minted, burned, house
    hb:{s0}                zset           incarnation by its last heartbeat, ms; the last minute
    hu:{s0}                zset           incarnations whose tables nobody has walked since they died
    era:{s0}               hash           run of the server, when its era began and the last doubted one (ms), durable
    ew:{s0}                set            witnesses of the era who have not come yet
    p:{s0}:INCARNATION     set            tables that it served
    n:{s0}:INCARNATION     string, TTL    the name of the node
    w:{s0}:INCARNATION     hash, TTL      spectators by table
    k:{sN}:HASH            string, TTL    odds of settings, packed, by the hash of what they depend on
    kb:{s0}                string, TTL    which node works odds out now
"""

from tapete_server.adapters.redis_store.connection import ScriptError
from tapete_server.adapters.redis_store.limits import StoreLimits
from tapete_server.adapters.redis_store.store import RedisStore

__all__ = ["RedisStore", "ScriptError", "StoreLimits"]
