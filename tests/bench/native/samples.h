/* Times of the monotonic clock, and distributions of what was measured since the last look. */

#pragma once
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SAMPLES_MAX 4000000

typedef struct {
    uint32_t *us;
    size_t count;
} samples;

static inline uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline void sample(samples *s, uint64_t ns) {
    if (s->us == NULL) s->us = malloc(SAMPLES_MAX * sizeof *s->us); /* pages come as they are used */
    if (s->count < SAMPLES_MAX) s->us[s->count++] = (uint32_t)(ns / 1000);
}

static inline int by_size(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* "name":{"n":..,"us":[..]} with the quantiles of `QUANTILES` in crowd.py; and forgets. */
static inline void told(samples *s, const char *name) {
    static const double shares[] = {0.5, 0.9, 0.99, 0.999, 1.0};
    printf(",\"%s\":{\"n\":%zu,\"us\":[", name, s->count);
    if (s->count) qsort(s->us, s->count, sizeof *s->us, by_size);
    for (size_t i = 0; s->count && i < sizeof shares / sizeof *shares; i++) {
        size_t rank = (size_t)(shares[i] * (double)s->count + 0.999999);
        printf("%s%u", i ? "," : "", s->us[rank ? rank - 1 : 0]);
    }
    printf("]}");
    s->count = 0;
}
