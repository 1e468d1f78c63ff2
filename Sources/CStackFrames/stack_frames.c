#define _GNU_SOURCE
#include "CStackFrames.h"
#include <pthread.h>
#include <stdint.h>

// A number that is no frame may be the address of anything in the stack, such as the edge of a variable, which the address
// sanitizer protects.
__attribute__((noinline, no_sanitize("address"), no_sanitize("thread"))) int CStackFrames_readable(int limit) {
    pthread_attr_t attributes;
    void *lowest;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
    int failed = pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    if (failed != 0) return 0;
    // A frame begins with the pointer to the caller's frame and the address to return to.
    uintptr_t last = (uintptr_t)lowest + size - 2 * sizeof(uintptr_t);
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    int count = 0;
    while (count < limit && frame <= last && frame % sizeof(uintptr_t) == 0) {
        count += 1;
        uintptr_t caller = *(const uintptr_t *)frame;
        if (caller <= frame) break;
        frame = caller;
    }
    return count;
}
