internal import BridgeValues
internal import CSQLite
internal import Foundation
internal import Stores

/// The parts of a file outside of the entities: its owner, its format and its store identifier.
enum StoreFile {
    /// The format that this version of the package writes, and the newest that it reads.
    static let format: Int64 = 2
    /// The application ID in SQLite's header: "JSBr".
    static let applicationID: Int64 = 0x4A53_4272

    /// Opens the writing connection, initializes an empty database as a store, and checks that the database is a store.
    ///
    /// A refused file is unchanged, and so is one that the configuration only reads.
    static func open(
        _ path: String,
        configuration: SQLiteConfiguration
    ) throws -> (connection: SQLiteConnection, identifier: UUID) {
        let isFile = path != ":memory:"
        if isFile { try checkKind(of: path) }
        let connection = try SQLiteConnection(path: path, configuration: configuration)
        if configuration.access != .write, try isEmpty(connection) {
            throw StoreError(
                .cannotOpen,
                "\(path) is not a store yet, and cannot become one: it may not be written"
            )
        }
        try checkOwner(of: connection)
        if configuration.access == .write { try prepareToWrite(connection, path, configuration) }
        try connection.execute(SQLiteConnection.listTable)
        if isFile { connection.files = OpenFiles(path) }
        return (connection, try identifier(of: connection))
    }

    /// Prepares a database for writing: makes it a store, or brings its format up to date.
    private static func prepareToWrite(
        _ connection: SQLiteConnection,
        _ path: String,
        _ configuration: SQLiteConfiguration
    ) throws {
        if sqlite3_db_readonly(connection.handle, "main") == 1 {
            throw StoreError(.cannotOpen, "\(path) may be read but not written")
        }
        if let pages = configuration.maximumPages {
            try connection.execute("PRAGMA max_page_count = \(pages)")
        }
        if path != ":memory:" { try useLog(connection, isDurable: configuration.isDurable) }
        // A store that needs no change is opened without the lock of writers, which another process may hold for long.
        if try isEmpty(connection) || needsUpdate(connection) {
            try connection.control("BEGIN IMMEDIATE")
            if try isEmpty(connection) { try makeStore(connection) } else { try bringUpToDate(connection) }
            try connection.control("COMMIT")
        }
    }

    /// Runs the work of opening a file, which is small for any number of rows.
    ///
    /// Views and triggers in place of the store's own tables could run forever, and no turn with limits is open yet.
    /// The limit counts steps instead of time, so that opening also succeeds on a slow disk.
    static func opening<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        let limit = 100_000
        var count = 0
        return try WorkLimit.withLimit(
            {
                count += 1
                guard count > limit else { return }
                throw StoreError(
                    .notADatabase,
                    "\(path) is damaged: opening it takes more than \(limit) thousand steps of SQLite"
                )
            },
            body
        )
    }

    /// Returns the absolute form of a path.
    ///
    /// A later change of the current directory then does not affect readers, and SQLite cannot interpret the name
    /// specially.
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
            // A database without tables but with non-default settings also belongs to another program.
            if try owner == 0 && isEmpty(connection) && isSetUpAsNew(connection) { return }
            throw StoreError(
                .cannotOpen,
                "\(connection.place) is an SQLite database of another program; give the path of a store or of a new file"
            )
        }
        guard try encoding(of: connection) == storedEncoding else {
            throw StoreError(
                .cannotOpen,
                "\(connection.place) has encoding \(try encoding(of: connection)); a store requires \(storedEncoding)"
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

    /// The text encoding of a store, because values are read as SQLite stores them.
    private static let storedEncoding = "UTF-8"

    private static func encoding(of connection: SQLiteConnection) throws -> String {
        try connection.withStatement("PRAGMA encoding") { try $0.step() ? $0.text(0) : "" }
    }

    private static func isSetUpAsNew(_ connection: SQLiteConnection) throws -> Bool {
        try encoding(of: connection) == storedEncoding && connection.integer("PRAGMA user_version") == 0
    }

    private static func useLog(_ connection: SQLiteConnection, isDurable: Bool) throws {
        if !isDurable { try connection.execute("PRAGMA synchronous = OFF") }
        let mode = try connection.withStatement("PRAGMA journal_mode = WAL") { statement in
            try statement.step() ? statement.text(0) : ""
        }
        guard mode == "wal" else {
            throw StoreError(
                .cannotOpen,
                "\(connection.place): the file system does not support a write-ahead log (journal mode \(mode))"
            )
        }
        if isDurable { try connection.execute("PRAGMA synchronous = NORMAL") }
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

    /// Upgrades an older format to the current one, inside the caller's transaction.
    ///
    /// Format 1 has no stamp; a version that knows only that format would change rows without removing the stamp.
    private static func bringUpToDate(_ connection: SQLiteConnection) throws {
        guard try needsUpdate(connection) else { return }
        try connection.execute(
            #"ALTER TABLE "$store" ADD COLUMN stamp INTEGER; UPDATE "$store" SET format = \#(format)"#
        )
    }

    private static func needsUpdate(_ connection: SQLiteConnection) throws -> Bool {
        try connection.integer(#"SELECT format FROM "$store""#) < format
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
