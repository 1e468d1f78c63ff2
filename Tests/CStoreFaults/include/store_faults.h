// Faults under SQLite: memory that is not given, files that cannot be read or written, disks that are full, power that
// goes. For a process of its own: they count and fail for every connection of the process.

#ifndef STORE_FAULTS_H
#define STORE_FAULTS_H

/// What is counted and made to fail.
enum store_fault_kind {
    STORE_FAULT_MEMORY = 1,
    STORE_FAULT_FILE = 2,
};

/// Puts the faults under SQLite, before its first use in the process; returns an SQLite result code.
int store_faults_install(void);

/// From now on the call number `at` (counted from 1) of a kind fails, and all after it if `persistent`.
void store_faults_arm(int kind, long at, int persistent);

/// No more faults; returns how many calls of the armed kind there were.
long store_faults_disarm(void);

/// How many calls have failed since faults were armed.
long store_faults_failed(void);

/// From now on files grow by so many bytes together and no more; a negative number: by any.
void store_faults_limit_disk(long bytes);

/// From now on the writes of files in a folder are noted, so that the power can go.
void store_faults_record(const char *folder);

/// Writes what a disk might have if the power went now into another folder: everything that was synced, and of the
/// rest any sectors in any order, by the seed. Returns how many files were written, or -1.
int store_faults_cut(const char *folder, unsigned long long seed);

#endif
