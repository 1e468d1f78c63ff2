/// How a file of lines is taken in.
public struct LineImportOptions: Sendable, Hashable {
    /// Which identities the objects get.
    public enum Identities: Sendable, Hashable {
        /// Those that the file gives; one that is taken is an error.
        case kept
        /// New ones; what leads to them in the file follows.
        case new
    }

    /// What is done with an object that must lead to another one, which was gone when the file was written.
    public enum LostReferences: Sendable, Hashable {
        /// It is an error that names both.
        case refused
        /// The object is taken in and leads nowhere, until somebody sets where it leads; the summary counts it.
        case cleared
    }

    /// Which identities the objects get.
    public var identities: Identities
    /// What is done with an object that must lead to another one, which was gone when the file was written.
    public var lostReferences: LostReferences
    /// After how many objects what was read is committed; `nil` commits all or nothing.
    ///
    /// What leads from one object to another is written at the end, in a transaction of its own.
    public var batchSize: Int?

    /// Makes options.
    public init(
        identities: Identities = .kept,
        lostReferences: LostReferences = .refused,
        batchSize: Int? = nil
    ) {
        self.identities = identities
        self.lostReferences = lostReferences
        self.batchSize = batchSize
    }
}

/// What an import of lines did.
public struct LineImportSummary: Sendable, Hashable {
    /// How many objects were added.
    public internal(set) var inserted = 0
    /// How many pairs of objects were joined.
    public internal(set) var joined = 0
    /// How many references that must lead somewhere lead nowhere (``LineImportOptions/LostReferences/cleared``).
    public internal(set) var cleared = 0
    /// How many transactions were committed.
    public internal(set) var transactions = 0
}

extension PersistentContainer {
    /// Adds the objects of a file that ``exportLines(to:)`` or somebody else has written.
    ///
    /// Attributes that a line does not name get their default values. Every value is checked against the model,
    /// its validations among it, and every relationship must lead to an object of the file or the store. An inverse
    /// follows where only one end is named; two ends that disagree are an error.
    ///
    /// - Returns: What was added.
    /// - Throws: ``StoreError`` `importFailed` with the message `FILE:LINE:COLUMN: ...`, or what a write
    ///   throws. Then nothing was added or, with batches, what was committed before; the message says how many
    ///   objects that are.
    @discardableResult
    public func importLines(
        from path: String,
        options: LineImportOptions = LineImportOptions()
    ) throws -> LineImportSummary {
        var run = LineImport(self, path, options)
        try run.file = LineFile(path: path)
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
        } catch let failure as LineFailure {
            throw run.error(failure)
        }
    }
}
