/* What each version of each table is made of. The first copy that comes is read and hashed; every other copy of it, on
   whatever connection, has to be the same bytes, and its turn: that is what makes checking each copy cheap. */

#pragma once
#include "samples.h"
#include "sha256.h"
#include "wire.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define KEPT_VERSIONS 512

typedef struct {
    uint64_t version, first_ns, copies;
    uint8_t *bytes;
    size_t size, room;
    uint8_t prev[32], head[32];
} page;

typedef struct {
    char id[40];
    uint64_t newest;
    page *pages; /* the last so many, each at its version modulo their number */
} ledger;

static inline void opened(ledger *made, const char *id) {
    memset(made, 0, sizeof *made);
    snprintf(made->id, sizeof made->id, "%s", id);
    made->pages = calloc(KEPT_VERSIONS, sizeof *made->pages); /* memory comes as it is used */
}

/* The page of that version, written if this is its first copy; NULL and why, if the copy cannot be right. */
static inline page *entered(ledger *of, uint64_t version, const uint8_t *prev, const uint8_t *bytes, size_t size, const char **why) {
    page *p = &of->pages[version % KEPT_VERSIONS];
    if (p->version == version) {
        if (p->size == size && !memcmp(p->bytes, bytes, size)) { p->copies++; return p; }
        *why = "two copies of one batch differ";
        return NULL;
    }
    if (p->version > version) { *why = "an old batch came again"; return NULL; }
    if (p->room < size) p->bytes = realloc(p->bytes, p->room = 2 * size);
    memcpy(p->bytes, bytes, p->size = size);
    memcpy(p->prev, prev, 32);
    sha256_of(prev, 32, bytes, size, p->head);
    p->version = version;
    p->first_ns = now_ns();
    p->copies = 1;
    if (version > of->newest) of->newest = version;
    const page *before = &of->pages[(version - 1) % KEPT_VERSIONS];
    if (version > 1 && before->version == version - 1 && memcmp(before->head, prev, 32)) { *why = "a batch does not join the chain"; return NULL; }
    return p;
}
