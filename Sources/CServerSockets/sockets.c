#define _GNU_SOURCE
#include "CServerSockets.h"
#include <errno.h>
#include <sys/epoll.h>
#include <sys/socket.h>

int CServerSockets_createSet(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

void CServerSockets_watch(int set, int descriptor, int isForOutput) {
    struct epoll_event event = {.events = isForOutput ? EPOLLOUT : EPOLLIN, .data.fd = descriptor};
    if (epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event) != 0 && errno == EEXIST)
        epoll_ctl(set, EPOLL_CTL_MOD, descriptor, &event);
}

void CServerSockets_unwatch(int set, int descriptor) {
    epoll_ctl(set, EPOLL_CTL_DEL, descriptor, 0);
}

int CServerSockets_ready(int set, int *descriptors, int capacity) {
    struct epoll_event events[64];
    int count = epoll_wait(set, events, capacity < 64 ? capacity : 64, 0);
    for (int index = 0; index < count; index++)
        descriptors[index] = events[index].data.fd;
    return count < 0 ? 0 : count;
}

int CServerSockets_accept(int listener) {
    return accept4(listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
