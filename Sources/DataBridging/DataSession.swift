internal import BridgeValues
internal import DataSources
internal import JavaScriptBridge
internal import Stores

/// The native half of the data API of one context.
///
/// Used inside turns only.
///
/// The script's half is `JS/src/2?_*.js`: it checks and names, and calls the functions that this installs.
/// Objects of Swift are in its hand by handles, which keep them as long as the script does.
final class DataSession {
    let configuration: DataConfiguration
    let connection: DataConnection
    let clock: any MonotonicClock
    /// The transactions that are open on this thread, outermost first, with the name of their store.
    var openTransactions: [(name: String, store: any Store, transaction: any WriteTransaction)] = []
    /// The queries that have listeners, in the order in which they began to; they are kept until they have
    /// none.
    var listening: [LiveQuery] = []
    /// The queries that were opened and that a script still has.
    private var opened: [WeakQuery] = []
    private var pruneAt = 8
    /// Whether listeners are being told of changes.
    var isDelivering = false
    /// While they are, the version that every query of a store shows.
    var deliveredVersions: [ObjectIdentifier: Int] = [:]
    /// Rows on their way to the script: room that is used again and again.
    private var tables: [Int: RowTable] = [:]
    private var isComputing = false
    /// Where the bridge is recorded, what writes down all that scripts do with this.
    private(set) var border: DataBorder?
    /// The data sources that the host shows to scripts, by name.
    var hostSources: [String: HostSource] = [:]

    init(_ configuration: DataConfiguration, clock: any MonotonicClock, connection: DataConnection) {
        self.configuration = configuration
        self.clock = clock
        self.connection = connection
    }

    func install(in context: JSContext, of bridge: BridgeConfiguration) throws {
        let functions = try context.evaluate("({})")
        try installStores(on: functions, in: context)
        try installQueries(on: functions, in: context)
        try installWindows(on: functions, in: context)
        try installChanges(on: functions, in: context)
        try installKeys(on: functions, in: context)
        try installSources(on: functions, in: context)
        try installRestoration(on: functions, in: context)
        border = try context.installData(functions, keyFunctions: Self.keyFunctions, of: bridge)
        // How the context's own methods find their session again.
        try context.internals.setValue(context.makeHandle(self), forProperty: "dataSession")
        try context.runDataScript()
        connection.deliver(inTurnsOf: context)
        context.terminationHandler = { [connection] _ in connection.turnWasStopped() }
        context.addTurnWork { [unowned context] in self.deliver(in: context) }
    }

    func define(
        _ name: String,
        on object: JSValue,
        in context: JSContext,
        _ body: @escaping (HostCall) throws -> Value
    ) throws {
        let function = context.makeHostFunction { call in try Self.naming { try body(call) } }
        try object.setValue(function, forProperty: name)
    }

    func defineReturningValue(
        _ name: String,
        on object: JSValue,
        in context: JSContext,
        _ body: @escaping (HostCall) throws -> JSValue?
    ) throws {
        let function = context.makeHostFunction(returningValue: { call in try Self.naming { try body(call) } }
        )
        try object.setValue(function, forProperty: name)
    }

    /// Gives errors of stores a code that scripts can tell apart: `store.notUnique` and so on.
    private static func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            throw BridgeError(error.scriptCode, error.message)
        }
    }

    func store(named name: String?) throws -> any Store {
        guard let name, let store = configuration.stores[name] else {
            let known = configuration.stores.keys.sorted().joined(separator: ", ")
            throw BridgeError(.invalidArgument, "there is no store '\(name ?? "")'; there is \(known)")
        }
        return store
    }

    func entity(named name: String?, of store: any Store) throws -> EntityDescription {
        guard let name, let entity = store.entities[name] else {
            let known = store.entities.keys.sorted().joined(separator: ", ")
            throw StoreError(
                .schema,
                "the store has no entity '\(name ?? "")'; it has \(known.isEmpty ? "none" : known)"
            )
        }
        return entity
    }

    /// Notes a query, without keeping it.
    func open(_ query: LiveQuery) {
        // Those that are gone are looked for when the list has doubled, so at no cost on average.
        if opened.count >= pruneAt {
            opened.removeAll { $0.query?.store == nil }
            pruneAt = max(8, 2 * opened.count)
        }
        opened.append(WeakQuery(query: query))
    }

    /// The queries that are open: those that have listeners first, in the order in which they began to.
    var openQueries: [LiveQuery] {
        var queries = listening
        for entry in opened {
            guard let query = entry.query, query.listener == nil, query.store != nil else { continue }
            queries.append(query)
        }
        return queries
    }

    /// An empty table for rows of some attributes; the next one that asks for so many gets the same.
    func table(attributeCount: Int) -> RowTable {
        if let table = tables[attributeCount] {
            table.removeAll()
            return table
        }
        let table = RowTable(attributeCount: attributeCount)
        tables[attributeCount] = table
        return table
    }

    /// Writes in the transaction that is open, or in one of its own.
    func write<Result>(_ name: String?, _ body: (any WriteTransaction) throws -> Result) throws -> Result {
        try requireWritable()
        let store = try store(named: name)
        if let open = openTransactions.last(where: { $0.name == name }) { return try body(open.transaction) }
        return try store.write(body)
    }

    /// Whether a transaction of a store is open on this thread, a script's or the host's.
    func isInTransaction(of store: any Store) -> Bool {
        if openTransactions.contains(where: { $0.store === store }) { return true }
        return (store as? any ThreadWriting)?.isWritingOnThisThread ?? false
    }

    /// The open queries of a store.
    func openQueries(of store: any Store) -> [LiveQuery] { openQueries.filter { $0.store === store } }

    /// Refuses to write while a script's functions say where rows stand.
    func requireWritable() throws {
        guard isComputing else { return }
        throw BridgeError(
            .invalidArgument,
            "a function that filters or gives keys cannot write to a store: it may run at any time"
        )
    }

    /// Runs a body that computes keys of rows.
    func computing(_ body: () throws -> Void) throws {
        let wasComputing = isComputing
        isComputing = true
        defer { isComputing = wasComputing }
        try body()
    }
}

/// A query that is kept by the script that has it.
private struct WeakQuery {
    weak var query: LiveQuery?
}

extension StoreError {
    /// What scripts tell it by: `store.notUnique` and so on; the package's own code where that says the same.
    var scriptCode: BridgeErrorCode {
        switch code {
        case .limitExceeded: .limitExceeded
        case .terminated: .terminated
        default: BridgeErrorCode(rawValue: "store.\(code.rawValue)")
        }
    }
}
