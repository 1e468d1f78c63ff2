#include "internal.h"
#include <stdatomic.h>

static atomic_int armed_kind;
static atomic_long armed_at;
static atomic_int is_persistent;
static atomic_long calls;
static atomic_long failed;
static atomic_llong disk_left = -1;

int store_fault_now(int kind) {
    if (atomic_load(&armed_kind) != kind) return 0;
    long call = atomic_fetch_add(&calls, 1) + 1;
    long at = atomic_load(&armed_at);
    int fails = call == at || (call > at && atomic_load(&is_persistent));
    if (fails) atomic_fetch_add(&failed, 1);
    return fails;
}

int store_faults_take_disk(sqlite3_int64 bytes) {
    long long left = atomic_load(&disk_left);
    if (left < 0) return 1;
    if (left < bytes) return 0;
    atomic_store(&disk_left, left - bytes);
    return 1;
}

void store_faults_arm(int kind, long at, int persistent) {
    atomic_store(&calls, 0);
    atomic_store(&failed, 0);
    atomic_store(&armed_at, at);
    atomic_store(&is_persistent, persistent);
    atomic_store(&armed_kind, kind);
}

long store_faults_disarm(void) {
    atomic_store(&armed_kind, 0);
    return atomic_load(&calls);
}

long store_faults_failed(void) { return atomic_load(&failed); }

void store_faults_limit_disk(long bytes) { atomic_store(&disk_left, bytes); }

int store_faults_install(void) {
    int code = store_memory_install();
    return code == SQLITE_OK ? store_files_install() : code;
}
