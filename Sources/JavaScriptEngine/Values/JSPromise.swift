public import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// A promise of a context.
///
/// ```swift
/// let (promise, resolvers) = try JSPromise.withResolvers(in: context)
/// try context.globalObject.setValue(promise.value, forProperty: "ready")
/// try resolvers.resolve(with: 42)
/// ```
///
/// What a script does to `Promise.prototype` changes nothing here. Like a ``JSValue`` it stays with its
/// context's owner; a task waits for one by ``JavaScriptRuntime/awaitPromise(from:)``.
public final class JSPromise {
    /// What a promise has come to.
    public enum State: Sendable, Hashable {
        /// Nothing yet.
        case pending
        /// A value.
        case fulfilled
        /// An error, or whatever else it was rejected with.
        case rejected
    }

    /// The promise as a value, to hand it to scripts.
    public let value: JSValue
    // Where the engine does not say: what its reactions have left, `{ state }`.
    private let record: JSValue?

    /// Makes a promise of a value that is one, or that has a `then` as promises do.
    ///
    /// Of a promise of the language's own class it is that promise; of another, and of what only has a
    /// `then`, a promise that follows it (as `Promise.resolve` gives).
    ///
    /// - Throws: ``JSException``, a `TypeError` where the value is neither; what a getter of the value
    ///   throws.
    public convenience init(_ value: JSValue) throws {
        let context = value.context
        let promise = try context.withTurn {
            JSValue(try context.call(context.script.toPromise, [value.ref]), in: context)
        }
        try self.init(own: promise)
    }

    /// Makes a promise of one of the engine's own.
    private init(own value: JSValue) throws {
        self.value = value
        let context = value.context
        guard !jsb_knows_promise_status() else {
            record = nil
            return
        }
        record = try context.withTurn {
            JSValue(try context.call(context.script.recordPromise, [value.ref]), in: context)
        }
    }

    /// What the promise has come to.
    ///
    /// With a library that hides the engine's own function for it, the state is that of the last time when
    /// microtasks ran, and a rejection of this promise counts as handled.
    public var state: State {
        let context = value.context
        guard let record else {
            return Self.states[Int(jsb_promise_status(context.virtualMachine.group, value.ref)) % 3]
        }
        let number = try? record.forProperty("state").toValue().integerValue
        return Self.states[Int(number ?? 0) % 3]
    }

    private static let states: [State] = [.pending, .fulfilled, .rejected]

    /// Calls a function once the promise has settled, in a microtask: never before this returns.
    ///
    /// As in JavaScript: without a function for it, an outcome passes on to the promise that this returns.
    ///
    /// - Parameters:
    ///   - onFulfilled: Takes the value; what it returns resolves the promise that this returns. It must not
    ///     hold the context.
    ///   - onRejected: Takes the reason; what it returns resolves that promise.
    /// - Returns: A promise of what the function returns, rejected with what it throws.
    /// - Throws: ``JSException`` where the turn was stopped.
    @discardableResult
    public func then(
        _ onFulfilled: ((JSValue) throws -> JSValue?)?,
        onRejected: ((JSValue) throws -> JSValue?)? = nil
    ) throws -> JSPromise {
        let context = value.context
        return try context.withTurn {
            let functions = try [onFulfilled, onRejected].map { body in
                try body.map { body in
                    try context.makeFunction(named: "", parameterCount: 1) { try body($0[0]) }
                }
            }
            return try withExtendedLifetime(functions) {
                let arguments = [value.ref] + functions.map { $0?.ref }
                let derived = try context.call(context.script.then, arguments)
                return try JSPromise(own: JSValue(derived, in: context))
            }
        }
    }

    /// Calls a function once the promise is rejected; a value passes on.
    ///
    /// - Returns: A promise of what the function returns, rejected with what it throws.
    /// - Throws: ``JSException`` where the turn was stopped.
    @discardableResult
    public func `catch`(_ onRejected: @escaping (JSValue) throws -> JSValue?) throws -> JSPromise {
        try then(nil, onRejected: onRejected)
    }
}

/// Misuse is an error of the compiler: a promise stays with its context.
@available(*, unavailable)
extension JSPromise: Sendable {}

extension JSPromise {
    /// What settles a promise that Swift has made; only the first use counts.
    public final class Resolvers {
        private let resolveFunction: JSValue
        private let rejectFunction: JSValue

        fileprivate init(resolve: JSValue, reject: JSValue) {
            resolveFunction = resolve
            rejectFunction = reject
        }

        /// Resolves the promise with a value; where that is a promise itself, with what it settles with.
        ///
        /// - Throws: ``JSException`` where the turn was stopped.
        public func resolve(_ value: JSValue) throws { try resolveFunction.call(withArguments: [value]) }

        /// Resolves the promise with data.
        ///
        /// - Throws: ``BridgeError`` with the code `limitExceeded` where the data is larger than the limits
        ///   allow; ``JSException`` where the turn was stopped.
        public func resolve(with value: Value = .undefined) throws {
            try resolve(JSValue(value, in: resolveFunction.context))
        }

        /// Rejects the promise with a value.
        ///
        /// - Throws: ``JSException`` where the turn was stopped.
        public func reject(_ reason: JSValue) throws { try rejectFunction.call(withArguments: [reason]) }

        /// Rejects the promise with an error, as a script would catch it from a Swift function.
        ///
        /// - Throws: ``JSException`` where the turn was stopped.
        public func reject(with error: any Error) throws {
            let context = rejectFunction.context
            try context.withTurn { try reject(JSValue(context.thrownValue(for: error), in: context)) }
        }
    }

    /// Makes a promise and what settles it.
    ///
    /// - Throws: ``JSException`` where the turn was stopped.
    public static func withResolvers(in context: JSContext) throws -> (
        promise: JSPromise, resolvers: Resolvers
    ) {
        try context.withTurn {
            let deferred = try context.makeDeferredPromise()
            let resolvers = Resolvers(resolve: deferred.resolve, reject: deferred.reject)
            return (try JSPromise(own: deferred.promise), resolvers)
        }
    }
}

/// Misuse is an error of the compiler: resolvers stay with their promise.
@available(*, unavailable)
extension JSPromise.Resolvers: Sendable {}

extension JSContext {
    /// Makes a promise of the language's own class with its two functions.
    ///
    /// A turn must be open.
    func makeDeferredPromise() throws -> (promise: JSValue, resolve: JSValue, reject: JSValue) {
        var exception: JSValueRef?
        var resolve: JSObjectRef?
        var reject: JSObjectRef?
        let promise = JSObjectMakeDeferredPromise(ref, &resolve, &reject, &exception)
        guard let promise, exception == nil else { throw self.exception(from: exception) }
        return (JSValue(promise, in: self), JSValue(resolve, in: self), JSValue(reject, in: self))
    }
}
