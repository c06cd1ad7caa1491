// SPDX-License-Identifier: Apache-2.0
/* Addresses are a path (Unix socket) or a port number on 127.0.0.1. */
#ifndef FANOUT_CONNECT_H
#define FANOUT_CONNECT_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static inline int connect_to(const char *address) {
    int fd;
    if (address[0] == '/') {
        struct sockaddr_un name = {.sun_family = AF_UNIX};
        strncpy(name.sun_path, address, sizeof name.sun_path - 1);
        fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0 || connect(fd, (struct sockaddr *)&name, sizeof name)) return -1;
    } else {
        struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(address)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        int yes = 1;
        fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0 || connect(fd, (struct sockaddr *)&name, sizeof name)) return -1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    }
    return fd;
}

static inline void write_all(int fd, const void *bytes, size_t count) {
    const char *at = bytes;
    while (count > 0) {
        ssize_t n = write(fd, at, count);
        if (n <= 0) {
            perror("write");
            exit(1);
        }
        at += n;
        count -= (size_t)n;
    }
}

/* MQTT 3.1.1: CONNECT with a clean session and no keep-alive. */
static inline void mqtt_connect(int fd, int number) {
    char id[24];
    int n = snprintf(id, sizeof id, "f%d-%d", (int)getpid(), number);
    unsigned char packet[64] = {0x10, (unsigned char)(12 + n), 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0, (unsigned char)n};
    memcpy(packet + 14, id, (size_t)n);
    write_all(fd, packet, 14 + (size_t)n);
    unsigned char answer[4];
    if (recv(fd, answer, sizeof answer, MSG_WAITALL) != 4 || answer[3] != 0) {
        fprintf(stderr, "the broker refused the connection\n");
        exit(1);
    }
}

#endif
