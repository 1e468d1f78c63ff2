// Delivers signals to threads that wait in a system call that the thread sanitizer does not know.
//
// The sanitizer holds a signal back until the thread calls an intercepted function, and a signal ends waits in those.
// The locks of GLib, libdispatch and Swift's runtime wait by syscall(SYS_futex), which it does not intercept. The
// engine's collector stops threads by a signal and waits until each has answered. A thread that it had stopped held a
// lock of GLib, another thread waited for that lock and never saw its signal, and the whole process hung (once in five
// runs of 145 tests). Without the sanitizer, the second thread answers immediately.
//
// This function replaces the C library's for the executable and all libraries. A wait without an end is divided into
// pieces, because a signal may come between the last check and the wait. The waiting thread does not notice this.
//
// Libraries also call it when a thread ends, after the sanitizer has discarded the thread's state. Instrumented code
// would crash then, so the function is not instrumented.
//
// A build without the sanitizer contains nothing of this.

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
    // Constructors of libraries call this before any of the program's own has run.
    static _Atomic(SystemCall) found;
    SystemCall known = atomic_load_explicit(&found, memory_order_acquire);
    if (known) return known;
    known = (SystemCall)dlsym(RTLD_NEXT, "syscall");
    if (!known) abort();
    atomic_store_explicit(&found, known, memory_order_release);
    return known;
}

// Any intercepted function runs the handlers of the signals that were held back.
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
