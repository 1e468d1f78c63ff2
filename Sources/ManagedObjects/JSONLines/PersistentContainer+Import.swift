internal import Stores

/// The options of a JSON Lines import.
public struct JSONLinesImportOptions: Sendable, Hashable {
    /// The identities of imported objects.
    public enum Identities: Sendable, Hashable {
        /// The identities in the file; one that already exists is an error.
        case kept
        /// New identities; references in the file are adjusted.
        case new
    }

    /// The treatment of an object with a required reference to an object that did not exist at the time of the export.
    public enum MissingReferences: Sendable, Hashable {
        /// Refuses the file with an error that names both objects.
        case refused
        /// Imports the object with a null reference, which must be set later; the summary counts it.
        case cleared
    }

    /// The identities of imported objects.
    public var identities: Identities
    /// The treatment of objects with a required reference to an object that did not exist at the time of the export.
    public var missingReferences: MissingReferences
    /// The number of objects to commit in one transaction; `nil` imports everything in one transaction.
    ///
    /// References between objects are written at the end, in a separate transaction.
    public var batchSize: Int?

    /// Creates options.
    public init(
        identities: Identities = .kept,
        missingReferences: MissingReferences = .refused,
        batchSize: Int? = nil
    ) {
        self.identities = identities
        self.missingReferences = missingReferences
        self.batchSize = batchSize
    }
}

/// The result of a JSON Lines import.
public struct JSONLinesImportSummary: Sendable, Hashable {
    /// The number of inserted objects.
    public internal(set) var inserted = 0
    /// The number of joined pairs of objects.
    public internal(set) var joined = 0
    /// The number of required references that are null (``JSONLinesImportOptions/MissingReferences/cleared``).
    public internal(set) var cleared = 0
    /// The number of committed transactions.
    public internal(set) var transactions = 0
}

extension PersistentContainer {
    /// Imports objects from a JSON Lines file in the format of ``exportJSONLines(to:)``.
    ///
    /// Attributes that a line does not name get their default values. Every value is validated against the model. Every
    /// reference must refer to an object of the file or the store. If only one end of a relationship is given, its
    /// inverse is set as well; two ends that disagree are an error.
    ///
    /// - Returns: The number of objects, pairs and transactions.
    /// - Throws: ``StoreError`` `importFailed` with the message `FILE:LINE:COLUMN: ...`, or the error of a write.
    ///   Nothing is imported then, except for batches that were committed before; the message contains the number of
    ///   their objects.
    @discardableResult
    public func importJSONLines(
        from path: String,
        options: JSONLinesImportOptions = JSONLinesImportOptions()
    ) throws -> JSONLinesImportSummary {
        var run = JSONLinesImport(self, path, options)
        try run.file = JSONLinesFile(path: path)
        do {
            if options.batchSize == nil {
                try store.write { transaction in
                    while try run.readBatch(transaction) {}
                    try run.finish(transaction)
                }
                run.summary.transactions = 1
            } else {
                while try store.write({ try run.readBatch($0) }) { run.endBatch() }
                run.endBatch()
                try store.write { try run.finish($0) }
                run.summary.transactions += 1
            }
            return run.summary
        } catch let failure as JSONLineError {
            throw run.error(failure)
        }
    }
}
