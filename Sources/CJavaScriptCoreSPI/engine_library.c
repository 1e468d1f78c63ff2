// For dl_iterate_phdr and RTLD_DEFAULT.
#define _GNU_SOURCE
#include "engine_library.h"
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

// Not dladdr(), which looks at every symbol of the library: 160 calls took 2 to 3 ms of the start of a process.
static struct dl_phdr_info library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool contains(const struct dl_phdr_info *info, const void *address) {
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[index];
        if (header->p_type == PT_LOAD && (uintptr_t)address - info->dlpi_addr - header->p_vaddr < header->p_memsz)
            return true;
    }
    return false;
}

static int find_library(struct dl_phdr_info *info, size_t size, void *function) {
    (void)size;
    if (!contains(info, function)) return 0;
    library = *info;
    return 1;
}

static void find(void) {
    // By name, because a program's address of a function may be its own entry.
    void *function = dlsym(RTLD_DEFAULT, "JSGlobalContextCreate");
    if (function) dl_iterate_phdr(find_library, function);
}

const struct dl_phdr_info *jsb_engine_library(void) {
    pthread_once(&once, find);
    return &library;
}

bool jsb_is_in_engine(const void *address) { return contains(jsb_engine_library(), address); }
