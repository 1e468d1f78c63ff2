#define _GNU_SOURCE
#include "CFileAccess.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
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
    return CFileAccess_openEntry(folder, path, READING, 0);
}

int CFileAccess_openEntry(int folder, const char *path, int flags, unsigned int mode) {
    struct how how = {
        .flags = (uint64_t)(flags | O_CLOEXEC), .mode = mode, .resolve = NO_MAGIC_LINKS | NO_SYMLINKS | BENEATH,
    };
    for (int attempt = 0;; attempt++) {
        long result = syscall(SYS_openat2, folder, path, &how, sizeof how);
        if (result >= 0) return (int)result;
        // A rename has raced with `..` in the path: the kernel requires another attempt.
        if ((errno == EAGAIN || errno == EINTR) && attempt < 16) continue;
        return -errno;
    }
}

int CFileAccess_openPath(int folder, const char *path, int flags) {
    return CFileAccess_openEntry(folder, path, O_PATH | flags, 0);
}

int CFileAccess_open(const char *path) {
    int descriptor = open(path, READING);
    return descriptor >= 0 ? descriptor : -errno;
}

int CFileAccess_openFolder(const char *path) {
    int descriptor = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return descriptor >= 0 ? descriptor : -errno;
}

// The numbers of <linux/magic.h>: proc, sysfs, debugfs, tracefs, securityfs, cgroup, cgroup2, bpf, selinux, efivarfs.
int CFileAccess_showsKernel(int descriptor) {
    static const unsigned long kinds[] = {
        0x9FA0, 0x62656572, 0x64626720, 0x74726163, 0x73636673, 0x27E0EB, 0x63677270, 0xCAFE4A11, 0xF97CFF8C,
        0xDE5E81E4,
    };
    struct statfs status;
    if (fstatfs(descriptor, &status) != 0) return 0;
    for (size_t index = 0; index < sizeof kinds / sizeof *kinds; index++) {
        if (((unsigned long)status.f_type & 0xFFFFFFFF) == kinds[index]) return 1;
    }
    return 0;
}
