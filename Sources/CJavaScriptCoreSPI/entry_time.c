// For CLOCK_THREAD_CPUTIME_ID.
#define _GNU_SOURCE
#include "CJavaScriptCoreSPI.h"

_Thread_local uint64_t jsb_entry_time_state;

#ifdef __linux__
#include <time.h>

// WTF::CPUTime::forCurrentThread(): the engine reads the thread's processor time whenever it is entered under a time
// limit. It calls this function through its table of dynamic symbols, where the program's definition takes precedence.
// This function reads the same clock and keeps the first reading of a turn. The package then knows when a turn began
// without a system call of its own (0.6 us, a third of the cost of an empty turn). If the engine does not call it, the
// package reads the clock itself.
__attribute__((visibility("default"), used)) double thread_processor_time(void)
    __asm__("_ZN3WTF7CPUTime16forCurrentThreadEv");

double thread_processor_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    if (jsb_entry_time_state == 0) jsb_entry_time_state = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
#endif
