internal import BridgeValues
internal import Stores

/// An open transaction, used by the thread that runs its body until the body returns.
final class SQLiteTransaction {
    let connection: SQLiteConnection
    let version: Int
    /// The recorder of changes; `nil` for a read transaction.
    let recorder: ChangeRecorder?
    /// The entities that this transaction sees, including those that it created.
    var schema: StoreSchema
    private let thread = ThreadID.current
    /// A Boolean value that indicates whether the store's file has a change log.
    private let isLogged: Bool
    private var isOpen = true
    /// The error after which SQLite ended the transaction.
    private var failure: (any Error)?
    /// The number of scans in progress.
    var scans = 0

    init(
        connection: SQLiteConnection,
        version: Int,
        schema: StoreSchema,
        recorder: ChangeRecorder?,
        isLogged: Bool
    ) {
        self.connection = connection
        self.isLogged = isLogged
        self.version = version
        self.schema = schema
        self.recorder = recorder
    }

    var isWriting: Bool { recorder != nil }

    /// Refuses all further use after the body has returned.
    func end() { isOpen = false }

    /// Returns the table of an entity, if the transaction is usable.
    func readable(_ entityName: String) throws -> EntityTable {
        try requireUsable()
        return try schema.table(entityName)
    }

    /// Returns the table of an entity and the recorder, if rows may be changed now.
    func writable(_ entityName: String) throws -> (table: EntityTable, recorder: ChangeRecorder) {
        let recorder = try requireWritable()
        return (try schema.table(entityName), recorder)
    }

    func requireUsable() throws {
        guard isOpen else { throw StoreError(.closed, "the transaction has ended") }
        precondition(thread == .current, "a store's transaction is used on another thread than its body's")
        if let failure { throw failure }
        // SQLite rolls back automatically if a change is interrupted; later changes would not belong to any
        // transaction.
        guard isWriting, connection.isInAutocommit else { return }
        let error = StoreError(.failed, "\(connection.place): the database ended the transaction")
        failure = error
        throw error
    }

    func requireWritable() throws -> ChangeRecorder {
        try requireUsable()
        guard let recorder else { throw StoreError(.invalidRequest, "a read cannot change the store") }
        guard scans == 0 else {
            throw StoreError(.invalidRequest, "the store cannot be changed in the middle of a scan")
        }
        return recorder
    }

    /// Runs a part whose changes and records are rolled back together if it throws.
    ///
    /// SQLite ends the whole transaction after some errors, such as a full disk or an I/O error. Then every further
    /// step and the commit fail with that first error.
    func undoable<Result>(_ recorder: ChangeRecorder, _ body: () throws -> Result) throws -> Result {
        let mark = recorder.mark
        let schema = schema
        do {
            let result = try body()
            try requireWhole(recorder)
            return result
        } catch {
            recorder.rollBack(to: min(mark, recorder.mark))
            self.schema = schema
            recorder.watch(schema)
            noteEnd(error)
            throw error
        }
    }

    func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
        let recorder = try requireWritable()
        return try undoable(recorder) {
            try connection.control("SAVEPOINT part")
            do {
                let result = try body()
                try requireUsable()
                try connection.control("RELEASE part")
                return result
            } catch {
                noteEnd(error)
                if failure == nil { try rollBackPart() }
                throw error
            }
        }
    }

    private func rollBackPart() throws {
        do {
            try connection.control("ROLLBACK TO part")
            try connection.control("RELEASE part")
        } catch {
            // The savepoint is still open, so the transaction must not be committed.
            failure = error
            throw error
        }
    }

    /// Fails the transaction if the values of a change could not be read, because the change could not be reported.
    private func requireWhole(_ recorder: ChangeRecorder) throws {
        guard recorder.hasMissed else { return }
        let error = StoreError(.failed, "\(connection.place): out of memory while a change was recorded")
        failure = failure ?? error
        throw error
    }

    private func noteEnd(_ error: any Error) {
        guard failure == nil, connection.isInAutocommit else { return }
        failure = error
    }
}

// MARK: - Reading

extension SQLiteTransaction: ReadTransaction {
    func fetch(_ request: FetchRequest) throws -> [Row] {
        let table = try readable(request.entityName)
        let query = try RequestCompiler(table: table, request: request, schema: schema).rows(
            columns: table.columns
        )
        return try connection.query(query) { statement in
            var rows: [Row] = []
            while try statement.step() {
                rows.append(table.row(id: statement.integer(0), in: statement, from: 1))
            }
            return rows
        }
    }

    func contentStamp() throws -> Int64? {
        try requireUsable()
        // The own changes of this transaction have no stamp yet.
        guard recorder?.mark ?? 0 == 0 else { return nil }
        let stamp = try connection.integer(Self.selectStamp)
        guard stamp != 0, try !isLogged || SQLiteStore.isStampOfPresent(connection) else { return nil }
        return stamp
    }

    /// The query for the stamp, which is 0 if there is none, because null reads as 0.
    static let selectStamp = #"SELECT stamp FROM "$store""#

    func count(_ request: FetchRequest) throws -> Int {
        let table = try readable(request.entityName)
        let query = try RequestCompiler(table: table, request: request, schema: schema).count()
        return try connection.query(query) { statement in
            try statement.step() ? Int(statement.integer(0)) : 0
        }
    }

    func rows(of entityName: String, ids: [RowID]) throws -> [Row?] {
        let table = try readable(entityName)
        return try connection.withStatement(table.selectSQL) { statement in
            try ids.map { id in
                statement.reset()
                try statement.bind(.integer(id), at: 1)
                return try statement.step() ? table.row(id: id, in: statement, from: 0) : nil
            }
        }
    }

    func scan(
        _ request: FetchRequest,
        attributes: [String],
        _ body: (RowID, [AttributeValue]) throws -> Void
    ) throws {
        let table = try readable(request.entityName)
        let compiler = RequestCompiler(table: table, request: request, schema: schema)
        let columns = try attributes.map { try compiler.column($0) }
        let types = columns.map(\.type)
        let query = try compiler.rows(columns: columns.map(\.sql))
        scans += 1
        defer { scans -= 1 }
        try connection.query(query) { statement in
            // One array for all rows, copied only if the body stores it.
            var values = [AttributeValue](repeating: .null, count: types.count)
            while try statement.step() {
                for index in types.indices { values[index] = statement.value(index + 1, types[index]) }
                try body(statement.integer(0), values)
            }
        }
    }
}
