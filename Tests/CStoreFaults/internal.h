// What the parts of the shim share.

#ifndef STORE_FAULTS_INTERNAL_H
#define STORE_FAULTS_INTERNAL_H

#include "include/store_faults.h"
#include <sqlite3.h>

/// Counts a call of a kind; whether it is to fail.
int store_fault_now(int kind);

/// Whether files may grow by so many bytes more; they are then used up.
int store_faults_take_disk(sqlite3_int64 bytes);

int store_memory_install(void);
int store_files_install(void);

// The image of what is safe on the disk.
struct disk_file;
struct disk_file *disk_find(const char *path);
void disk_write(struct disk_file *file, const void *bytes, int count, sqlite3_int64 offset);
void disk_truncate(struct disk_file *file, sqlite3_int64 size);
void disk_sync(struct disk_file *file);
void disk_delete(const char *path);

#endif
