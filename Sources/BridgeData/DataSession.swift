internal import BridgeValues
internal import DataSources
internal import JavaScriptBridge
internal import Stores

/// The native half of the data API of one context.
///
/// Used inside turns only.
///
/// The script's half is `JS/src/data_code`: it checks arguments and names, and calls the functions that this session
/// installs. Scripts retain Swift objects by handles.
final class DataSession {
    let configuration: DataConfiguration
    let connection: DataConnection
    let clock: any MonotonicClock
    /// The access control of the scripts.
    let guarding: DataGuard
    /// The generation of the grants that all open queries were last checked against.
    private var checkedGeneration = -1
    /// The open transactions of scripts, outermost first.
    var openTransactions: [ScriptTransaction] = []
    /// The queries that have listeners, in the order in which they were added; the session retains them as long as they
    /// have one.
    var listening = ListeningQueries()
    /// The queries that were opened and that a script still retains.
    private var opened: [WeakQuery] = []
    private var pruneAt = 8
    /// A Boolean value that indicates whether changes are being delivered to listeners.
    var isDelivering = false
    /// The agreement of each store's queries on the version that they show during a delivery.
    private(set) var agreements: [ObjectIdentifier: VersionAgreement] = [:]
    /// The reusable tables for rows that are passed to the script, by attribute count.
    private var tables: [Int: RowTable] = [:]
    private var isComputing = false
    /// The recorder of all data calls of scripts, if the bridge is recorded.
    private(set) var border: DataBoundary?
    /// The data sources that the host shows to scripts, by name.
    var hostSources: [String: HostSource] = [:]

    init(_ configuration: DataConfiguration, clock: any MonotonicClock, connection: DataConnection) {
        self.configuration = configuration
        self.clock = clock
        self.connection = connection
        guarding = DataGuard(connection)
    }

    func install(in context: JSContext, of bridge: BridgeConfiguration) throws {
        let functions = try JSValue(newObjectIn: context)
        try installStores(on: functions, in: context)
        try installQueries(on: functions, in: context)
        try installWindows(on: functions, in: context)
        try installChanges(on: functions, in: context)
        try installKeys(on: functions, in: context)
        try installSources(on: functions, in: context)
        try installRestoration(on: functions, in: context)
        border = try context.installData(functions, keyFunctions: Self.keyFunctions, of: bridge)
        // The context's own methods find their session through this property.
        try context.internals.setValue(context.makeHandle(self), forProperty: "dataSession")
        try context.runDataScript()
        connection.deliver(inTurnsOf: context)
        context.hooks.terminationHandler = { [connection] _ in connection.turnWasStopped() }
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

    /// Converts errors of stores into errors with a code for scripts, such as `store.notUnique`, and a message for
    /// scripts.
    ///
    /// The program finds the original error as the underlying error.
    private static func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            throw BridgeError(error)
        }
    }

    /// Returns a store of which at least something is granted.
    func store(named name: String?) throws -> any Store {
        let name = name ?? ""
        try guarding.requireStore(name)
        // Grants compare names by their bytes; a dictionary compares them by canonical equivalence.
        let index = configuration.stores.index(forKey: name)
        guard let (found, store) = index.map({ configuration.stores[$0] }),
            found.utf8.elementsEqual(name.utf8)
        else {
            let known = configuration.stores.keys.filter { guarding.mayKnow(store: $0) }.sorted()
            throw BridgeError(
                .invalidArgument,
                "store '\(name)' not found; available: \(known.joined(separator: ", "))"
            )
        }
        return store
    }

    /// Returns the granted access of a call's operation to the store and the entity of its first two arguments.
    func access(_ operation: DataOperation, _ call: HostCall) throws -> EntityAccess {
        let storeName = call.string(at: 0) ?? ""
        return try guarding.access(
            operation,
            to: call.string(at: 1) ?? "",
            of: store(named: storeName),
            named: storeName
        )
    }

    /// Returns the values of a row from a call's argument, whose attributes must be granted.
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

    /// Adds an open query without retaining it.
    func open(_ query: LiveQuery) {
        // Released queries are removed when the array has doubled, so at no cost on average.
        if opened.count >= pruneAt {
            opened.removeAll { $0.query?.store == nil }
            pruneAt = max(8, 2 * opened.count)
        }
        opened.append(WeakQuery(query: query))
    }

    /// The open queries: those with listeners first, in the order in which they were added.
    var openQueries: [LiveQuery] {
        var queries = Array(listening)
        for entry in opened {
            guard let query = entry.query, query.listener == nil, query.store != nil else { continue }
            queries.append(query)
        }
        return queries
    }

    /// Returns an empty table for rows with a number of attributes; the next call with that number returns the same
    /// table.
    func table(attributeCount: Int) -> RowTable {
        if let table = tables[attributeCount] {
            table.removeAll()
            return table
        }
        let table = RowTable(attributeCount: attributeCount)
        tables[attributeCount] = table
        return table
    }

    /// Runs a write in the open transaction of the store, or in a new one.
    func write<Result>(_ name: String?, _ body: (any WriteTransaction) throws -> Result) throws -> Result {
        try requireWritable()
        let store = try store(named: name)
        if let open = openTransactions.last(where: { $0.name == name }) {
            return try body(granted(open.transaction, of: store, named: name))
        }
        return try store.write { try body(granted($0, of: store, named: name)) }
    }

    /// Returns a transaction that can change only what is granted.
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

    /// Closes the queries that show or observe data that is not granted any more.
    ///
    /// If such a query had a listener, this is reported as an uncaught error, because the listener is never called
    /// again.
    func endRevokedQueries(in context: JSContext) {
        let generation = guarding.refresh()
        guard generation != checkedGeneration else { return }
        checkedGeneration = generation
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

    /// Throws if the grants of a query have changed since it was created.
    func requireGranted(_ query: LiveQuery) throws {
        let generation = guarding.refresh()
        guard query.generation != generation, let store = query.store else { return }
        let name = query.entity.name
        let access = try guarding.access(.read, to: name, of: store, named: query.storeName)
        guard access.continues(query.access, withRelatedRows: query.usesRelatedRows) else {
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

    /// Throws if less is granted for an operation on a query than the query shows or uses.
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

    /// Returns the agreement that all queries of a store ask for the version to show.
    func agreement(of store: any Store) -> VersionAgreement {
        let id = ObjectIdentifier(store)
        if let agreement = agreements[id] { return agreement }
        let agreement = VersionAgreement()
        agreements[id] = agreement
        return agreement
    }

    /// Returns the open queries of a store.
    func openQueries(of store: any Store) -> [LiveQuery] { openQueries.filter { $0.store === store } }

    /// Throws while a script's functions compute keys or filters, because writes are not allowed then.
    func requireWritable() throws {
        guard isComputing else { return }
        throw BridgeError(
            .invalidArgument,
            "a filter or key function cannot write to a store: it may run at any time"
        )
    }

    /// Runs a closure that computes keys of rows.
    func computing(_ body: () throws -> Void) throws {
        let wasComputing = isComputing
        isComputing = true
        defer { isComputing = wasComputing }
        try body()
    }
}

/// A weak reference to a query, which the script retains.
private struct WeakQuery {
    weak var query: LiveQuery?
}

extension StoreError {
    /// The error code for scripts: `store.notUnique` and so on, or the package's own code if that has the same meaning.
    var scriptCode: BridgeErrorCode {
        switch code {
        case .limitExceeded: .limitExceeded
        case .terminated: .terminated
        default: BridgeErrorCode(rawValue: "store.\(code.rawValue)")
        }
    }
}

extension BridgeError {
    /// Creates the error for scripts from an error of a store.
    init(_ error: StoreError) {
        self.init(error.scriptCode, error.messageForScripts)
        underlyingError = error
    }
}
