internal import Foundation

/// The treatment of existing rows by an import.
public enum CSVImportMode: Sendable, Hashable {
    /// Inserts a row for every record.
    case insert
    /// Updates the rows that have the same value of a unique attribute, and inserts the others.
    case upsert(by: String)
    /// Makes the entity equal to the file: an upsert, followed by the deletion of rows whose key is not in the file.
    case replace(by: String)

    var key: String? {
        switch self {
        case .insert: nil
        case .upsert(let key), .replace(let key): key
        }
    }
}

/// The progress of an import.
public struct CSVProgress: Sendable, Hashable {
    /// The number of bytes read so far.
    public let bytesRead: Int
    /// The total number of bytes, if it is known.
    public let totalBytes: Int?
    /// The number of records stored so far.
    public let rows: Int
}

/// The result of an import.
public struct CSVImportSummary: Sendable, Hashable {
    /// The number of inserted rows.
    public internal(set) var inserted = 0
    /// The number of existing rows that had other values and were updated.
    public internal(set) var updated = 0
    /// The number of existing rows that had the same values and were not written.
    public internal(set) var unchanged = 0
    /// The number of rows that were deleted because the file does not contain them.
    public internal(set) var deleted = 0

    /// The number of records in the file.
    public var records: Int { inserted + updated + unchanged }
}

extension Store {
    /// Imports a CSV file in one transaction: either completely or not at all.
    ///
    /// The first line names the attributes, in any order. Attributes that it does not name get no value in new rows and
    /// keep their value in updated rows. An empty field is null, except for string attributes, where it is an empty
    /// string. The limits of the thread (``withTimeLimit(_:_:)``) apply, even if the file is a pipe without a writer.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - entityName: The name of the entity whose rows the file contains.
    ///   - mode: The treatment of existing rows.
    ///   - delimiter: The separator of fields: one ASCII character, such as `;` or a tab.
    ///   - progress: A closure that is called on this thread inside the transaction, about once every 128 KiB and at
    ///     the end.
    /// - Returns: The number of inserted, updated, unchanged and deleted rows.
    /// - Throws: ``StoreError`` with code `importFailed` and the message `FILE:LINE: ...` for an invalid line;
    ///   `limitExceeded` for a record that is longer than ``CSVReader/maximumRecordBytes`` or has more than
    ///   ``CSVReader/maximumFields``; other errors as a write throws them. After an error the store is unchanged.
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

    /// Imports a CSV file into an entity; the same transaction creates the entity if it does not exist.
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
    /// Imports CSV records into an entity of this transaction's store.
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

/// The state of an import in progress.
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
