/* What a client needs of RFC 6455 and of MessagePack to speak `tapete.v1`. Nothing here allocates. */

#pragma once
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define PAYLOAD_BYTES_MAX (1 << 20)

/* --- frames of a server: no mask, no fragments --- */

typedef struct {
    int opcode;
    const uint8_t *payload;
    size_t payload_bytes, frame_bytes;
} frame;

/* 1: a whole frame; 0: not yet; -1: not what a server may send. */
static inline int frame_at(const uint8_t *at, size_t bytes, frame *out) {
    if (bytes < 2) return 0;
    size_t head = 2, size = at[1];
    if ((at[0] & 0xF0) != 0x80 || size & 0x80) return -1;
    if (size == 126) {
        if (bytes < 4) return 0;
        size = (size_t)at[2] << 8 | at[3];
        head = 4;
    } else if (size == 127) {
        if (bytes < 10) return 0;
        size = 0;
        for (int i = 2; i < 10; i++) size = size << 8 | at[i];
        head = 10;
    }
    if (size > PAYLOAD_BYTES_MAX) return -1;
    if (bytes < head + size) return 0;
    *out = (frame){at[0] & 0x0F, at + head, size, head + size};
    return 1;
}

/* --- what a client says: one map in a frame whose mask is zero --- */

typedef struct {
    uint8_t bytes[1024];
    size_t used, fields;
} saying;

static inline void put(saying *s, const void *bytes, size_t count) {
    memcpy(s->bytes + s->used, bytes, count);
    s->used += count;
}
static inline void put_byte(saying *s, int byte) { s->bytes[s->used++] = (uint8_t)byte; }
static inline void put_text(saying *s, const char *text) {
    size_t size = strlen(text);
    if (size < 32) put_byte(s, 0xA0 | (int)size);
    else { put_byte(s, 0xD9); put_byte(s, (int)size); }
    put(s, text, size);
}
static inline void put_number(saying *s, uint64_t number) {
    if (number < 128) { put_byte(s, (int)number); return; }
    put_byte(s, 0xCF);
    for (int shift = 56; shift >= 0; shift -= 8) put_byte(s, (int)(number >> shift));
}
static inline void put_binary(saying *s, const uint8_t *bytes, size_t size) {
    put_byte(s, 0xC4);
    put_byte(s, (int)size);
    put(s, bytes, size);
}
static inline void field(saying *s, const char *key) { s->fields++; put_text(s, key); }
static inline void text_field(saying *s, const char *key, const char *text) { field(s, key); put_text(s, text); }
static inline void number_field(saying *s, const char *key, uint64_t number) { field(s, key); put_number(s, number); }

#define SAYING_HEAD_BYTES 9 /* room for the frame's head, the mask, and the map's own byte */

static inline saying say(const char *kind, uint64_t id) {
    saying s = {.used = SAYING_HEAD_BYTES};
    text_field(&s, "t", kind);
    number_field(&s, "id", id);
    return s;
}

/* The finished frame; it lies inside the saying. */
static inline uint8_t *spoken(saying *s, size_t *bytes) {
    size_t payload = s->used - SAYING_HEAD_BYTES + 1, head = payload < 126 ? 6 : 8;
    uint8_t *at = s->bytes + SAYING_HEAD_BYTES - 1 - head;
    s->bytes[SAYING_HEAD_BYTES - 1] = (uint8_t)(0x80 | s->fields);
    at[0] = 0x82;
    if (payload < 126) at[1] = (uint8_t)(0x80 | payload);
    else { at[1] = 0xFE; at[2] = (uint8_t)(payload >> 8); at[3] = (uint8_t)payload; }
    memset(at + head - 4, 0, 4);
    *bytes = head + payload;
    return at;
}

/* --- what a node says: read as far as it is needed --- */

typedef struct {
    const uint8_t *at, *end;
} reading;

static inline uint64_t big_endian(reading *r, int bytes) {
    uint64_t value = 0;
    while (bytes-- > 0 && r->at < r->end) value = value << 8 | *r->at++;
    return value;
}

/* Size of the map, text, list or binary that begins here, and -1 for anything else. */
static inline long opening(reading *r, int *kind) {
    if (r->at >= r->end) return -1;
    uint8_t b = *r->at++;
    if ((b & 0xF0) == 0x80) { *kind = 'm'; return b & 0x0F; }
    if ((b & 0xF0) == 0x90) { *kind = 'l'; return b & 0x0F; }
    if ((b & 0xE0) == 0xA0) { *kind = 't'; return b & 0x1F; }
    switch (b) {
    case 0xC4: *kind = 'b'; return (long)big_endian(r, 1);
    case 0xC5: *kind = 'b'; return (long)big_endian(r, 2);
    case 0xD9: *kind = 't'; return (long)big_endian(r, 1);
    case 0xDA: *kind = 't'; return (long)big_endian(r, 2);
    case 0xDC: *kind = 'l'; return (long)big_endian(r, 2);
    case 0xDE: *kind = 'm'; return (long)big_endian(r, 2);
    default: r->at--; return -1;
    }
}

/* Bytes of a text or a binary value; NULL if it is neither. */
static inline const uint8_t *bytes_value(reading *r, size_t *size) {
    int kind = 0;
    long found = opening(r, &kind);
    if (found < 0 || (kind != 't' && kind != 'b') || r->end - r->at < found) return NULL;
    const uint8_t *at = r->at;
    r->at += found;
    *size = (size_t)found;
    return at;
}

static inline uint64_t number_value(reading *r) {
    uint8_t b = r->at < r->end ? *r->at++ : 0;
    if (b < 0x80) return b;
    return b >= 0xCC && b <= 0xCF ? big_endian(r, 1 << (b - 0xCC)) : 0;
}

static inline void skip(reading *r) {
    int kind = 0;
    long size = opening(r, &kind);
    if (size >= 0) {
        if (kind == 't' || kind == 'b') r->at += size;
        else for (long n = kind == 'm' ? 2 * size : size; n > 0 && r->at < r->end; n--) skip(r);
        return;
    }
    uint8_t b = r->at < r->end ? *r->at++ : 0;
    if (b >= 0xCC && b <= 0xD3) r->at += 1 << ((b - 0xCC) & 3);
}

/* Goes to the value of a field of the map at the beginning of the payload. Keys of a node come in a fixed order, so that
   one that is read once is never looked for again from the start. */
static inline int find(reading *r, const char *key) {
    size_t wanted = strlen(key), size;
    while (r->at < r->end) {
        const uint8_t *name = bytes_value(r, &size);
        if (name == NULL) return 0;
        if (size == wanted && !memcmp(name, key, size)) return 1;
        skip(r);
    }
    return 0;
}

static inline reading fields_of(const uint8_t *payload, size_t bytes) {
    reading r = {payload, payload + bytes};
    int kind = 0;
    if (opening(&r, &kind) < 0 || kind != 'm') r.at = r.end;
    return r;
}
