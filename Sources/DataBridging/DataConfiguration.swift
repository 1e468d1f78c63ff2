public import JavaScriptBridge
public import Stores

/// The stores that scripts of a bridge find, and how their imports are shown.
///
/// What of them a script may reach is granted by ``BridgeConfiguration/grants``: in the trusted tier everything unless said
/// otherwise, in the constrained tier nothing.
public struct DataConfiguration: Sendable {
    /// The stores, by the name that scripts give to `bridge.store(name)`.
    public var stores: [String: any Store]
    /// Where relative paths of `importCSV` start.
    ///
    /// It grants nothing: ``BridgeGrants/allowFiles(below:maximumBytes:for:)`` does.
    public var baseDirectory: String
    /// Called during an import, on the engine's actor.
    public var importProgress: (@Sendable (ImportProgress) -> Void)?

    /// Makes a configuration.
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

/// How far an import that a script asked for is.
public struct ImportProgress: Sendable, Hashable {
    /// The file.
    public let path: String
    /// How far the import of it is; `nil` where it failed before its first row.
    public let progress: CSVProgress?
    /// Whether this is the last report of this import: it is done, or it failed.
    public let isFinished: Bool
    /// Whether the import failed: the store is as it was before it.
    public let hasFailed: Bool
}

extension Bridge {
    /// Makes a bridge whose scripts have `bridge.store(name)` and `bridge.registerDataSource(name, source)`.
    ///
    /// - Throws: ``JSException`` if the package's own script does not run, which is a mistake of this
    ///   package.
    public convenience init(
        configuration: BridgeConfiguration = BridgeConfiguration(),
        data: DataConfiguration
    ) throws {
        let connection = DataConnection()
        try self.init(configuration: configuration) { context in
            try DataSession(data, clock: configuration.clock, connection: connection)
                .install(in: context, of: configuration)
        }
        connection.connect(to: self, data.stores)
    }
}
