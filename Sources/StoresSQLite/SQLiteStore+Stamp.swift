public import Foundation
internal import Stores

extension SQLiteStore {
    /// Removes the stamp, inside the transaction that changes rows.
    ///
    /// The stamp is read each time, because another process may have set it. Only the first change after that writes.
    static func removeStamp(in connection: SQLiteConnection) throws {
        guard try connection.integer(SQLiteTransaction.selectStamp) != 0 else { return }
        try connection.run(#"UPDATE "$store" SET stamp = NULL"#)
    }

    /// Returns whether the stamp belongs to the last change in the log.
    ///
    /// If so, programs that do not know stamps have changed nothing since.
    static func isStampOfPresent(_ connection: SQLiteConnection) throws -> Bool {
        try connection.integer(
            #"SELECT (SELECT max(sequence) FROM "$changes") IS (SELECT stamped FROM "$history")"#
        ) != 0
    }

    /// The folder beside the store's file with the same name plus `-caches`; `nil` for a store in memory.
    public var cacheFolder: URL? {
        guard location != .memory else { return nil }
        return URL(fileURLWithPath: path + "-caches", isDirectory: true)
    }

    /// Returns the stamp of the current content, and assigns one if it has none.
    ///
    /// - Returns: The stamp; `nil` inside a transaction, for a store in memory, whose content is not saved, and for one
    ///   that is only read.
    public func stampContent() throws -> Int64? {
        guard transactions.current == nil, location != .memory, configuration.access == .write else {
            return nil
        }
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
