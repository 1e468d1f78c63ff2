internal import BridgeValues
internal import JavaScriptBridge
internal import Stores

/// The native half of the data API of one context.
///
/// Used inside turns only.
///
/// The script's half is `JS/src/20_data.js`: it checks and names, and calls the functions that this installs.
/// Objects of Swift are in its hand by handles, which keep them as long as the script does.
final class DataSession {
    let configuration: DataConfiguration
    let connection: DataConnection
    let clock: any MonotonicClock
    /// The transactions that are open on this thread, outermost first, with the name of their store.
    var openTransactions: [(store: String, transaction: any WriteTransaction)] = []
    /// The queries that have listeners, in the order in which they began to; they are kept until they have
    /// none.
    var listening: [LiveQuery] = []

    init(_ configuration: DataConfiguration, clock: any MonotonicClock, connection: DataConnection) {
        self.configuration = configuration
        self.clock = clock
        self.connection = connection
    }

    func install(in context: JSContext) throws {
        let functions = try context.evaluate("({})")
        try installStores(on: functions, in: context)
        try installQueries(on: functions, in: context)
        try installChanges(on: functions, in: context)
        try installRestoration(on: functions, in: context)
        try context.internals.setValue(functions, forProperty: "data")
        try context.runDataScript()
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
            throw BridgeError(BridgeErrorCode(rawValue: "store.\(error.code.rawValue)"), error.message)
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

    /// Writes in the transaction that is open, or in one of its own.
    func write<Result>(_ name: String?, _ body: (any WriteTransaction) throws -> Result) throws -> Result {
        let store = try store(named: name)
        if let open = openTransactions.last(where: { $0.store == name }) { return try body(open.transaction) }
        return try store.write(body)
    }
}
