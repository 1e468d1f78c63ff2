internal import BridgeValues
internal import CJavaScriptCore
internal import Synchronization

/// A waiter in Swift for the result of a promise.
protocol PromiseWaiting: AnyObject, Sendable {
    /// The operation inside which the waiter waits.
    var operation: ExecutionBudget? { get }
    /// Receives the result of the promise, unless the waiter has ended before.
    ///
    /// A turn must be open; the value is alive during the call.
    func settle(isFulfilled: Bool, _ value: JSValueRef?, in context: JSContext)
    /// Ends the waiter with an error.
    func fail(with error: any Error)
}

/// The waiters for promises of a context, by the numbers that the script's half uses.
///
/// Any thread may use it. A number is never reused, so that a promise that settles late finds no waiter.
final class PromiseWaiters: Sendable {
    private struct State {
        var waiters: [Int: any PromiseWaiting] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())

    /// The number of waiters.
    var count: Int { state.withLock { $0.waiters.count } }

    func add(_ waiter: any PromiseWaiting) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.waiters[state.lastID] = waiter
            return state.lastID
        }
    }

    /// Removes and returns a waiter.
    ///
    /// Only the caller that gets it may settle it.
    func take(_ id: Int) -> (any PromiseWaiting)? { state.withLock { $0.waiters.removeValue(forKey: id) } }

    /// Fails all waiters.
    func fail(with error: any Error) { fail(with: error) { _ in true } }

    /// Fails the waiters inside an operation.
    func fail(in operation: ExecutionBudget, with error: any Error) {
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
    /// Notifies a waiter of the result of a value: immediately, or when the value is a promise and has settled.
    ///
    /// A turn must be open. The waiter is called once, in this turn or a later one.
    ///
    /// - Returns: The waiter's number in ``ContextEventLoop/promiseWaiters``.
    func observe(_ value: JSValueRef, _ waiter: any PromiseWaiting) throws -> Int {
        try withWaiter(waiter) { id in
            try withReferences(
                2,
                making: { $0 == 0 ? value : JSValueMakeNumber(ref, Double(id)) },
                { _ = try call(script.observe, $0) }
            )
        }
    }

    /// Calls a global function with data, and notifies a waiter of its result.
    ///
    /// A turn must be open. One call of the engine does all of it.
    ///
    /// - Returns: The waiter's number in ``ContextEventLoop/promiseWaiters``.
    func callAsync(_ name: String, with arguments: [Value], _ waiter: any PromiseWaiting) throws -> Int {
        try withWaiter(waiter) { id in
            try withReferences(
                arguments.count + 2,
                making: { index in
                    switch index {
                    case 0: makeString(name)
                    case 1: JSValueMakeNumber(ref, Double(id))
                    default: try makeRef(arguments[index - 2])
                    }
                },
                { _ = try call(script.callAsync, $0) }
            )
        }
    }

    private func withWaiter(_ waiter: any PromiseWaiting, _ body: (Int) throws -> Void) throws -> Int {
        let id = eventLoop.promiseWaiters.add(waiter)
        do {
            try body(id)
        } catch {
            _ = eventLoop.promiseWaiters.take(id)
            throw error
        }
        return id
    }

    /// Defines the function through which the script's half reports a settled promise: `settled(id, isFulfilled,
    /// value)`.
    static func installSettled(on object: JSObjectRef, in context: JSContext) throws {
        try NativeFunctions.define("settled", on: object, in: context) { context, arguments in
            guard let waiter = context.eventLoop.promiseWaiters.take(arguments.integer(at: 0)) else {
                return nil
            }
            let isFulfilled = arguments.ref(at: 1).map { JSValueToBoolean(context.ref, $0) } ?? false
            waiter.settle(isFulfilled: isFulfilled, arguments.ref(at: 2), in: context)
            return nil
        }
    }
}
