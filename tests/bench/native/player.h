/* Players of Punto Banco: they sit down, buy in, and then bet. Every so many commands of a player are a round: bets that
   change each time, at the end `Ready`, and the house deals and settles. */

#pragma once
#include "crowd.h"

#define BUY_IN 100000000
#define COMMANDS_OF_A_ROUND 24
#define LOW_BET 100

/* --- sitting down: TakeBox, BuyIn; true while there is more to do --- */

static bool sit(guest *g, uint64_t id) {
    if (id == WATCH_ID) {
        saying s = say("TakeBox", 3);
        text_field(&s, "table", all.ledgers[g->table].id);
        number_field(&s, "stint", 0);
        number_field(&s, "seq", 1);
        number_field(&s, "box", (uint64_t)g->box);
        g->step = SEATING;
        g->seq = 1;
        utter(g, &s);
        return true;
    }
    if (id == 3) {
        char command[32];
        snprintf(command, sizeof command, "buy-in-%08ld", (long)(g - all.guests));
        saying s = say("BuyIn", 4);
        text_field(&s, "command", command);
        text_field(&s, "table", all.ledgers[g->table].id);
        number_field(&s, "amount", BUY_IN);
        utter(g, &s);
        return true;
    }
    g->next_id = FIRST_PLAYED_ID;
    return false;
}

static void placed(guest *g, const uint8_t *payload, size_t size) {
    reading r = fields_of(payload, size);
    if (find(&r, "stint")) g->stint = number_value(&r);
}

static void play_on(guest *g, const uint8_t *payload, size_t size) {
    if (memmem(payload, size, "BettingClosed", 13)) g->open = false;
    if (memmem(payload, size, "BettingOpened", 13)) g->open = true;
}

/* --- playing --- */

static void bet(guest *g) {
    bool ready = g->turn % COMMANDS_OF_A_ROUND == COMMANDS_OF_A_ROUND - 1;
    saying s = say(ready ? "Ready" : "PlaceBets", g->next_id);
    text_field(&s, "table", all.echoes ? "echo" : all.ledgers[g->table].id);
    number_field(&s, "stint", g->stint);
    number_field(&s, "seq", ++g->seq);
    if (ready) {
        field(&s, "ready");
        put_byte(&s, 0xC3);
        g->open = false; /* until the next round */
    } else {
        field(&s, "bets");
        put_byte(&s, 0x91);
        put_byte(&s, 0x83);
        put_text(&s, "box");
        put_number(&s, (uint64_t)g->box);
        put_text(&s, "spot");
        put_text(&s, "punto");
        put_text(&s, "amount");
        put_number(&s, LOW_BET * (1 + g->turn % 2));
    }
    g->turn++;
    g->asked_ns[g->next_id % ASKED_MAX] = now_ns();
    g->next_id++;
    g->asked++;
    utter(g, &s);
}

/* As many commands as there may be under way; none while no bets are taken. A turn that is let go by counts all the same
   where there is a pace, so that all players of a table are ready at the same time. */
static void take_turn(guest *g, size_t at_once) {
    if (g->step != LIVE) return;
    for (size_t i = 0; i < at_once; i++) {
        if ((g->open || all.echoes) && g->asked < ASKED_MAX) bet(g);
        else if (all.gait == PACED) g->turn++;
    }
}

static void answered(guest *g, uint64_t id, bool refused) {
    if (all.echoes) id = g->next_id - g->asked;
    g->asked--;
    all.acks += !refused;
    if (refused) g->open = true; /* whatever it was, the next bet shows */
    sample(&all.answers, now_ns() - g->asked_ns[id % ASKED_MAX]);
    if (all.gait == FLAT && !g->asked) take_turn(g, 1);
}

/* --- the pace --- */

/* Each player takes a turn in each period; one command at once: spread over it; more: all players together. */
static void pace(crowd *c, uint64_t period_us, uint64_t at_once) {
    c->gait = PACED;
    c->period_ns = period_us * 1000;
    c->at_once = at_once;
    c->began_ns = now_ns();
    c->turns_taken = 0;
}

static void flat_out(crowd *c) {
    c->gait = FLAT;
    for (size_t i = 0; i < c->count; i++) if (!c->guests[i].asked) take_turn(&c->guests[i], 1);
}

static void hold(crowd *c) { c->gait = HELD; }

static uint64_t due_ns(const crowd *c) {
    uint64_t round = c->turns_taken / c->count, place = c->turns_taken % c->count;
    return c->began_ns + round * c->period_ns + (c->at_once == 1 ? place * c->period_ns / c->count : 0);
}

static int next_turn_ms(const crowd *c) {
    if (c->gait == FLAT) return 1; /* for those who wait until bets are open */
    if (c->gait == HELD) return -1;
    uint64_t now = now_ns(), due = due_ns(c);
    return due <= now ? 0 : (int)((due - now) / 1000000 + 1);
}

static void turns(crowd *c) {
    if (c->gait == PACED)
        while (c->turns_taken < UINT64_MAX && due_ns(c) <= now_ns()) take_turn(&c->guests[c->turns_taken++ % c->count], c->at_once);
    else if (c->gait == FLAT)
        for (size_t i = 0; i < c->count; i++) if (!c->guests[i].asked) take_turn(&c->guests[i], 1);
}

/* --- beginning --- */

static void tables_from(crowd *c, const char *file) {
    FILE *lines = fopen(file, "r");
    char id[40];
    while (lines && fscanf(lines, "%39s", id) == 1) {
        c->ledgers = realloc(c->ledgers, (c->tables + 1) * sizeof *c->ledgers);
        opened(&c->ledgers[c->tables++], id);
    }
    if (lines) fclose(lines);
}

static bool begun(crowd *c, int count, char **words) {
    if (count < 4) return false;
    c->plays = !strcmp(words[1], "play") || !strcmp(words[1], "echo");
    c->echoes = !strcmp(words[1], "echo");
    c->talks = !strcmp(words[1], "play") || !strcmp(words[1], "watch");
    c->count = strtoul(words[2], NULL, 10);
    c->seats = 1;
    c->dialing_max = DIALING_MAX;
    for (char *port = strtok(words[3], ","); port && c->ports_count < PORTS_MAX; port = strtok(NULL, ",")) c->ports[c->ports_count++] = atoi(port);
    for (int i = 4; i < count; i++) {
        if (!strncmp(words[i], "tables=", 7)) tables_from(c, words[i] + 7);
        else if (!strncmp(words[i], "seats=", 6)) c->seats = atoi(words[i] + 6);
        else if (!strncmp(words[i], "receive=", 8)) c->receive_bytes = atoi(words[i] + 8);
        else if (!strncmp(words[i], "record=", 7)) c->record = fopen(words[i] + 7, "wb");
        else return false;
    }
    if (!c->tables) {
        c->ledgers = malloc(sizeof *c->ledgers);
        opened(&c->ledgers[c->tables++], "");
    }
    c->guests = calloc(c->count, sizeof *c->guests);
    for (size_t i = 0; i < c->count; i++) {
        guest *g = &c->guests[i];
        g->seats = c->plays;
        g->table = (int)(c->plays ? i / (size_t)c->seats : i) % (int)c->tables;
        g->box = (int)(i % (size_t)c->seats) + 1;
        g->next_id = FIRST_PLAYED_ID;
        g->turn = (uint64_t)(g->table % COMMANDS_OF_A_ROUND); /* tables do not all deal at once */
    }
    return c->ports_count > 0;
}
