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
    /// What scripts may reach.
    let guarding: DataGuard
    /// The grants that all open queries were looked at by.
    private var sweptGeneration = -1
    /// The transactions that are open on this thread, outermost first, with the name of their store.
    var openTransactions: [(name: String, store: any Store, transaction: any WriteTransaction)] = []
    /// The queries that have listeners, in the order in which they began to; they are kept until they have
    /// none.
    var listening = ListeningQueries()
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
        guarding = DataGuard(connection)
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

    /// Gives errors of stores a code that scripts can tell apart, `store.notUnique` and so on, and the message that is for
    /// scripts (R39); the program finds the error itself under it.
    private static func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            throw BridgeError(error)
        }
    }

    /// A store, of which something must be granted.
    func store(named name: String?) throws -> any Store {
        let name = name ?? ""
        try guarding.requireStore(name)
        // Grants compare names by their bytes, a dictionary compares them by canonical equivalence.
        let index = configuration.stores.index(forKey: name)
        guard let (found, store) = index.map({ configuration.stores[$0] }),
            found.utf8.elementsEqual(name.utf8)
        else {
            let known = configuration.stores.keys.filter { guarding.mayKnow(store: $0) }.sorted()
            throw BridgeError(
                .invalidArgument,
                "there is no store '\(name)'; there is \(known.joined(separator: ", "))"
            )
        }
        return store
    }

    /// What an operation of a call may reach: of the store and the entity that its first two arguments name.
    func access(_ operation: DataOperation, _ call: HostCall) throws -> EntityAccess {
        let storeName = call.string(at: 0) ?? ""
        return try guarding.access(
            operation,
            to: call.string(at: 1) ?? "",
            of: store(named: storeName),
            named: storeName
        )
    }

    /// The values of a row that a call gives, whose attributes must be granted.
    func values(_ call: HostCall, at index: Int, _ operation: DataOperation, _ access: EntityAccess) throws
        -> [String: AttributeValue]
    {
        let value = try call.value(at: index)
        if !access.part.hasAllAttributes {
            let names = value.objectValue?.keys ?? []
            if let name = names.first(where: { access.shown.index(of: $0) == nil }) {
                throw guarding.refuse(attribute: name, operation, access, call.string(at: 0) ?? "")
            }
        }
        return try access.shown.attributeValues(value)
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
        var queries = Array(listening)
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
        if let open = openTransactions.last(where: { $0.name == name }) {
            return try body(granted(open.transaction, of: store, named: name))
        }
        return try store.write { try body(granted($0, of: store, named: name)) }
    }

    /// A transaction that changes what is granted, and no more.
    func granted(
        _ transaction: any WriteTransaction,
        of store: any Store,
        named name: String?,
        limit: EntityAccess? = nil
    ) -> any WriteTransaction {
        guard !guarding.allowsAllData else { return transaction }
        return GrantedTransaction(
            inner: transaction,
            store: store,
            storeName: name ?? "",
            guarding: guarding,
            limit: limit
        )
    }

    // MARK: - Queries whose grants have changed

    /// Ends the queries that show what is not granted any more, or listen to it.
    ///
    /// One that had a listener is reported as an uncaught error, since the listener is never called again.
    func endRevokedQueries(in context: JSContext) {
        let generation = guarding.refresh()
        guard generation != sweptGeneration else { return }
        sweptGeneration = generation
        for query in openQueries {
            do {
                try requireGranted(query)
            } catch {
                let wasListening = query.listener != nil
                listening.remove(query)
                if query.isReferenced { connection.addReferences(-1) }
                query.isReferenced = false
                query.revoke(error)
                guard wasListening, let error = error as? BridgeError else { continue }
                let message =
                    "a query of '\(query.entity.name)' cannot be followed any more: \(error.message)"
                context.reportUncaught(JSException(code: error.code.rawValue, message: message))
            }
        }
    }

    /// Refuses a query whose grants have changed since it was made.
    func requireGranted(_ query: LiveQuery) throws {
        let generation = guarding.refresh()
        guard query.generation != generation, let store = query.store else { return }
        let name = query.entity.name
        let access = try guarding.access(.read, to: name, of: store, named: query.storeName)
        guard access.continues(query.access, withRelatedRows: query.looksAtRelatedRows) else {
            throw guarding.refuse(
                BridgeDenial.Refusal(.notGranted, "what is granted has changed since the query was made"),
                .read,
                "\(query.storeName)/\(name)",
                "what the query shows of \(MessageText.quoted(name))"
            )
        }
        if query.listener != nil { try require(.observe, of: query, store) }
        query.generation = generation
    }

    /// Refuses an operation on a query of which less is granted than the query shows or looks at.
    func require(_ operation: DataOperation, of query: LiveQuery, _ store: any Store) throws {
        func require(_ name: String, _ isCovered: (EntityAccess) -> Bool) throws {
            let access = try guarding.access(operation, to: name, of: store, named: query.storeName)
            guard !isCovered(access) else { return }
            throw guarding.refuse(
                BridgeDenial.Refusal(.notGranted, "less is granted to \(operation.rawValue) than to read"),
                operation,
                "\(query.storeName)/\(name)",
                DataGuard.quoted(operation, query.storeName, name)
            )
        }
        try require(query.entity.name) { $0.covers(query.access) }
        guard !guarding.allowsAllData else { return }
        for (name, members) in query.related.sorted(by: { $0.key < $1.key }) {
            try require(name) { $0.part.hasAllRows && members.allSatisfy($0.part.contains) }
        }
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

extension BridgeError {
    /// An error of a store as scripts get it.
    init(_ error: StoreError) {
        self.init(error.scriptCode, error.messageForScripts)
        underlyingError = error
    }
}
