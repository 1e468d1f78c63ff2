// A file system for SQLite that forwards everything to the usual one, unless the call is to fail.
// Unlocking, closing and unmapping do not fail: SQLite cannot react to such errors.

#include "internal.h"
#include <string.h>

struct fault_file {
    sqlite3_file base;
    struct disk_file *disk;
    sqlite3_file *real;
};

static sqlite3_vfs *usual;
static sqlite3_vfs shim;
static sqlite3_io_methods methods;

static sqlite3_file *real(sqlite3_file *file) { return ((struct fault_file *)file)->real; }
static struct disk_file *disk(sqlite3_file *file) { return ((struct fault_file *)file)->disk; }
static int fails(void) { return store_fault_now(STORE_FAULT_FILE); }

static int file_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    if (fails()) return SQLITE_IOERR_READ;
    return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    if (fails()) return SQLITE_IOERR_WRITE;
    sqlite3_int64 size = 0;
    real(file)->pMethods->xFileSize(real(file), &size);
    if (offset + count > size && !store_faults_take_disk(offset + count - size)) return SQLITE_FULL;
    int code = real(file)->pMethods->xWrite(real(file), bytes, count, offset);
    if (code == SQLITE_OK && disk(file)) disk_write(disk(file), bytes, count, offset);
    return code;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    if (fails()) return SQLITE_IOERR_TRUNCATE;
    int code = real(file)->pMethods->xTruncate(real(file), size);
    if (code == SQLITE_OK && disk(file)) disk_truncate(disk(file), size);
    return code;
}

static int file_sync(sqlite3_file *file, int flags) {
    if (fails()) return SQLITE_IOERR_FSYNC;
    int code = real(file)->pMethods->xSync(real(file), flags);
    if (code == SQLITE_OK && disk(file)) disk_sync(disk(file));
    return code;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    if (fails()) return SQLITE_IOERR_FSTAT;
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
    if (fails()) return SQLITE_IOERR_LOCK;
    return real(file)->pMethods->xLock(real(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
    return real(file)->pMethods->xUnlock(real(file), level);
}

static int file_check_reserved(sqlite3_file *file, int *result) {
    if (fails()) return SQLITE_IOERR_CHECKRESERVEDLOCK;
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int file_sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

// Reports none of the usual file system's guarantees about a disk: no atomic writes, no order.
static int file_device(sqlite3_file *file) { (void)file; return 0; }

static int file_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
    if (fails()) return SQLITE_IOERR_SHMMAP;
    return real(file)->pMethods->xShmMap(real(file), page, size, extend, memory);
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    if ((flags & SQLITE_SHM_LOCK) && fails()) return SQLITE_IOERR_SHMLOCK;
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int file_shm_unmap(sqlite3_file *file, int isDeleted) {
    return real(file)->pMethods->xShmUnmap(real(file), isDeleted);
}

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *outFlags) {
    (void)vfs;
    struct fault_file *own = (struct fault_file *)file;
    memset(own, 0, sizeof *own);
    if (fails()) return SQLITE_CANTOPEN;
    own->real = (sqlite3_file *)&own[1];
    int code = usual->xOpen(usual, name, own->real, flags, outFlags);
    if (own->real->pMethods) own->base.pMethods = &methods;
    if (code == SQLITE_OK && name && (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL))) own->disk = disk_find(name);
    return code;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int syncDirectory) {
    (void)vfs;
    if (fails()) return SQLITE_IOERR_DELETE;
    int code = usual->xDelete(usual, name, syncDirectory);
    if (code == SQLITE_OK) disk_delete(name);
    return code;
}

static int access_file(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
    (void)vfs;
    if (fails()) return SQLITE_IOERR_ACCESS;
    return usual->xAccess(usual, name, flags, result);
}

static int full_path(sqlite3_vfs *vfs, const char *name, int size, char *result) {
    (void)vfs;
    if (fails()) return SQLITE_CANTOPEN;
    return usual->xFullPathname(usual, name, size, result);
}

int store_files_install(void) {
    usual = sqlite3_vfs_find("unix");
    if (!usual) return SQLITE_ERROR;
    methods = (sqlite3_io_methods){
        .iVersion = 2, .xClose = file_close, .xRead = file_read, .xWrite = file_write, .xTruncate = file_truncate,
        .xSync = file_sync, .xFileSize = file_size, .xLock = file_lock, .xUnlock = file_unlock,
        .xCheckReservedLock = file_check_reserved, .xFileControl = file_control, .xSectorSize = file_sector_size,
        .xDeviceCharacteristics = file_device, .xShmMap = file_shm_map, .xShmLock = file_shm_lock,
        .xShmBarrier = file_shm_barrier, .xShmUnmap = file_shm_unmap,
    };
    // Randomness, time and loading are the usual ones. They get the usual file system as their first argument, which
    // they do not read.
    shim = *usual;
    shim.pNext = 0;
    shim.zName = "faults";
    shim.szOsFile = (int)sizeof(struct fault_file) + usual->szOsFile;
    shim.xOpen = open_file;
    shim.xDelete = delete_file;
    shim.xAccess = access_file;
    shim.xFullPathname = full_path;
    return sqlite3_vfs_register(&shim, 1);
}
