internal import BridgeValues
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
        try connection.control("BEGIN IMMEDIATE")
        if try isEmpty(connection) { try makeStore(connection) } else { try bringUpToDate(connection) }
        try connection.control("COMMIT")
        try connection.execute(SQLiteConnection.listTable)
        if isFile { connection.files = OpenFiles(path) }
        return (connection, try identifier(of: connection))
    }

    /// Runs what it takes to open a file, which is little, however many rows the file has.
    ///
    /// Views and triggers that somebody has put in the place of the store's own tables may last for ever, and no turn
    /// with limits is open yet. Steps are counted instead of time, so that a slow disk opens as well as a fast one.
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
            // A database without tables that somebody has set up otherwise than new ones are is theirs too.
            if try owner == 0 && isEmpty(connection) && isSetUpAsNew(connection) { return }
            throw StoreError(
                .cannotOpen,
                "\(connection.place) is an SQLite database of another program; give the path of a store or of a new file"
            )
        }
        guard try encoding(of: connection) == storedEncoding else {
            throw StoreError(
                .cannotOpen,
                "\(connection.place) keeps text as \(try encoding(of: connection)); a store keeps it as \(storedEncoding)"
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

    /// How a store keeps text: values are read as SQLite has them.
    private static let storedEncoding = "UTF-8"

    private static func encoding(of connection: SQLiteConnection) throws -> String {
        try connection.withStatement("PRAGMA encoding") { try $0.step() ? $0.text(0) : "" }
    }

    private static func isSetUpAsNew(_ connection: SQLiteConnection) throws -> Bool {
        try encoding(of: connection) == storedEncoding && connection.integer("PRAGMA user_version") == 0
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
