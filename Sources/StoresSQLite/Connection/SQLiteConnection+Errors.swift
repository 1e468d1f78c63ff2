internal import CSQLite
internal import Foundation
internal import Stores

extension SQLiteConnection {
    /// Throws the error of an SQLite result code, unless it is `SQLITE_OK`.
    func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw error(code) }
    }

    /// Converts an SQLite result code to a store error that names the database.
    ///
    /// If a limit of the thread has interrupted the statement, returns that limit's error instead.
    func error(_ code: Int32) -> any Error { takeEnd(code) ?? storeError(code) }

    /// Returns the error of opening a file; SQLite itself does not say that the folder is missing.
    func openingError(_ code: Int32, _ path: String) -> any Error {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        guard code & 0xFF == SQLITE_CANTOPEN, !folder.isEmpty, !FileManager.default.fileExists(atPath: folder)
        else { return error(code) }
        return StoreError(.cannotOpen, "\(place) cannot be opened: the folder \(folder) does not exist")
    }

    private func storeError(_ code: Int32) -> StoreError {
        let detail = String(cString: sqlite3_errmsg(handle))
        switch code & 0xFF {
        case SQLITE_FULL:
            return StoreError(.full, "\(place): the disk or the store's own size limit is full")
        case SQLITE_BUSY, SQLITE_LOCKED:
            return StoreError(.busy, "\(place): another process held the store for too long (\(detail))")
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH, SQLITE_READONLY:
            return StoreError(.cannotOpen, "\(place) cannot be opened for reading and writing: \(detail)")
        case SQLITE_IOERR:
            return StoreError(
                .cannotOpen,
                "\(place) cannot be read or written: \(detail) (SQLite error \(code))"
            )
        case SQLITE_NOTADB:
            return StoreError(.notADatabase, "\(place) is not a database")
        case SQLITE_CORRUPT:
            return StoreError(.notADatabase, "\(place) is damaged: \(detail)")
        case SQLITE_TOOBIG:
            return StoreError(
                .invalidValue,
                "\(place): a value is too large (\(detail))",
                forScripts: "a value is too large"
            )
        case SQLITE_CONSTRAINT:
            let isUnique = code == CSQLite_CONSTRAINT_UNIQUE || code == CSQLite_CONSTRAINT_PRIMARYKEY
            return StoreError(
                isUnique ? .notUnique : .invalidValue,
                "\(place): \(detail)",
                forScripts: isUnique
                    ? "another row has that unique value already"
                    : "a value violates a constraint of the store"
            )
        default:
            return StoreError(.failed, "\(place): \(detail) (SQLite error \(code))")
        }
    }
}
