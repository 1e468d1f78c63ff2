public import Foundation
internal import Stores

extension SQLiteStore {
    /// Takes the stamp away, inside the transaction that changes rows.
    ///
    /// It is asked for each time, since another process may have set it; only the first change after that
    /// writes.
    static func removeStamp(in connection: SQLiteConnection) throws {
        guard try connection.integer(SQLiteTransaction.selectStamp) != 0 else { return }
        try connection.run(#"UPDATE "$store" SET stamp = NULL"#)
    }

    /// Whether the stamp is that of the last change in the log, so that programs that know no stamps have
    /// changed nothing since.
    static func isStampOfPresent(_ connection: SQLiteConnection) throws -> Bool {
        try connection.integer(
            #"SELECT (SELECT max(sequence) FROM "$changes") IS (SELECT stamped FROM "$history")"#
        ) != 0
    }

    /// The folder beside the store's file that has its name and ends with `-caches`; none for memory.
    public var cacheFolder: URL? {
        guard location != .memory else { return nil }
        return URL(fileURLWithPath: path + "-caches", isDirectory: true)
    }

    /// Gives the present content a stamp, or keeps the one that it has.
    ///
    /// - Returns: The stamp; `nil` inside a transaction, and for a store in memory, whose content nothing
    ///   outlives.
    public func stampContent() throws -> Int64? {
        guard transactions.current == nil, location != .memory else { return nil }
        return try alone {
            guard let writer else { throw StoreError(.closed, "the store is closed") }
            try writer.beginImmediate()
            do {
                if isLogged, try !Self.isStampOfPresent(writer) {
                    try writer.run(#"UPDATE "$store" SET stamp = NULL"#)
                    try writer.run(#"UPDATE "$history" SET stamped = (SELECT max(sequence) FROM "$changes")"#)
                    try ChangeLog.noteOther(in: writer)
                }
                try writer.run(
                    #"UPDATE "$store" SET stamp = ? WHERE stamp IS NULL"#,
                    .integer(Int64.random(in: 1...Int64.max))
                )
                let stamp = try writer.integer(#"SELECT stamp FROM "$store""#)
                try writer.control("COMMIT")
                return stamp
            } catch {
                if !writer.isInAutocommit { try? writer.rollBack() }
                throw error
            }
        }
    }
}
