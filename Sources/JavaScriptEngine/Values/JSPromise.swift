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
/// Changes of a script to `Promise.prototype` have no effect here. Like a ``JSValue``, a promise belongs to its
/// context's owner. A task waits for a promise by ``JavaScriptRuntime/awaitPromise(from:)``.
public final class JSPromise {
    /// The state of a promise.
    public enum State: Sendable, Hashable {
        /// The promise has not settled.
        case pending
        /// The promise has a value.
        case fulfilled
        /// The promise has a reason for its rejection, usually an error.
        case rejected
    }

    /// The promise as a value, to pass it to scripts.
    public let value: JSValue
    // If the library does not report a promise's state: the object `{ state }` that the promise's reactions update.
    private let record: JSValue?

    /// Wraps a value that is a promise or has a `then` method.
    ///
    /// A promise of the language's own class is used itself. For another class of promise, and for a value that only
    /// has `then`, the result is a new promise that follows it, as `Promise.resolve` returns.
    ///
    /// - Throws: ``JSException``: a `TypeError` if the value is neither, or the error of one of its getters.
    public convenience init(_ value: JSValue) throws {
        let context = value.context
        let promise = try context.withTurn {
            JSValue(try context.call(context.script.toPromise, [value.ref]), in: context)
        }
        try self.init(own: promise)
    }

    /// Wraps a promise of the engine's own class.
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

    /// The current state of the promise.
    ///
    /// If the library has no function for it, and its place in a promise is not known, the state is that of the last
    /// microtask checkpoint. A rejection of this promise then counts as handled.
    public var state: State {
        let context = value.context
        guard let record else {
            return Self.states[Int(jsb_promise_status(context.virtualMachine.group, value.ref)) % 3]
        }
        let number = try? record.forProperty("state").toValue().integerValue
        return Self.states[Int(number ?? 0) % 3]
    }

    private static let states: [State] = [.pending, .fulfilled, .rejected]

    /// Calls a function in a microtask once the promise has settled, and never before this method returns.
    ///
    /// As in JavaScript, an outcome without a function is passed on to the promise that this method returns.
    ///
    /// - Parameters:
    ///   - onFulfilled: Takes the value. Its result resolves the promise that this method returns. It must not
    ///     hold the context.
    ///   - onRejected: Takes the reason. Its result resolves that promise.
    /// - Returns: A promise of the function's result, rejected with the error that the function throws.
    /// - Throws: ``JSException`` if the turn was stopped.
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

    /// Calls a function once the promise is rejected; a value is passed on.
    ///
    /// - Returns: A promise of the function's result, rejected with the error that the function throws.
    /// - Throws: ``JSException`` if the turn was stopped.
    @discardableResult
    public func `catch`(_ onRejected: @escaping (JSValue) throws -> JSValue?) throws -> JSPromise {
        try then(nil, onRejected: onRejected)
    }
}

/// A promise stays with its context: the compiler rejects any other use.
@available(*, unavailable)
extension JSPromise: Sendable {}

extension JSPromise {
    /// The functions that settle a promise created by Swift; only the first call has an effect.
    public final class Resolvers {
        private let resolveFunction: JSValue
        private let rejectFunction: JSValue

        fileprivate init(resolve: JSValue, reject: JSValue) {
            resolveFunction = resolve
            rejectFunction = reject
        }

        /// Resolves the promise with a value; if that is a promise, the promise follows it.
        ///
        /// - Throws: ``JSException`` if the turn was stopped.
        public func resolve(_ value: JSValue) throws { try resolveFunction.call(withArguments: [value]) }

        /// Resolves the promise with data.
        ///
        /// - Throws: ``BridgeError`` with the code `limitExceeded` if the data exceeds the limits; ``JSException`` if
        ///   the turn was stopped.
        public func resolve(with value: Value = .undefined) throws {
            try resolve(JSValue(value, in: resolveFunction.context))
        }

        /// Rejects the promise with a value.
        ///
        /// - Throws: ``JSException`` if the turn was stopped.
        public func reject(_ reason: JSValue) throws { try rejectFunction.call(withArguments: [reason]) }

        /// Rejects the promise with an error, in the form in which a script would catch it from a Swift function.
        ///
        /// - Throws: ``JSException`` if the turn was stopped.
        public func reject(with error: any Error) throws {
            let context = rejectFunction.context
            try context.withTurn { try reject(JSValue(context.thrownValue(for: error), in: context)) }
        }
    }

    /// Creates a promise and its resolvers.
    ///
    /// - Throws: ``JSException`` if the turn was stopped.
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

/// Resolvers stay with their promise: the compiler rejects any other use.
@available(*, unavailable)
extension JSPromise.Resolvers: Sendable {}

extension JSContext {
    /// Creates a promise of the language's own class with its two functions.
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
