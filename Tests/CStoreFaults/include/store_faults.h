// Faults under SQLite: failed allocations, files that cannot be read or written, full disks, power loss. For a process
// of its own, because the faults count and fail calls of every connection in the process.

#ifndef STORE_FAULTS_H
#define STORE_FAULTS_H

/// A kind of call that is counted and can fail.
enum store_fault_kind {
    STORE_FAULT_MEMORY = 1,
    STORE_FAULT_FILE = 2,
};

/// Installs the faults under SQLite, before its first use in the process; returns an SQLite result code.
int store_faults_install(void);

/// Makes the call number `at` (counted from 1) of a kind fail, and all later ones if `persistent`.
void store_faults_arm(int kind, long at, int persistent);

/// Ends the faults and returns the number of calls of the armed kind.
long store_faults_disarm(void);

/// Returns the number of calls that have failed since faults were armed.
long store_faults_failed(void);

/// Limits the bytes by which all files together may grow; a negative number removes the limit.
void store_faults_limit_disk(long bytes);

/// Starts recording the writes of files in a folder, so that a power loss can be simulated.
void store_faults_record(const char *folder);

/// Writes a possible state of the disk after a power loss to another folder. It has everything that was synced, and any
/// sectors of the other writes in any order, by the seed. Returns the number of files that were written, or -1.
int store_faults_cut(const char *folder, unsigned long long seed);

#endif
