// Lets signals through to threads that wait in a system call that the thread sanitizer does not know.
//
// The sanitizer holds a signal back until the thread calls a function that it intercepts, and waits in those are ended by
// one. The locks of GLib, libdispatch and Swift's runtime wait by syscall(SYS_futex), which it does not intercept. The
// engine's collector stops threads by a signal and waits until each has answered: one that it has stopped held a lock of
// GLib, another waited for that lock and never saw its signal, and the whole process stood still (once in five runs of 145
// tests). Without the sanitizer the second thread answers at once.
//
// This one stands in the C library's place for the executable and all libraries. A wait without an end is cut into pieces,
// since a signal may come between the last look and the wait; whoever waits sees nothing of it.
//
// Libraries call it also when a thread ends, after the sanitizer has put the thread's state away: what is instrumented would
// crash then, so it is not.
//
// Nothing of this is in a build without the sanitizer.

#if __has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>

#define NOT_INSTRUMENTED __attribute__((disable_sanitizer_instrumentation))

typedef long (*SystemCall)(long, ...);

NOT_INSTRUMENTED static SystemCall librarySystemCall(void) {
    // Constructors of libraries call before any of ours has run.
    static _Atomic(SystemCall) found;
    SystemCall known = atomic_load_explicit(&found, memory_order_acquire);
    if (known) return known;
    known = (SystemCall)dlsym(RTLD_NEXT, "syscall");
    if (!known) abort();
    atomic_store_explicit(&found, known, memory_order_release);
    return known;
}

// Any function that is intercepted runs the handlers of the signals that were held back.
NOT_INSTRUMENTED static void deliverSignals(void) {
    static sem_t nothing;
    int before = errno, value;
    sem_getvalue(&nothing, &value);
    errno = before;
}

NOT_INSTRUMENTED __attribute__((visibility("default"))) long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long words[6];
    for (int index = 0; index < 6; index++) words[index] = va_arg(list, long);
    va_end(list);
    SystemCall call = librarySystemCall();

    int operation = number == SYS_futex ? (int)words[1] & FUTEX_CMD_MASK : -1;
    bool isSpan = operation == FUTEX_WAIT;
    bool isMoment = operation == FUTEX_WAIT_BITSET || operation == FUTEX_LOCK_PI || operation == FUTEX_LOCK_PI2;
    if (!(isSpan || isMoment) || words[3] != 0) {
        long result = call(number, words[0], words[1], words[2], words[3], words[4], words[5]);
        if (number == SYS_futex && result == -1 && errno == EINTR) deliverSignals();
        return result;
    }
    bool isRealTime = operation == FUTEX_LOCK_PI || words[1] & FUTEX_CLOCK_REALTIME;
    for (;;) {
        deliverSignals();
        struct timespec end = {0, 0};
        if (isMoment) clock_gettime(isRealTime ? CLOCK_REALTIME : CLOCK_MONOTONIC, &end);
        end.tv_nsec += 20 * 1000 * 1000;
        if (end.tv_nsec >= 1000 * 1000 * 1000) {
            end.tv_sec += 1;
            end.tv_nsec -= 1000 * 1000 * 1000;
        }
        long result = call(number, words[0], words[1], words[2], (long)&end, words[4], words[5]);
        if (result == -1 && errno == ETIMEDOUT) continue;
        if (result == -1 && errno == EINTR) deliverSignals();
        return result;
    }
}

#endif
