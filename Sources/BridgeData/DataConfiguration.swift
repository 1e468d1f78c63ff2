public import Stores

/// The stores that the scripts of a bridge can use, and a callback for the progress of their imports.
///
/// ``BridgeConfiguration/grants`` determine what a script may access in them: in the trusted tier everything unless a
/// rule denies it, in the constrained tier nothing without a grant.
public struct DataConfiguration: Sendable {
    /// The stores, by the name that scripts give to `bridge.store(name)`.
    public var stores: [String: any Store]
    /// The folder that relative paths of `importCSV` start from.
    ///
    /// This property grants no access; ``BridgeGrants/allowFiles(below:maximumBytes:for:)`` does.
    public var baseDirectory: String
    /// A closure that is called during an import, on the engine's actor.
    public var importProgress: (@Sendable (ImportProgress) -> Void)?

    /// Creates a configuration.
    public init(
        stores: [String: any Store] = [:],
        baseDirectory: String = ".",
        importProgress: (@Sendable (ImportProgress) -> Void)? = nil
    ) {
        self.stores = stores
        self.baseDirectory = baseDirectory
        self.importProgress = importProgress
    }
}

/// The progress of an import that a script started.
public struct ImportProgress: Sendable, Hashable {
    /// The path of the imported file.
    public let path: String
    /// The progress so far, or `nil` if the import failed before its first row.
    public let progress: CSVProgress?
    /// A Boolean value that indicates whether this is the last report of this import: it succeeded or failed.
    public let isFinished: Bool
    /// A Boolean value that indicates whether the import failed and the store is unchanged.
    public let hasFailed: Bool
}
