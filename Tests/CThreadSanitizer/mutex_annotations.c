// Tells the thread sanitizer of Swift's Mutex where two threads meet in it.
//
// A free Mutex is taken and left by atomic operations in our own code, which the sanitizer sees. One that another thread
// holds is taken and left in the library, which is built without the sanitizer: it misses the order between the two threads,
// and reports whatever the Mutex guards as a race. These two stand in the library's place, do what it does, and say so.
//
// Nothing of this is in a build without the sanitizer.

#if __has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

// Methods of a Swift structure have it in the register of the context.
#define SWIFT_SELF __attribute__((swift_context)) void *mutex
#define SWIFT_METHOD __attribute__((swiftcall, visibility("default")))
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef __attribute__((swiftcall)) void (*LockSlow)(uint32_t, SWIFT_SELF);
typedef __attribute__((swiftcall)) void (*UnlockSlow)(SWIFT_SELF);

static LockSlow libraryLock;
static UnlockSlow libraryUnlock;

__attribute__((constructor)) static void findLibrary(void) {
    libraryLock = (LockSlow)dlsym(RTLD_NEXT, LOCK_SLOW);
    libraryUnlock = (UnlockSlow)dlsym(RTLD_NEXT, UNLOCK_SLOW);
    // A library that has other names needs other names here.
    if (!libraryLock || !libraryUnlock) abort();
}

SWIFT_METHOD void lockSlow(uint32_t thread, SWIFT_SELF) __asm__(LOCK_SLOW);
SWIFT_METHOD void lockSlow(uint32_t thread, SWIFT_SELF) {
    libraryLock(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT_METHOD void unlockSlow(SWIFT_SELF) __asm__(UNLOCK_SLOW);
SWIFT_METHOD void unlockSlow(SWIFT_SELF) {
    __tsan_release(mutex);
    libraryUnlock(mutex);
}

#endif
