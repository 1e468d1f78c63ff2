#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

// The header hides the declarations of these two unless the macros are defined; Debian's library has both.
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#define SQLITE_ENABLE_SESSION 1
#include <sqlite3.h>

// The definitions are sums, which Swift does not import.
static const int CSQLite_CONSTRAINT_PRIMARYKEY = SQLITE_CONSTRAINT_PRIMARYKEY;
static const int CSQLite_CONSTRAINT_UNIQUE = SQLITE_CONSTRAINT_UNIQUE;

/// Switches an option of a connection on or off. sqlite3_db_config itself is variadic, which Swift does not import.
static inline int CSQLite_db_config(sqlite3 *database, int option, int isOn) {
    return sqlite3_db_config(database, option, isOn, (int *)0);
}

/// Returns whether a statement must be prepared again. The header marks the function as deprecated, because it does not
/// notice that another connection has changed the schema. The caller here does not need that.
static inline int CSQLite_expired(sqlite3_stmt *statement) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    return sqlite3_expired(statement);
#pragma GCC diagnostic pop
}

/// Binds a copy of UTF-8 bytes as text. SQLITE_TRANSIENT is a cast that Swift does not import, and
/// a null pointer would bind NULL instead of empty text.
static inline int CSQLite_bind_text(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(
        statement, index, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds a copy of bytes as a blob; needed for the same two reasons.
static inline int CSQLite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : (const void *)"", count, SQLITE_TRANSIENT);
}

#endif
