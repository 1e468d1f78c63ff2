#define _GNU_SOURCE
#include "CTerminal.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// MARK: Sequences

// Each step with its inverse. Entering makes them in this order, leaving undoes them in the reverse order. The sequence of
// a step has an effect only when all its bytes have been written.
static const struct {
    const char *enter, *leave;
} steps[] = {
    // Nothing to enter; leaving ends a sequence of which the terminal has taken a part.
    {"", "\033\\"},
    // The title.
    {"\033[22;0t", "\033[23;0t"},
    // The alternate screen.
    {"\033[?1049h", "\033[?1049l"},
    // The cursor.
    {"\033[?25l", "\033[?25h"},
    // Automatic wrapping.
    {"\033[?7l", "\033[?7h"},
    // Marks around pasted text.
    {"\033[?2004h", "\033[?2004l"},
    // Buttons.
    {"\033[?1000h", "\033[?1000l"},
    // Drags.
    {"\033[?1002h", "\033[?1002l"},
    // Coordinates of any size.
    {"\033[?1006h", "\033[?1006l"},
    // The focus.
    {"\033[?1004h", "\033[?1004l"},
    // Distinct codes for all keys, by the Kitty protocol.
    {"\033[>1u", "\033[<u"},
};
enum { STEPS = sizeof steps / sizeof *steps };

// Ends a string, synchronized output, a scroll region and a style that a frame has begun.
static const char reset[] = "\033\\\033[?2026l\033[r\033[0m";

static size_t enter_count(size_t count) {
    size_t sum = 0;
    for (size_t index = 0; index < count; index++) sum += strlen(steps[index].enter);
    return sum;
}

static size_t leave_count(size_t count) {
    size_t sum = 0;
    for (size_t index = 0; index < count; index++) sum += strlen(steps[index].leave);
    return sum;
}

size_t CTerminal_enterBytes(char bytes[CTerminal_maximumBytes]) {
    char *end = bytes;
    for (size_t index = 0; index < STEPS; index++) end = stpcpy(end, steps[index].enter);
    return (size_t)(end - bytes);
}

size_t CTerminal_leaveBytes(char bytes[CTerminal_maximumBytes]) {
    char *end = stpcpy(bytes, reset);
    for (size_t index = STEPS; index > 0; index--) end = stpcpy(end, steps[index - 1].leave);
    return (size_t)(end - bytes);
}

// MARK: The pipe

int CTerminal_prepare(int pipe, const struct termios *attributes) {
    char bytes[2 * CTerminal_maximumBytes + sizeof *attributes];
    size_t count = CTerminal_enterBytes(bytes);
    count += CTerminal_leaveBytes(bytes + count);
    memcpy(bytes + count, attributes, sizeof *attributes);
    count += sizeof *attributes;
    // Fewer bytes than PIPE_BUF are written together or not at all.
    return write(pipe, bytes, count) == (ssize_t)count ? 0 : errno;
}

static int left_in(int pipe) {
    int count;
    return ioctl(pipe, FIONREAD, &count) == 0 ? count : -1;
}

static int64_t milliseconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// For a terminal that splice does not know. What was read from the pipe is lost if the process is killed here.
static ssize_t copy(int pipe, int terminal) {
    char byte;
    struct pollfd request = {.fd = terminal, .events = POLLOUT};
    if (poll(&request, 1, 0) <= 0) {
        errno = EAGAIN;
        return -1;
    }
    ssize_t count = read(pipe, &byte, 1);
    return count > 0 ? write(terminal, &byte, 1) : count;
}

// Moves bytes until only a number of them is left in the pipe. Returns whether that was done in time.
static bool move(int pipe, int terminal, int rest, int milliseconds) {
    int64_t end = milliseconds_now() + milliseconds;
    while (true) {
        int left = left_in(pipe);
        if (left < 0) return false;
        if (left <= rest) return true;
        ssize_t moved = splice(pipe, NULL, terminal, NULL, (size_t)(left - rest), SPLICE_F_NONBLOCK);
        if (moved < 0 && errno == EINVAL) moved = copy(pipe, terminal);
        if (moved > 0 || (moved < 0 && errno == EINTR)) continue;
        if (moved < 0 && errno != EAGAIN) return false;
        int64_t wait = milliseconds < 0 ? -1 : end - milliseconds_now();
        if (milliseconds >= 0 && wait <= 0) return false;
        struct pollfd request = {.fd = terminal, .events = POLLOUT};
        poll(&request, 1, (int)wait);
    }
}

int CTerminal_enter(int pipe, int terminal, int milliseconds) {
    int rest = (int)(strlen(reset) + leave_count(STEPS) + sizeof(struct termios));
    return move(pipe, terminal, rest, milliseconds) ? 0 : errno;
}

// Discards the rest of the bytes that enter the screen, and the inverse of what has not been entered.
static void skip(int pipe) {
    int all = (int)(strlen(reset) + leave_count(STEPS) + sizeof(struct termios));
    int left = left_in(pipe);
    if (left <= all) return;
    size_t entered = enter_count(STEPS) - (size_t)(left - all);
    size_t count = STEPS;
    while (enter_count(count) > entered) count--;
    char bytes[2 * CTerminal_maximumBytes];
    // One call, which takes all these bytes or none, because it is what has been entered that is left to be known.
    if (read(pipe, bytes, (size_t)left - leave_count(count) - sizeof(struct termios)) < 0) return;
}

int CTerminal_leave(int pipe, int terminal, const struct termios *attributes, int milliseconds) {
    struct termios waiting;
    if (left_in(pipe) == 0) return 1;
    skip(pipe);
    if (!move(pipe, terminal, sizeof waiting, milliseconds)) return 0;
    // The attributes stay in the pipe until they are set.
    if (attributes != NULL) {
        if (tcsetattr(terminal, TCSANOW, attributes) != 0) return 0;
        return read(pipe, &waiting, sizeof waiting) >= 0 || errno == EAGAIN;
    }
    if (read(pipe, &waiting, sizeof waiting) != sizeof waiting) return left_in(pipe) == 0;
    return tcsetattr(terminal, TCSANOW, &waiting) == 0;
}

void CTerminal_guard(int pipe, int terminal) {
    struct stat status;
    if (fstat(pipe, &status) != 0 || !S_ISFIFO(status.st_mode)) return;
    // No bytes are requested, so only the end of the last writer ends the wait.
    struct pollfd request = {.fd = pipe};
    while (poll(&request, 1, -1) < 0 && errno == EINTR) {
    }
    // The terminal may be slow.
    CTerminal_leave(pipe, terminal, NULL, -1);
}
