internal import BridgeValues
internal import CJavaScriptCore
internal import Synchronization

/// Somebody in Swift who waits for a promise.
protocol PromiseWaiting: AnyObject, Sendable {
    /// The operation that somebody waits inside of.
    var operation: JSOperation? { get }
    /// Takes what the promise has settled with, if nothing else has come first.
    ///
    /// A turn must be open; the value is alive during the call.
    func settle(isFulfilled: Bool, _ value: JSValueRef?, in context: JSContext)
    /// Gives up.
    func fail(with error: any Error)
}

/// Who waits for promises of a context, by the number that the script's half has.
///
/// It may be used on any thread. A number is never used twice, so that a promise that settles after all finds
/// nobody.
final class PromiseWaiters: Sendable {
    private struct State {
        var waiters: [Int: any PromiseWaiting] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())

    /// How many wait.
    var count: Int { state.withLock { $0.waiters.count } }

    func add(_ waiter: any PromiseWaiting) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.waiters[state.lastID] = waiter
            return state.lastID
        }
    }

    /// Takes the waiter of a number out: whoever gets it is the only one to settle it from here.
    func take(_ id: Int) -> (any PromiseWaiting)? { state.withLock { $0.waiters.removeValue(forKey: id) } }

    /// Tells all who wait that nothing will come.
    func fail(with error: any Error) { fail(with: error) { _ in true } }

    /// Tells those who wait inside an operation that nothing will come.
    func fail(in operation: JSOperation, with error: any Error) {
        fail(with: error) { $0.operation === operation }
    }

    private func fail(with error: any Error, where isMeant: @Sendable (any PromiseWaiting) -> Bool) {
        let waiters = state.withLock { state in
            let waiters = state.waiters.filter { isMeant($0.value) }
            for id in waiters.keys { state.waiters[id] = nil }
            return waiters
        }
        // In the order in which they began to wait.
        for (_, waiter) in waiters.sorted(by: { $0.key < $1.key }) { waiter.fail(with: error) }
    }
}

extension JSContext {
    /// Makes a waiter hear of what a value comes to: at once or when the promise that it is has settled.
    ///
    /// A turn must be open. The waiter is called once, in this turn or a later one.
    ///
    /// - Returns: The waiter's number in ``promiseWaiters``.
    func observe(_ value: JSValueRef, _ waiter: any PromiseWaiting) throws -> Int {
        try withWaiter(waiter) { id in
            try withReferences(
                2,
                making: { $0 == 0 ? value : JSValueMakeNumber(ref, Double(id)) },
                { _ = try call(script.observe, $0) }
            )
        }
    }

    /// Calls a global function with data, and makes a waiter hear of what it returns.
    ///
    /// A turn must be open. One call of the engine does all of it.
    ///
    /// - Returns: The waiter's number in ``promiseWaiters``.
    func callAsync(_ name: String, with arguments: [Value], _ waiter: any PromiseWaiting) throws -> Int {
        try withWaiter(waiter) { id in
            try withReferences(
                arguments.count + 2,
                making: { index in
                    switch index {
                    case 0: makeText(name)
                    case 1: JSValueMakeNumber(ref, Double(id))
                    default: try makeRef(arguments[index - 2])
                    }
                },
                { _ = try call(script.callAsync, $0) }
            )
        }
    }

    private func withWaiter(_ waiter: any PromiseWaiting, _ body: (Int) throws -> Void) throws -> Int {
        let id = promiseWaiters.add(waiter)
        do {
            try body(id)
        } catch {
            _ = promiseWaiters.take(id)
            throw error
        }
        return id
    }

    /// Defines the function through which the script's half says what has settled: `settled(id, isFulfilled,
    /// value)`.
    static func installSettled(on object: JSObjectRef, in context: JSContext) throws {
        try NativeFunctions.define("settled", on: object, in: context) { context, arguments in
            guard let waiter = context.promiseWaiters.take(arguments.integer(at: 0)) else { return nil }
            let isFulfilled = arguments.ref(at: 1).map { JSValueToBoolean(context.ref, $0) } ?? false
            waiter.settle(isFulfilled: isFulfilled, arguments.ref(at: 2), in: context)
            return nil
        }
    }
}
