#define _GNU_SOURCE
#include "CTerminal.h"
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

// Returns whether all bytes were written. A handler writes nothing else after a failed write.
static bool put(int descriptor, const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    while (descriptor >= 0 && count > 0) {
        ssize_t written = write(descriptor, next, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        next += written;
        count -= (size_t)written;
    }
    return count == 0;
}

// MARK: Window changes, stops and continuations

static volatile int watching = -1;

static void watch(int number) {
    int saved = errno;
    char byte = number == SIGWINCH ? 'w' : number == SIGCONT ? 'c' : 's';
    put(watching, &byte, 1);
    errno = saved;
}

void CTerminal_watchSignals(int descriptor) {
    watching = descriptor;
    struct sigaction action = {.sa_handler = watch, .sa_flags = SA_RESTART};
    sigaction(SIGWINCH, &action, NULL);
    sigaction(SIGTSTP, &action, NULL);
    sigaction(SIGCONT, &action, NULL);
}

void CTerminal_unwatchSignals(void) {
    signal(SIGWINCH, SIG_DFL);
    signal(SIGTSTP, SIG_DFL);
    signal(SIGCONT, SIG_DFL);
    watching = -1;
}

void CTerminal_stop(void) {
    struct sigaction earlier, standard = {.sa_handler = SIG_DFL};
    sigaction(SIGTSTP, &standard, &earlier);
    // The whole job stops, as the shell that waits for it expects.
    kill(0, SIGTSTP);
    // The signal is delivered to this thread now, unless it is blocked.
    sigset_t set, before;
    sigemptyset(&set);
    sigaddset(&set, SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &set, &before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    sigaction(SIGTSTP, &earlier, NULL);
}

// MARK: Fatal signals

// Signals of program errors are handled even if others handle them too: their handler runs afterwards.
static const int errors[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
static const int requests[] = {SIGQUIT, SIGTERM, SIGHUP, SIGINT};
enum { ERRORS = sizeof errors / sizeof *errors, REQUESTS = sizeof requests / sizeof *requests };

static struct {
    atomic_int armed;
    int terminal;
    uint8_t bytes[CTerminal_maximumRestoration];
    size_t count;
    struct termios attributes;
    int notice_descriptor;
    char notice[16];
} restoration;
static struct sigaction earlier[ERRORS + REQUESTS];
static int is_installed[ERRORS + REQUESTS];

static int number_of(int index) { return index < ERRORS ? errors[index] : requests[index - ERRORS]; }

static void restore(int number) {
    // Only one thread of several that fail restores the terminal.
    if (atomic_exchange(&restoration.armed, 0)) {
        bool is_complete = put(restoration.terminal, restoration.bytes, restoration.count);
        // A stopped or background process must not be stopped by this.
        signal(SIGTTOU, SIG_IGN);
        bool is_set = tcsetattr(restoration.terminal, TCSANOW, &restoration.attributes) == 0;
        // Without the notice, the guardian restores the terminal.
        if (is_complete && is_set) put(restoration.notice_descriptor, restoration.notice, strlen(restoration.notice));
    }
    for (int index = 0; index < ERRORS + REQUESTS; index++) {
        if (number_of(index) == number && is_installed[index]) sigaction(number, &earlier[index], NULL);
    }
    // Pending until this handler returns; then the earlier action ends the process.
    raise(number);
}

int CTerminal_armRestoration(int terminal, const uint8_t *bytes, size_t count, const struct termios *attributes,
                             int notice_descriptor, const char *notice) {
    if (count > sizeof restoration.bytes || strlen(notice) >= sizeof restoration.notice) return -1;
    CTerminal_disarmRestoration();
    restoration.terminal = terminal;
    memcpy(restoration.bytes, bytes, count);
    restoration.count = count;
    restoration.attributes = *attributes;
    restoration.notice_descriptor = notice_descriptor;
    strcpy(restoration.notice, notice);
    atomic_store(&restoration.armed, 1);
    for (int index = 0; index < ERRORS + REQUESTS; index++) {
        struct sigaction action = {.sa_handler = restore, .sa_flags = SA_ONSTACK};
        if (sigaction(number_of(index), NULL, &earlier[index]) != 0) continue;
        // A request that is ignored or handled by others is theirs.
        if (index >= ERRORS && earlier[index].sa_handler != SIG_DFL) continue;
        is_installed[index] = sigaction(number_of(index), &action, NULL) == 0;
    }
    return 0;
}

int CTerminal_disarmRestoration(void) {
    int was_armed = atomic_exchange(&restoration.armed, 0);
    for (int index = 0; index < ERRORS + REQUESTS; index++) {
        if (is_installed[index]) sigaction(number_of(index), &earlier[index], NULL);
        is_installed[index] = 0;
    }
    return was_armed;
}
