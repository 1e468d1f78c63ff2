public import DataSources
public import JavaScriptBridge

extension Bridge {
    /// Creates a bridge whose scripts have `bridge.store(name)` and `bridge.registerDataSource(name, source)`.
    ///
    /// - Throws: ``JSException`` if the package's own script fails, which is a bug of this package.
    public convenience init(
        configuration: BridgeConfiguration = BridgeConfiguration(),
        data: DataConfiguration
    ) throws {
        try self.init(configuration: configuration, data: data, prepare: { _ in })
    }

    /// Creates a bridge with data; higher layers add to its contexts before anything else runs in them.
    ///
    /// - Throws: ``JSException`` if the package's own script does not run; any error that `prepare` throws.
    package convenience init(
        configuration: BridgeConfiguration,
        data: DataConfiguration,
        prepare: @escaping @Sendable (JSContext) throws -> Void
    ) throws {
        let connection = DataConnection()
        try self.init(configuration: configuration) { context in
            try DataSession(data, clock: configuration.clock, connection: connection)
                .install(in: context, of: configuration)
            try prepare(context)
        }
        connection.connect(to: self, data.stores)
    }

    /// Runs a closure with a data source that a script registered, as one turn.
    ///
    /// - Throws: ``BridgeError`` with the code `handlerNotFound` if no source has the name, or the error of the
    ///   closure.
    public func withDataSource<Result: Sendable>(
        _ name: String,
        _ body: @Sendable (ScriptDataSource) throws -> Result
    ) async throws -> Result {
        try await withContext { context in try body(context.dataSource(named: name)) }
    }

    /// Returns the names of the data sources that scripts registered.
    public func dataSourceNames() async throws -> [String] {
        try await withContext { context in
            try ValueDecoder().decode(from: context.internals.invokeMethod("dataSourceNames").toValue())
        }
    }

    /// Shows a data source to scripts, which open it with `bridge.dataSource(name)`.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - make: Creates the source, in a turn of the engine; the source stays in that isolation.
    /// - Throws: The error of `make`; ``BridgeError`` with the code `unsupported` if the bridge was created without
    ///   data.
    public func showDataSource<Source: DataSource & SendableMetatype>(
        named name: String,
        _ make: @Sendable (JSContext) throws -> Source
    ) async throws where Source.ItemType: Encodable {
        try await withContext { context in try context.showDataSource(make(context), named: name) }
    }

    /// Creates a mirror of a data source that a script registered.
    ///
    /// The mirror follows the source for as long as it exists, and retains the bridge.
    ///
    /// - Parameters:
    ///   - name: The name that the script gave.
    ///   - type: The type of the items.
    ///   - pageSize: The number of items in a page.
    ///   - keptPages: The maximum number of cached pages.
    /// - Returns: The mirror.
    /// - Throws: ``BridgeError`` with the code `handlerNotFound` if no source has the name, or the error of its counts.
    public func mirrorDataSource<Item: Decodable & Sendable>(
        _ name: String,
        of type: Item.Type = Item.self,
        pageSize: Int = 64,
        keptPages: Int = 16
    ) async throws -> DataSourceMirror<Item> {
        precondition(pageSize > 0 && keptPages > 1, "a mirror keeps at least two pages of at least one item")
        let mirror = DataSourceMirror<Item>(
            name: name,
            pageSize: pageSize,
            keptPages: keptPages,
            bridge: self
        )
        try await withContext { context in _ = try mirror.source(in: context) }
        return mirror
    }
}
