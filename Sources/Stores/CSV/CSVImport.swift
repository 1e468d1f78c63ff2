internal import Foundation

/// What an import does with rows that are there.
public enum CSVImportMode: Sendable, Hashable {
    /// Adds a row for every record.
    case insert
    /// Updates the rows that have the same value of a unique attribute, and adds the others.
    case upsert(by: String)
    /// Makes the entity equal to the file: an upsert, and rows whose key is not in the file are deleted.
    case replace(by: String)

    var key: String? {
        switch self {
        case .insert: nil
        case .upsert(let key), .replace(let key): key
        }
    }
}

/// How far an import is.
public struct CSVProgress: Sendable, Hashable {
    /// How many bytes have been read.
    public let bytesRead: Int
    /// How many bytes there are, if it is known.
    public let totalBytes: Int?
    /// How many records have been put into the store.
    public let rows: Int
}

/// What an import did.
public struct CSVImportSummary: Sendable, Hashable {
    /// How many rows were added.
    public internal(set) var inserted = 0
    /// How many rows were there with other values.
    public internal(set) var updated = 0
    /// How many rows were there with the same values, and were not written.
    public internal(set) var unchanged = 0
    /// How many rows were deleted, since the file does not have them.
    public internal(set) var deleted = 0

    /// How many records the file has.
    public var records: Int { inserted + updated + unchanged }
}

extension Store {
    /// Imports a file of comma-separated text in one transaction: all of it or nothing.
    ///
    /// The first line names the attributes, in any order. Attributes that it does not name have no value in
    /// new rows and keep theirs in updated ones. Empty text is no value, but for text attributes, where it is
    /// empty text. It ends at the limits of the thread (``withTimeLimit(_:_:)``), also where the file is a pipe that
    /// nobody writes to.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - entityName: The entity whose rows it has.
    ///   - mode: What happens to rows that are there.
    ///   - delimiter: What stands between fields: one ASCII character, such as `;` or a tab.
    ///   - progress: Called on this thread inside the transaction, about once every 128 KiB and at the end.
    /// - Returns: How many rows were added, updated, left and deleted.
    /// - Throws: ``StoreError`` with code `importFailed` and the message `FILE:LINE: ...` for a line that is
    ///   wrong, `limitExceeded` for a record that is longer than ``CSVReader/maximumRecordBytes`` or has more than
    ///   ``CSVReader/maximumFields``; other errors as a write throws them. Nothing was done then.
    @discardableResult
    public func importCSV(
        from path: String,
        into entityName: String,
        mode: CSVImportMode = .insert,
        delimiter: Character = ",",
        progress: ((CSVProgress) -> Void)? = nil
    ) throws -> CSVImportSummary {
        let reader = try CSVReader(path: path, delimiter: delimiter)
        return try importCSV(reader, into: entityName, mode: mode, progress: progress)
    }

    /// Imports a file into an entity that is made, in the same transaction, if it is not there.
    @discardableResult
    public func importCSV(
        from path: String,
        into entity: EntityDescription,
        mode: CSVImportMode = .insert,
        delimiter: Character = ",",
        progress: ((CSVProgress) -> Void)? = nil
    ) throws -> CSVImportSummary {
        try write { _ in
            try createEntity(entity)
            return try importCSV(
                from: path,
                into: entity.name,
                mode: mode,
                delimiter: delimiter,
                progress: progress
            )
        }
    }

    package func importCSV(
        _ reader: CSVReader,
        into entityName: String,
        mode: CSVImportMode,
        progress: ((CSVProgress) -> Void)? = nil
    ) throws -> CSVImportSummary {
        try write { transaction in
            guard let entity = entities[entityName] else {
                let suggestion = MessageText.suggestion(for: entityName, among: entities.keys)
                throw StoreError(
                    .schema,
                    "the store has no entity \(MessageText.quoted(entityName))\(suggestion)"
                )
            }
            return try transaction.importCSV(reader, into: entity, mode: mode, progress: progress)
        }
    }
}

extension WriteTransaction {
    /// Imports comma-separated text into an entity of this transaction's store.
    package func importCSV(
        _ reader: CSVReader,
        into entity: EntityDescription,
        mode: CSVImportMode,
        progress: ((CSVProgress) -> Void)? = nil
    ) throws -> CSVImportSummary {
        let columns = try CSVColumns(header: reader, entity: entity, key: mode.key)
        var run = CSVImportRun(
            reader: reader,
            columns: columns,
            loader: try makeLoader(for: entity.name, attributes: columns.names, key: mode.key)
        )
        try run.putAll(progress)
        if case .replace = mode { try run.deleteOthers(entity.name, in: self) }
        return run.summary
    }
}

/// One import on its way.
private struct CSVImportRun {
    let reader: CSVReader
    let columns: CSVColumns
    let loader: any RowLoader
    var summary = CSVImportSummary()
    private var seen: Set<RowID> = []
    private var values: [AttributeValue]

    init(reader: CSVReader, columns: CSVColumns, loader: any RowLoader) {
        self.reader = reader
        self.columns = columns
        self.loader = loader
        values = Array(repeating: .null, count: columns.indices.count)
    }

    mutating func putAll(_ progress: ((CSVProgress) -> Void)?) throws {
        var reported = 0
        while try columns.nextRecord(of: reader) {
            try columns.read(reader, into: &values)
            let (id, outcome) = try columns.naming(reader) { try loader.put(values) }
            switch outcome {
            case .inserted: summary.inserted += 1
            case .updated: summary.updated += 1
            case .unchanged: summary.unchanged += 1
            }
            if let key = columns.keyPosition, !seen.insert(id).inserted {
                let problem = "occurs a second time"
                throw columns.failure(
                    reader,
                    key,
                    "\(values[key].kindAndText) \(problem)",
                    forScripts: "the key \(problem)"
                )
            }
            if let progress, reader.bytesRead > reported {
                reported = reader.bytesRead
                progress(state)
            }
        }
        progress?(state)
    }

    private var state: CSVProgress {
        CSVProgress(bytesRead: reader.bytesRead, totalBytes: reader.totalBytes, rows: summary.records)
    }

    mutating func deleteOthers(_ entityName: String, in transaction: any WriteTransaction) throws {
        var others: [RowID] = []
        try transaction.scan(FetchRequest(entityName: entityName), attributes: []) { id, _ in
            if !seen.contains(id) { others.append(id) }
        }
        for id in others where try transaction.delete(from: entityName, id: id) { summary.deleted += 1 }
    }
}
