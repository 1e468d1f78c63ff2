#define _GNU_SOURCE
#include "CTerminal.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

int CTerminal_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0 ? 0 : errno; }

int CTerminal_socketPair(int ends[2]) {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    if (fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0) return 0;
    int number = errno;
    close(ends[0]);
    close(ends[1]);
    return number;
}

void CTerminal_send(int socket, const char *bytes, size_t count) {
    while (send(socket, bytes, count, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
}
