/* Many connections in one process that cost next to nothing: spectators who check every copy of every batch, and players
   who bet in rounds of Punto Banco. Told what to do by lines on standard input, it answers each with one line of JSON. See
   crowd.py, which is how the benchmark speaks to it. */

#define _GNU_SOURCE
#include "crowd.h"
#include "player.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static int watched; /* the epoll descriptor */

#define READ_BYTES (1 << 18)

static void fault(const char *why, guest *g) {
    if (!all.faults++) snprintf(all.first_fault, sizeof all.first_fault, "%s (connection %ld, version %llu)", why, (long)(g - all.guests), (unsigned long long)g->version);
}

/* --- the connection --- */

static void dial(guest *g) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)all.ports[(g - all.guests) % all.ports_count])};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    g->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (g->fd < 0) { perror("crowd: socket"); exit(1); }
    int on = 1;
    setsockopt(g->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (all.receive_bytes) setsockopt(g->fd, SOL_SOCKET, SO_RCVBUF, &all.receive_bytes, sizeof all.receive_bytes);
    if (connect(g->fd, (struct sockaddr *)&to, sizeof to) < 0 && errno != EINPROGRESS) { perror("crowd: connect"); exit(1); }
    g->step = DIALING;
    g->kept_bytes = 0;
    all.dialing++;
    struct epoll_event e = {.events = EPOLLOUT, .data.ptr = g};
    epoll_ctl(watched, EPOLL_CTL_ADD, g->fd, &e);
}

static void upgrade(guest *g) {
    char request[256];
    int size = snprintf(request, sizeof request,
        "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGFwZXRlIGRlIGNhb3MhIQ==\r\nSec-WebSocket-Version: 13\r\n%s\r\n",
        all.echoes ? "/echo" : "/ws", all.ports[(g - all.guests) % all.ports_count], all.talks ? "Sec-WebSocket-Protocol: tapete.v1\r\n" : "");
    if (write(g->fd, request, (size_t)size) != size) { hang_up(g); return; }
    g->step = UPGRADING;
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = g};
    epoll_ctl(watched, EPOLL_CTL_MOD, g->fd, &e);
}

void hang_up(guest *g) {
    if (g->step == LIVE) all.live--;
    else all.dialing--;
    close(g->fd);
    g->step = GONE;
    g->asked = 0;
    all.lost++;
}

void utter(guest *g, saying *s) {
    size_t size;
    uint8_t *bytes = spoken(s, &size);
    ssize_t done = send(g->fd, bytes, size, MSG_NOSIGNAL);
    if (done != (ssize_t)size) fault("the server does not read", g);
}

static void arrived(guest *g) {
    g->step = LIVE;
    all.dialing--;
    all.live++;
    if (all.dropped_ns) sample(&all.returns, now_ns() - all.dropped_ns);
}

/* --- what the server says --- */

static void on_batch(guest *g, const uint8_t *payload, size_t size) {
    reading r = fields_of(payload, size);
    size_t prev_bytes = 0;
    uint64_t version = find(&r, "v") ? number_value(&r) : 0;
    const uint8_t *prev = find(&r, "prev") ? bytes_value(&r, &prev_bytes) : NULL;
    if (!version || prev_bytes != 32) { fault("a batch without its version", g); return; }
    if (g->version && version != g->version + 1) { fault(version <= g->version ? "a batch came twice" : "a batch is missing", g); return; }
    const char *why = NULL;
    page *p = entered(&all.ledgers[g->table], version, prev, payload, size, &why);
    if (p == NULL) { fault(why, g); return; }
    if (g->version && g->headed && memcmp(p->prev, g->head, 32)) { fault("a batch does not join what the connection has", g); return; }
    g->version = version;
    memcpy(g->head, p->head, 32);
    g->headed = true;
    all.batches++;
    if (g->seats) play_on(g, payload, size);
    else sample(&all.spreads, now_ns() - p->first_ns);
    if (all.record && g == all.guests) {
        uint32_t bytes = (uint32_t)size;
        fwrite(&bytes, sizeof bytes, 1, all.record);
        fwrite(payload, size, 1, all.record);
    }
}

static void on_snapshot(guest *g, const uint8_t *payload, size_t size) {
    reading r = fields_of(payload, size);
    size_t head_bytes = 0;
    g->version = find(&r, "v") ? number_value(&r) : 0;
    const uint8_t *head = find(&r, "head") ? bytes_value(&r, &head_bytes) : NULL;
    if ((g->headed = head_bytes == 32)) memcpy(g->head, head, 32);
    ledger *of = &all.ledgers[g->table];
    if (g->version > of->newest) of->newest = g->version; /* else a table where nothing happens would seem behind */
    all.snapshots++;
    g->open = memmem(payload, size, "\xa5phase\xa7" "betting", 14) != NULL;
}

static void on_welcome(guest *g, const uint8_t *payload, size_t size) {
    reading r = fields_of(payload, size);
    size_t token_bytes = 0;
    const uint8_t *token = find(&r, "token") ? bytes_value(&r, &token_bytes) : NULL;
    if (token == NULL || token_bytes >= sizeof g->token) { fault("a Welcome without a token", g); return; }
    memcpy(g->token, token, token_bytes);
    g->token[token_bytes] = 0;
    saying s = say("Watch", WATCH_ID);
    text_field(&s, "table", all.ledgers[g->table].id);
    if (g->version && g->headed) {
        field(&s, "since");
        put_byte(&s, 0x82);
        put_text(&s, "version");
        put_number(&s, g->version);
        put_text(&s, "head");
        put_binary(&s, g->head, 32);
    }
    g->step = WATCHING;
    utter(g, &s);
}

static void on_answer(guest *g, const uint8_t *payload, size_t size, bool refused) {
    reading r = fields_of(payload, size);
    uint64_t id = find(&r, "id") ? number_value(&r) : 0;
    if (refused) {
        size_t code_bytes = 0;
        const uint8_t *code = find(&r, "code") ? bytes_value(&r, &code_bytes) : NULL;
        all.refused++;
        snprintf(all.last_refusal, sizeof all.last_refusal, "%.*s", (int)code_bytes, code ? (const char *)code : "");
    }
    if (id >= FIRST_PLAYED_ID) { answered(g, id, refused); return; }
    if (refused) { fault(all.last_refusal, g); return; }
    if (id != WATCH_ID && g->step != SEATING) return;
    if (g->seats && sit(g, id)) return;
    arrived(g);
}

static void on_message(guest *g, const uint8_t *payload, size_t size) {
    size_t kind_bytes = 0;
    reading r = fields_of(payload, size);
    const uint8_t *kind = find(&r, "t") ? bytes_value(&r, &kind_bytes) : NULL;
    if (kind == NULL) { fault("a frame without its kind", g); return; }
#define IS(name) (kind_bytes == sizeof name - 1 && !memcmp(kind, name, sizeof name - 1))
    if (IS("Batch")) on_batch(g, payload, size);
    else if (IS("Snapshot")) on_snapshot(g, payload, size);
    else if (IS("Ack")) on_answer(g, payload, size, false);
    else if (IS("Refused")) on_answer(g, payload, size, true);
    else if (IS("Place")) placed(g, payload, size);
    else if (IS("Welcome")) on_welcome(g, payload, size);
#undef IS
}

static void on_frame(guest *g, const frame *f) {
    all.frames++;
    if (f->opcode == 9 && f->payload_bytes < 126) {
        uint8_t pong[6 + 125] = {0x8A, (uint8_t)(0x80 | f->payload_bytes)};
        memcpy(pong + 6, f->payload, f->payload_bytes);
        if (send(g->fd, pong, 6 + f->payload_bytes, MSG_NOSIGNAL) < 0) fault("a pong could not be sent", g);
    } else if (f->opcode == 8) {
        hang_up(g);
    } else if (all.echoes) {
        answered(g, 0, false);
    } else {
        on_message(g, f->payload, f->payload_bytes);
    }
}

/* --- bytes --- */

static size_t taken(guest *g, const uint8_t *at, size_t bytes) {
    size_t used = 0;
    if (g->step == UPGRADING) {
        const uint8_t *end = memmem(at, bytes, "\r\n\r\n", 4);
        if (end == NULL) return 0;
        if (memcmp(at, "HTTP/1.1 101", 12)) { fault("no upgrade", g); hang_up(g); return bytes; }
        used = (size_t)(end - at) + 4;
        if (all.talks) {
            saying s = say("Hello", 1);
            if (g->token[0]) text_field(&s, "token", g->token);
            g->step = WATCHING;
            utter(g, &s);
        } else arrived(g);
    }
    frame f;
    int found;
    while (g->step != GONE && (found = frame_at(at + used, bytes - used, &f)) != 0) {
        if (found < 0) { fault("no frame of a server", g); hang_up(g); break; }
        used += f.frame_bytes;
        on_frame(g, &f);
    }
    return g->step == GONE ? bytes : used;
}

static void readable(guest *g) {
    static uint8_t buffer[READ_BYTES + PAYLOAD_BYTES_MAX];
    if (g->kept_bytes) memcpy(buffer, g->kept, g->kept_bytes);
    ssize_t got = recv(g->fd, buffer + g->kept_bytes, READ_BYTES, 0);
    if (got <= 0) {
        if (got == 0 || errno != EAGAIN) hang_up(g);
        return;
    }
    all.bytes += (uint64_t)got;
    size_t bytes = g->kept_bytes + (size_t)got, used = taken(g, buffer, bytes);
    if (g->step == GONE) return;
    g->kept_bytes = bytes - used;
    if (g->kept_bytes > g->kept_room) g->kept = realloc(g->kept, g->kept_room = g->kept_bytes);
    if (g->kept_bytes) memcpy(g->kept, buffer + used, g->kept_bytes);
    else if (g->kept_room) { free(g->kept); g->kept = NULL; g->kept_room = 0; }
}

/* --- told from outside --- */

static size_t behind(void) {
    size_t count = 0;
    for (size_t i = 0; i < all.count; i++)
        if (all.guests[i].step == LIVE && all.guests[i].version < all.ledgers[all.guests[i].table].newest) count++;
    return count;
}

static void look(bool distributions) {
    uint64_t newest = 0;
    for (size_t i = 0; i < all.tables; i++) newest += all.ledgers[i].newest;
    printf("{\"ns\":%llu,\"live\":%zu,\"lost\":%zu,\"frames\":%llu,\"batches\":%llu,\"bytes\":%llu,\"snapshots\":%llu,\"acks\":%llu,"
           "\"refused\":%llu,\"refusal\":\"%s\",\"behind\":%zu,\"newest\":%llu,\"faults\":%llu,\"fault\":\"%s\"",
        (unsigned long long)now_ns(), all.live, all.lost, (unsigned long long)all.frames, (unsigned long long)all.batches,
        (unsigned long long)all.bytes, (unsigned long long)all.snapshots, (unsigned long long)all.acks,
        (unsigned long long)all.refused, all.last_refusal, behind(), (unsigned long long)newest,
        (unsigned long long)all.faults, all.first_fault);
    if (distributions) {
        told(&all.answers, "answers");
        told(&all.spreads, "spreads");
        told(&all.returns, "returns");
    }
    puts("}");
    if (all.record) fflush(all.record);
}

static void drop_all(void) {
    all.dropped_ns = now_ns();
    for (size_t i = 0; i < all.count; i++) if (all.guests[i].step != GONE) hang_up(&all.guests[i]);
    all.lost = 0;
    all.next = 0;
    all.dialing_max = all.count;
}

static void stop_reading(size_t count) {
    for (size_t i = 0; i < count && i < all.count; i++) epoll_ctl(watched, EPOLL_CTL_DEL, all.guests[i].fd, NULL);
}

static void obey(char *line) {
    unsigned long a = 0, b = 0;
    if (!strncmp(line, "look", 4)) look(false);
    else if (!strncmp(line, "mark", 4)) look(true);
    else if (sscanf(line, "pace %lu %lu", &a, &b) == 2) { pace(&all, a, b); puts("{}"); }
    else if (!strncmp(line, "flat", 4)) { flat_out(&all); puts("{}"); }
    else if (!strncmp(line, "hold", 4)) { hold(&all); puts("{}"); }
    else if (!strncmp(line, "drop", 4)) { drop_all(); puts("{}"); }
    else if (sscanf(line, "stall %lu", &a) == 1) { stop_reading(a); puts("{}"); }
    else exit(2);
    fflush(stdout);
}

static void hear(void) {
    static char heard[4096];
    static size_t used;
    ssize_t got = read(STDIN_FILENO, heard + used, sizeof heard - 1 - used);
    if (got <= 0) exit(0);
    used += (size_t)got;
    heard[used] = 0;
    for (char *end; (end = strchr(heard, '\n')) != NULL;) {
        *end = 0;
        obey(heard);
        used -= (size_t)(end + 1 - heard);
        memmove(heard, end + 1, used + 1);
    }
}

static void serve_one(struct epoll_event *e) {
    guest *g = e->data.ptr;
    if (g == NULL) { hear(); return; }
    if (g->step == GONE) return;
    if (g->step == DIALING) {
        int wrong = 0;
        socklen_t size = sizeof wrong;
        getsockopt(g->fd, SOL_SOCKET, SO_ERROR, &wrong, &size);
        if (wrong) { errno = wrong; perror("crowd: connect"); exit(1); }
        upgrade(g);
    } else readable(g);
}

int main(int count, char **words) {
    if (!begun(&all, count, words)) {
        fprintf(stderr, "usage: crowd watch|play|raw|echo COUNT PORT,.. [tables=FILE] [seats=N] [receive=BYTES] [record=FILE]\n");
        return 2;
    }
    watched = epoll_create1(0);
    struct epoll_event in = {.events = EPOLLIN, .data.ptr = NULL}, events[512];
    epoll_ctl(watched, EPOLL_CTL_ADD, STDIN_FILENO, &in);
    for (;;) {
        while (all.next < all.count && all.dialing < all.dialing_max) dial(&all.guests[all.next++]);
        int found = epoll_wait(watched, events, 512, next_turn_ms(&all));
        for (int i = 0; i < found; i++) serve_one(&events[i]);
        turns(&all);
    }
}
