#define _GNU_SOURCE
#include "CTerminal.h"
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

// MARK: Window changes, stops and continuations

static volatile int watching = -1;

static void watch(int number) {
    int saved = errno;
    char byte = number == SIGWINCH ? 'w' : number == SIGCONT ? 'c' : 's';
    while (watching >= 0 && write(watching, &byte, 1) < 0 && errno == EINTR) {
    }
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
    int pipe;
    int terminal;
    struct termios attributes;
} restoration;
static struct sigaction earlier[ERRORS + REQUESTS];
static int is_installed[ERRORS + REQUESTS];

static int number_of(int index) { return index < ERRORS ? errors[index] : requests[index - ERRORS]; }

// The longest time for which a handler waits for the terminal. What is left is the guardian's.
enum { MILLISECONDS = 100 };

static void restore(int number) {
    // Only one thread of several that fail restores the terminal.
    if (atomic_exchange(&restoration.armed, 0)) {
        // A stopped or background process must not be stopped by this.
        signal(SIGTTOU, SIG_IGN);
        CTerminal_leave(restoration.pipe, restoration.terminal, &restoration.attributes, MILLISECONDS);
    }
    for (int index = 0; index < ERRORS + REQUESTS; index++) {
        if (number_of(index) == number && is_installed[index]) sigaction(number, &earlier[index], NULL);
    }
    // Pending until this handler returns; then the earlier action ends the process.
    raise(number);
}

void CTerminal_armRestoration(int pipe, int terminal, const struct termios *attributes) {
    CTerminal_disarmRestoration();
    restoration.pipe = pipe;
    restoration.terminal = terminal;
    restoration.attributes = *attributes;
    atomic_store(&restoration.armed, 1);
    for (int index = 0; index < ERRORS + REQUESTS; index++) {
        struct sigaction action = {.sa_handler = restore, .sa_flags = SA_ONSTACK};
        if (sigaction(number_of(index), NULL, &earlier[index]) != 0) continue;
        // A request that is ignored or handled by others is theirs.
        if (index >= ERRORS && earlier[index].sa_handler != SIG_DFL) continue;
        is_installed[index] = sigaction(number_of(index), &action, NULL) == 0;
    }
}

void CTerminal_disarmRestoration(void) {
    atomic_store(&restoration.armed, 0);
    for (int index = 0; index < ERRORS + REQUESTS; index++) {
        if (is_installed[index]) sigaction(number_of(index), &earlier[index], NULL);
        is_installed[index] = 0;
    }
}
