// Declarations that the parts of the shim share.

#ifndef STORE_FAULTS_INTERNAL_H
#define STORE_FAULTS_INTERNAL_H

#include "include/store_faults.h"
#include <sqlite3.h>

/// Counts a call of a kind and returns whether it must fail.
int store_fault_now(int kind);

/// Returns whether files may grow by this many bytes, and subtracts them from the limit.
int store_faults_take_disk(sqlite3_int64 bytes);

int store_memory_install(void);
int store_files_install(void);

// The image of the state that is safe on the disk.
struct disk_file;
struct disk_file *disk_find(const char *path);
void disk_write(struct disk_file *file, const void *bytes, int count, sqlite3_int64 offset);
void disk_truncate(struct disk_file *file, sqlite3_int64 size);
void disk_sync(struct disk_file *file);
void disk_delete(const char *path);

#endif
