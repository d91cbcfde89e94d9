/* The limit: a server that does nothing but write. It answers every upgrade (without looking at the key, which only the
   handshake would need), and "send N" on standard input writes the next N frames of the log to every connection, one
   write for each frame, straight from the log. */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONNECTIONS_MAX 20000
#define FRAMES_MAX 200000

static const char UPGRADED[] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";

static struct { uint8_t *at; size_t bytes; } frames[FRAMES_MAX];
static size_t frames_count, next_frame;
static int connections[CONNECTIONS_MAX], connections_count;

static void read_log(const char *file) {
    FILE *log = fopen(file, "rb");
    uint32_t size;
    while (log && frames_count < FRAMES_MAX && fread(&size, sizeof size, 1, log) == 1) {
        size_t head = size < 126 ? 2 : 4;
        uint8_t *at = malloc(head + size);
        at[0] = 0x82;
        if (size < 126) at[1] = (uint8_t)size;
        else { at[1] = 126; at[2] = (uint8_t)(size >> 8); at[3] = (uint8_t)size; }
        if (fread(at + head, 1, size, log) != size) break;
        frames[frames_count].at = at;
        frames[frames_count++].bytes = head + size;
    }
}

static void send_next(void) {
    if (next_frame == frames_count) { fprintf(stderr, "the log is at its end\n"); exit(1); }
    for (int i = 0; i < connections_count; i++)
        if (send(connections[i], frames[next_frame].at, frames[next_frame].bytes, MSG_NOSIGNAL) != (ssize_t)frames[next_frame].bytes) {
            fprintf(stderr, "a client does not read\n");
            exit(1);
        }
    next_frame++;
}

int main(int count, char **words) {
    if (count != 2) return 2;
    read_log(words[1]);
    int on = 1, listener = socket(AF_INET, SOCK_STREAM, 0), watched = epoll_create1(0);
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof here;
    if (bind(listener, (struct sockaddr *)&here, size) || listen(listener, 4096)) { perror("writer"); return 1; }
    getsockname(listener, (struct sockaddr *)&here, &size);
    printf("%d\n", ntohs(here.sin_port));
    fflush(stdout);
    struct epoll_event e = {.events = EPOLLIN, .data.fd = listener}, found[256];
    epoll_ctl(watched, EPOLL_CTL_ADD, listener, &e);
    e.data.fd = STDIN_FILENO;
    epoll_ctl(watched, EPOLL_CTL_ADD, STDIN_FILENO, &e);
    for (;;) {
        int ready = epoll_wait(watched, found, 256, -1);
        for (int i = 0; i < ready; i++) {
            int fd = found[i].data.fd;
            char heard[4096];
            if (fd == listener) {
                e.data.fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
                setsockopt(e.data.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
                epoll_ctl(watched, EPOLL_CTL_ADD, e.data.fd, &e);
            } else if (fd == STDIN_FILENO) {
                ssize_t got = read(fd, heard, sizeof heard - 1);
                if (got <= 0) return 0;
                heard[got] = 0;
                for (char *line = strtok(heard, "\n"); line; line = strtok(NULL, "\n"))
                    for (int n = atoi(line + 5); n > 0; n--) send_next();
            } else {
                ssize_t got = read(fd, heard, sizeof heard);
                if (got <= 0) close(fd);
                else if (memmem(heard, (size_t)got, "\r\n\r\n", 4) && connections_count < CONNECTIONS_MAX) {
                    if (write(fd, UPGRADED, sizeof UPGRADED - 1) > 0) connections[connections_count++] = fd;
                }
            }
        }
    }
}
