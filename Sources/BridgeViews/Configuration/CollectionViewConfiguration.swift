public import BridgeData
public import CollectionViews
public import JavaScriptBridge

/// The limits and defaults of the collection views that the scripts of a bridge create.
public struct CollectionViewConfiguration: Sendable {
    /// The maximum number of views that are open at a time.
    public var maximumViews = 64
    /// The maximum number of contents of cells that the script's side keeps for a view, apart from visible ones.
    public var keptCells = 10_000
    /// The unit of the first renderer.
    public var unit = ViewUnit.pixel
    /// The size of a view until a renderer sets its own.
    public var size = Size(width: 640, height: 480)
    /// A closure that is called in a turn of the bridge when a view was created, changed or closed, with its name.
    ///
    /// A renderer schedules its next frame then.
    public var viewChanged: (@Sendable (_ name: String) -> Void)?

    /// Creates the default configuration.
    public init() {}
}

/// The unit of the lengths of a view, which is that of its renderer.
public enum ViewUnit: String, Sendable, Hashable, CaseIterable {
    /// A character of a terminal.
    case cell
    /// A CSS pixel of a page.
    case pixel

    /// The length of a row without another one: one line of text.
    public var rowLength: Double {
        switch self {
        case .cell: 1
        case .pixel: 28
        }
    }
}

extension Bridge {
    /// Creates a bridge whose scripts have stores, data sources and `bridge.collectionView(options)`.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the bridge.
    ///   - data: The stores of the scripts.
    ///   - views: The limits and defaults of the views.
    /// - Throws: ``JSException`` if the package's own script fails, which is a bug of this package.
    public convenience init(
        configuration: BridgeConfiguration = BridgeConfiguration(),
        data: DataConfiguration = DataConfiguration(),
        views: CollectionViewConfiguration
    ) throws {
        try self.init(configuration: configuration, data: data) { context in
            try ViewSession(views).install(in: context)
        }
    }

    /// Runs a closure with a view that a script has created, as one turn.
    ///
    /// The view stays in the turns of the bridge: a renderer takes frames, which are values, out of them.
    ///
    /// - Throws: ``BridgeError`` with the code `handlerNotFound` if no view has the name, or the error of the closure.
    public func withCollectionView<Result: Sendable>(
        _ name: String,
        _ body: @Sendable (ScriptCollectionView) throws -> Result
    ) async throws -> Result {
        try await withContext { context in try body(context.collectionView(named: name)) }
    }

    /// Returns the names of the open views, in the order of their creation.
    public func collectionViewNames() async throws -> [String] {
        try await withContext { try $0.viewSession.names }
    }
}

extension JSContext {
    /// Returns a view that a script of this context has created.
    ///
    /// - Throws: ``BridgeError`` with the code `handlerNotFound` if no view has the name.
    public func collectionView(named name: String) throws -> ScriptCollectionView {
        guard let view = try viewSession.view(named: name) else {
            throw BridgeError(.handlerNotFound, "no collection view has the name '\(name)'")
        }
        return view
    }

    /// The open views that scripts of this context have created, in the order of their creation.
    public var collectionViews: [ScriptCollectionView] {
        get throws { try viewSession.views }
    }

    /// The session of the views of this context.
    ///
    /// - Throws: ``BridgeError`` with the code `unsupported` if the bridge was created without views.
    var viewSession: ViewSession {
        get throws {
            let value = try internals.forProperty("viewSession")
            guard let session = (object(behind: value) as? WeakSession)?.session else {
                throw BridgeError(.unsupported, "the bridge was created without collection views")
            }
            return session
        }
    }
}
