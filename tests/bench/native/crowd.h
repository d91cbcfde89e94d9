/* Who is there, and what was counted. */

#pragma once
#include "ledger.h"
#include <stdbool.h>

#define WATCH_ID 2
#define FIRST_PLAYED_ID 10
#define ASKED_MAX 16
#define PORTS_MAX 8
#define DIALING_MAX 128

enum step { GONE, DIALING, UPGRADING, WATCHING, SEATING, LIVE };

typedef struct {
    int fd, table, box;
    enum step step;
    bool seats, open, headed;
    uint64_t version;
    uint8_t head[32];
    char token[512];
    uint8_t *kept; /* the beginning of a frame */
    size_t kept_bytes, kept_room;
    /* of a player */
    uint64_t stint, seq, turn, next_id, asked_ns[ASKED_MAX];
    size_t asked;
} guest;

typedef struct {
    guest *guests;
    ledger *ledgers;
    size_t count, tables, next, dialing, dialing_max, live, lost;
    int ports[PORTS_MAX], ports_count, seats, receive_bytes;
    bool talks, plays, echoes;
    FILE *record;
    uint64_t frames, batches, bytes, snapshots, acks, refused, faults, dropped_ns;
    char first_fault[160], last_refusal[40];
    samples answers, spreads, returns;
    /* the players' pace */
    enum { HELD, PACED, FLAT } gait;
    uint64_t period_ns, at_once, began_ns, turns_taken;
} crowd;

static crowd all; /* one crowd is one process */

void hang_up(guest *g);
void utter(guest *g, saying *s);
