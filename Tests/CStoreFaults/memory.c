#include "internal.h"

static sqlite3_mem_methods base;

static void *allocate(int size) { return store_fault_now(STORE_FAULT_MEMORY) ? 0 : base.xMalloc(size); }

static void *reallocate(void *block, int size) {
    return store_fault_now(STORE_FAULT_MEMORY) ? 0 : base.xRealloc(block, size);
}

int store_memory_install(void) {
    int code = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &base);
    if (code != SQLITE_OK) return code;
    sqlite3_mem_methods own = base;
    own.xMalloc = allocate;
    own.xRealloc = reallocate;
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &own);
}
