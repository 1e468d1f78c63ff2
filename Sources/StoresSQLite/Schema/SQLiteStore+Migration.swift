internal import Foundation
public import Stores

extension SQLiteStore: ModelStore {
    /// Returns the model that the store was last migrated to; `nil` if it has none.
    ///
    /// - Throws: ``StoreError`` `newerModel` if a newer version of this package has stored it in a newer format.
    public func storedModel() throws -> StoredModel? {
        try alone {
            guard let writer else { throw StoreError(.closed, "the store is closed") }
            return try ModelTable.read(from: writer, StoreSchema(from: writer))
        }
    }

    /// Migrates the store in one transaction and saves the new model: either completely or not at all.
    ///
    /// Does nothing if another process, or another store object on the file, has migrated to the same model since the
    /// steps were inferred.
    public func migrate(to model: StoredModel, by steps: [MigrationStep]) throws {
        guard transactions.current == nil else {
            throw StoreError(.invalidRequest, "a store cannot be migrated inside a transaction")
        }
        let changes: TransactionChanges? = try alone {
            guard let writer else { throw StoreError(.closed, "the store is closed") }
            try writer.beginImmediate()
            do {
                if try takeModel(model, from: writer) {
                    try writer.control("COMMIT")
                    return committed.withLock { migrated(&$0) }
                }
                // Changes of rows by the steps are not recorded.
                recorder.stopWatching()
                let log = try isLogged ? CommitLog(writer) : nil
                var migration = SchemaMigration(
                    connection: writer,
                    schema: try StoreSchema(from: writer),
                    beforeStep: configuration.beforeMigrationStep
                )
                try migration.run(steps)
                try migration.keep(model)
                try Self.removeStamp(in: writer)
                try log?.closeMigration(migration.schema)
                try writer.files?.requireUnmoved()
                return try committed.withLock { committed in
                    try writer.control("COMMIT")
                    committed.schema = migration.schema
                    return migrated(&committed)
                }
            } catch {
                if !writer.isInAutocommit { try? writer.rollBack() }
                throw error
            }
        }
        // Observers that show rows with the old attributes must read them again.
        if let changes { delivery.deliver(changes) }
    }

    /// Returns the version that a migration creates; `nil` with a history, where the version is read from the log.
    private func migrated(_ committed: inout Committed) -> TransactionChanges? {
        guard history == nil else { return nil }
        committed.version += 1
        return TransactionChanges(version: committed.version, changes: [:], missedHistory: .schemaChanged)
    }
}

extension SQLiteStore {
    /// Adopts the schema if the file already has the model; returns whether it has.
    private func takeModel(_ model: StoredModel, from connection: SQLiteConnection) throws -> Bool {
        let schema = try StoreSchema(from: connection)
        guard try ModelTable.read(from: connection, schema) == model else { return false }
        try committed.withLock { committed in
            committed.schema = schema
            guard committed.position != nil else { return }
            committed.schemaVersion = try ChangeLog.schemaVersion(of: connection)
        }
        return true
    }
}

/// The table that contains the model of a store.
enum ModelTable {
    /// The format that this version of the package writes, and the newest that it reads.
    static let format: Int64 = 1

    static func read(from connection: SQLiteConnection, _ schema: StoreSchema) throws -> StoredModel? {
        let isThere = #"SELECT count(*) FROM sqlite_schema WHERE name = '$model'"#
        guard try connection.integer(isThere) > 0 else { return nil }
        return try connection.withStatement(#"SELECT format, version, entities FROM "$model""#) { statement in
            guard try statement.step() else { return nil }
            guard statement.integer(0) <= format else {
                throw StoreError(
                    .newerModel,
                    "\(connection.place) has a model in format \(statement.integer(0)) of a newer version; "
                        + "this one reads up to \(format)"
                )
            }
            let text = Data(statement.text(2).utf8)
            guard let names = try? JSONDecoder().decode([String].self, from: text) else {
                throw StoreError(.notADatabase, "\(connection.place) has a model that cannot be read")
            }
            var entities: [String: EntityDescription] = [:]
            for name in names { entities[name] = try schema.table(name).entity }
            return StoredModel(version: Int(statement.integer(1)), entities: entities)
        }
    }

    static func write(_ model: StoredModel, to connection: SQLiteConnection) throws {
        try connection.execute(
            #"""
            CREATE TABLE IF NOT EXISTS "$model" (
                format INTEGER NOT NULL, version INTEGER NOT NULL, entities TEXT NOT NULL
            ) STRICT;
            DELETE FROM "$model"
            """#
        )
        let names = try JSONEncoder().encode(model.entities.keys.sorted())
        try connection.run(
            #"INSERT INTO "$model" VALUES (?, ?, ?)"#,
            .integer(format),
            .integer(Int64(model.version)),
            .string(String(decoding: names, as: UTF8.self))
        )
    }
}
