package import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// A Swift closure that a script can call: the engine's object that owns the closure, and the way in.
///
/// What a script holds is a real JavaScript function (`instanceof Function`, with `call` and `bind`) around
/// an object of the class below; when the function is collected, the object's finalizer lets the closure go.
final class HostFunction {
    typealias Body = (JSContext, RawArguments) throws -> JSValueRef?

    private let body: Body
    private let releases: Graveyard

    private init(_ body: @escaping Body, _ releases: Graveyard) {
        self.body = body
        self.releases = releases
    }

    // nonisolated(unsafe) because the class is made once, before any use, and never changes.
    nonisolated(unsafe) private static let boxClass: JSClassRef? = {
        var definition = kJSClassDefinitionEmpty
        definition.finalize = { object in
            // What a closure holds may do anything when it goes, and the engine is in the middle of its
            // collection.
            guard let pointer = JSObjectGetPrivate(object) else { return }
            Unmanaged<HostFunction>.fromOpaque(pointer).takeUnretainedValue().releases
                .bury(Unmanaged<AnyObject>.fromOpaque(pointer))
        }
        definition.callAsFunction = { context, function, _, count, arguments, exception in
            HostFunction.enter(context, box: function, skip: 0, count, arguments, exception)
        }
        return JSClassCreate(&definition)
    }()

    /// Makes the engine's object around a closure.
    ///
    /// It is callable, but no function of the script's world.
    static func makeRaw(in context: JSContext, _ body: @escaping Body) -> JSObjectRef? {
        JSObjectMake(
            context.ref,
            boxClass,
            Unmanaged.passRetained(HostFunction(body, context.virtualMachine.releases)).toOpaque()
        )
    }

    /// Defines the one native function through which scripts enter closures: `invoke(box, this,
    /// ...arguments)`.
    static func installInvoke(on object: JSObjectRef, in context: JSContext) throws {
        let invoke = EngineText.with(JSContext.internalSourceURL) { name in
            JSObjectMakeFunctionWithCallback(context.ref, name) {
                context,
                _,
                _,
                count,
                arguments,
                exception in
                HostFunction.enter(
                    context,
                    box: count > 0 ? arguments?[0] : nil,
                    skip: 2,
                    count,
                    arguments,
                    exception
                )
            }
        }
        try context.setInternal("invoke", to: invoke, on: object)
    }

    private static func enter(
        _ ref: JSContextRef?,
        box: JSObjectRef?,
        skip: Int,
        _ count: Int,
        _ arguments: UnsafePointer<JSValueRef?>?,
        _ exception: UnsafeMutablePointer<JSValueRef?>?
    ) -> JSValueRef? {
        let undefined = JSValueMakeUndefined(ref)
        guard let context = JSContext.current(ref), let pointer = JSObjectGetPrivate(box) else {
            return undefined
        }
        let function = Unmanaged<HostFunction>.fromOpaque(pointer).takeUnretainedValue()
        let refs = UnsafeBufferPointer(
            start: arguments.map { $0 + min(skip, count) },
            count: max(0, count - skip)
        )
        // The engine drops its lock around a native callback; everything below needs it again.
        JSLock(ref)
        defer { JSUnlock(ref) }
        do {
            try context.checkTermination()
            try context.virtualMachine.beginNestedCall(isInternal: skip == 0)
            defer { context.virtualMachine.endNestedCall() }
            let result = try function.body(context, RawArguments(context: context, refs: refs))
            try context.checkTermination()
            return result ?? undefined
        } catch {
            exception?.pointee = context.thrownValue(for: error)
            return undefined
        }
    }
}

extension JSContext {
    /// Makes a function that scripts can call and that runs a Swift closure.
    ///
    /// The closure runs inside the caller's turn, on its thread. What it throws is thrown into the script, as
    /// an `Error` with the code, message and data of a `BridgeError`, or the description of any other error.
    ///
    /// - Parameters:
    ///   - name: The function's name, for stacks.
    ///   - parameterCount: How many parameters it declares; up to two are passed without an array.
    ///   - body: Takes the arguments. It must not hold this context.
    /// - Returns: The function.
    /// - Throws: ``JSException`` where the turn was stopped.
    public func makeFunction(
        named name: String,
        parameterCount: Int = 0,
        _ body: @escaping ([JSValue]) throws -> JSValue?
    ) throws -> JSValue {
        try makeRawFunction(named: name, parameterCount: parameterCount) { context, arguments in
            // The caller's frame keeps the arguments alive during the call; only one that outlives it needs
            // protection.
            var values = arguments.refs.map { JSValue(unprotected: $0, in: context) }
            defer {
                values.withUnsafeMutableBufferPointer { values in
                    for index in values.indices where !isKnownUniquelyReferenced(&values[index]) {
                        values[index].protect()
                    }
                }
            }
            return try body(values)?.ref
        }
    }

    /// Makes a function for the package's own script: arguments are read where they stand, results are data.
    ///
    /// It is callable, but no function of the script's world: never hand it to a script of a user.
    package func makeHostFunction(_ body: @escaping (HostCall) throws -> Value) -> JSValue {
        let box = HostFunction.makeRaw(in: self) { context, arguments in
            let result = try body(HostCall(arguments: arguments))
            return result == .undefined ? nil : try context.makeRef(result)
        }
        return JSValue(box, in: self)
    }

    /// Makes such a function whose result is a value of the engine.
    package func makeHostFunction(returningValue body: @escaping (HostCall) throws -> JSValue?) -> JSValue {
        JSValue(HostFunction.makeRaw(in: self) { try body(HostCall(arguments: $1))?.ref }, in: self)
    }

    func makeRawFunction(
        named name: String,
        parameterCount: Int,
        _ body: @escaping HostFunction.Body
    ) throws -> JSValue {
        try withTurn {
            try withReferences(
                3,
                making: { index in
                    switch index {
                    case 0: HostFunction.makeRaw(in: self, body)
                    case 1: makeText(name)
                    default: JSValueMakeNumber(ref, Double(parameterCount))
                    }
                },
                { JSValue(try call(script.makeFunction, $0), in: self) }
            )
        }
    }

    /// What is thrown into a script for a Swift error.
    func thrownValue(for error: any Error) -> JSValueRef? {
        if virtualMachine.watchdog.hasTerminated {
            // Passed on, this ends the script; a script that catches it is ended at the next tick.
            virtualMachine.watchdog.armAgain()
            return makeText("JavaScript execution terminated.")
        }
        do {
            let record = try makeRef(BridgeError(wrapping: error).record)
            let makeError = try internalFunctionNow("makeError")
            return try call(makeError, [record])
        } catch {
            return makeText("\(error)")
        }
    }

    private func internalFunctionNow(_ name: String) throws -> JSObjectRef? {
        var exception: JSValueRef?
        let value = EngineText.with(name) { JSObjectGetProperty(ref, script.internalObject, $0, &exception) }
        if exception != nil { throw self.exception(from: exception) }
        return value
    }
}

/// One call of a function made by ``JSContext/makeHostFunction(_:)``, as long as it
/// lasts.
package struct HostCall {
    let arguments: RawArguments

    /// The context that the caller runs in.
    package var context: JSContext { arguments.context }
    /// How many arguments were given.
    package var count: Int { arguments.refs.count }

    /// A number; 0 where the argument is none.
    package func double(at index: Int) -> Double { arguments.double(at: index) }

    /// Text with lone surrogates replaced; `nil` where the argument is no text.
    package func string(at index: Int) -> String? { context.text(of: arguments.ref(at: index)) }

    /// An argument as data.
    ///
    /// Runs getters and `toJSON` of the script, once.
    package func value(at index: Int) throws -> Value {
        guard let ref = arguments.ref(at: index) else { return .undefined }
        return try context.readValue(ref)
    }

    /// An argument as the engine's value.
    package func jsValue(at index: Int) -> JSValue {
        JSValue(arguments.ref(at: index) ?? JSValueMakeUndefined(context.ref), in: context)
    }

    /// Data that ``take`` in the package's own script put into the slab; its first argument is at `index`.
    package func takenValue(at index: Int) throws -> Value {
        try context.readSlab(
            RawArguments(context: context, refs: UnsafeBufferPointer(rebasing: arguments.refs[index...]))
        )
    }
}
