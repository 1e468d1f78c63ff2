internal import CSQLite
internal import Foundation
internal import Stores

/// The file around the entities: whose it is, which format it has, and which store it is.
enum StoreFile {
    /// The format that this version of the package writes, and the newest that it reads.
    static let format: Int64 = 2
    /// "JSBr", in the place of SQLite's header that tells programs' files apart.
    static let applicationID: Int64 = 0x4A53_4272

    /// Opens the connection that writes, makes the database a store if it is empty, and checks that it is
    /// one.
    ///
    /// A file that is refused is left as it was.
    static func open(
        _ path: String,
        configuration: SQLiteConfiguration
    ) throws -> (connection: SQLiteConnection, identifier: UUID) {
        let isFile = path != ":memory:"
        if isFile { try checkKind(of: path) }
        let connection = try SQLiteConnection(path: path, configuration: configuration)
        try checkOwner(of: connection)
        if sqlite3_db_readonly(connection.handle, "main") == 1 {
            throw StoreError(.cannotOpen, "\(path) may be read but not written")
        }
        if let pages = configuration.maximumPages {
            try connection.execute("PRAGMA max_page_count = \(pages)")
        }
        if isFile { try useLog(connection) }
        try connection.execute("PRAGMA temp_store = MEMORY")
        try connection.execute("BEGIN IMMEDIATE")
        if try isEmpty(connection) { try makeStore(connection) } else { try bringUpToDate(connection) }
        try connection.execute("COMMIT")
        try connection.execute(SQLiteConnection.listTable)
        return (connection, try identifier(of: connection))
    }

    /// The absolute form of a path, so that a later change of directory does not lead readers elsewhere, and
    /// so that no name has a special meaning to SQLite.
    static func absolute(_ path: String) throws -> String {
        guard !path.isEmpty else { throw StoreError(.cannotOpen, "the path of the store is empty") }
        guard !path.utf8.contains(0) else {
            throw StoreError(.cannotOpen, "the path of the store contains a NUL character")
        }
        return path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    private static func checkKind(of path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: throw StoreError(.cannotOpen, "\(path) is a directory")
        default: throw StoreError(.cannotOpen, "\(path) is not a regular file")
        }
    }

    private static func isEmpty(_ connection: SQLiteConnection) throws -> Bool {
        try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
    }

    private static func checkOwner(of connection: SQLiteConnection) throws {
        let owner = try connection.integer("PRAGMA application_id")
        if owner != applicationID {
            if try owner == 0 && isEmpty(connection) { return }
            throw StoreError(
                .cannotOpen,
                "\(connection.place) is an SQLite database of another program; give the path of a store or of a new file"
            )
        }
        let found = try connection.integer(#"SELECT format FROM "$store""#)
        guard found <= format else {
            throw StoreError(
                .cannotOpen,
                "\(connection.place) has store format \(found) of a newer version; this one reads up to \(format)"
            )
        }
    }

    private static func useLog(_ connection: SQLiteConnection) throws {
        let mode = try connection.withStatement("PRAGMA journal_mode = WAL") { statement in
            try statement.step() ? statement.text(0) : ""
        }
        guard mode == "wal" else {
            throw StoreError(
                .cannotOpen,
                "\(connection.place): this file system allows no write-ahead log (journal mode \(mode))"
            )
        }
        try connection.execute("PRAGMA synchronous = NORMAL")
    }

    private static func makeStore(_ connection: SQLiteConnection) throws {
        try connection.execute(
            #"""
            CREATE TABLE "$store" (format INTEGER NOT NULL, identifier TEXT NOT NULL, stamp INTEGER) STRICT;
            CREATE TABLE "$attributes" (
                entity TEXT NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL,
                "optional" INTEGER NOT NULL, "unique" INTEGER NOT NULL, PRIMARY KEY (entity, position)
            ) STRICT, WITHOUT ROWID;
            PRAGMA application_id = \#(applicationID)
            """#
        )
        try connection.run(
            #"INSERT INTO "$store" (format, identifier) VALUES (?, ?)"#,
            .integer(format),
            .string(UUID().uuidString)
        )
    }

    /// Brings an older format to the present one, inside the caller's transaction.
    ///
    /// Format 1 had no stamp; a version that knows only that one would change rows and leave a stamp in place.
    private static func bringUpToDate(_ connection: SQLiteConnection) throws {
        guard try connection.integer(#"SELECT format FROM "$store""#) < format else { return }
        try connection.execute(
            #"ALTER TABLE "$store" ADD COLUMN stamp INTEGER; UPDATE "$store" SET format = \#(format)"#
        )
    }

    private static func identifier(of connection: SQLiteConnection) throws -> UUID {
        let text = try connection.withStatement(#"SELECT identifier FROM "$store""#) { statement in
            try statement.step() ? statement.text(0) : ""
        }
        guard let identifier = UUID(uuidString: text) else {
            throw StoreError(.notADatabase, "\(connection.place) has no valid store identifier")
        }
        return identifier
    }
}
