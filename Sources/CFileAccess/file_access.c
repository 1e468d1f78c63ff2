#define _GNU_SOURCE
#include "CFileAccess.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// The definitions of <linux/openat2.h>, which older headers lack. The kernel never changes the numbers.
struct how {
    uint64_t flags;
    uint64_t mode;
    uint64_t resolve;
};
enum { NO_MAGIC_LINKS = 0x02, NO_SYMLINKS = 0x04, BENEATH = 0x08 };
#ifndef SYS_openat2
#define SYS_openat2 437
#endif

enum { READING = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC };

int CFileAccess_openBeneath(int folder, const char *path) {
    struct how how = {.flags = READING, .resolve = NO_MAGIC_LINKS | NO_SYMLINKS | BENEATH};
    for (int attempt = 0;; attempt++) {
        long result = syscall(SYS_openat2, folder, path, &how, sizeof how);
        if (result >= 0) return (int)result;
        // A rename has raced with `..` in the path: the kernel requires another attempt.
        if ((errno == EAGAIN || errno == EINTR) && attempt < 16) continue;
        return -errno;
    }
}

int CFileAccess_open(const char *path) {
    int descriptor = open(path, READING);
    return descriptor >= 0 ? descriptor : -errno;
}

int CFileAccess_openFolder(const char *path) {
    int descriptor = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return descriptor >= 0 ? descriptor : -errno;
}
