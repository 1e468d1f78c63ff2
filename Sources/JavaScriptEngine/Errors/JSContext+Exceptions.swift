internal import BridgeValues
internal import CJavaScriptCore

/// Conversion of thrown values to Swift errors.
///
/// A turn must be open for all of these methods.
extension JSContext {
    /// Returns the error for a value that the engine threw into native code.
    func exception(from thrown: JSValueRef?) -> JSException {
        guard let exception = describe(thrown) else { return terminatedException() }
        if let thrown { exception.trace.keep(thrown, in: self) }
        return exception
    }

    /// Calls a function of at most two arguments that threw the last time it was called.
    ///
    /// The engine reports an error that leaves a script through the C API to its inspector, which costs more than the
    /// throw. An error that a script catches and describes is not reported, and needs one call less (0.2 us of 2.0,
    /// measured).
    func callCatching(
        _ function: JSObjectRef?,
        this: JSObjectRef?,
        _ arguments: UnsafeBufferPointer<JSValueRef?>
    ) throws -> JSValueRef {
        var exception: JSValueRef?
        errors.described = nil
        errors.causeOrigins = [:]
        let result = try withReferences(
            arguments.count + 3,
            making: { index in
                switch index {
                case 0: function
                // As the C API does without a `this`.
                case 1: this ?? JSContextGetGlobalObject(ref)
                case 2: JSValueMakeNumber(ref, Double(arguments.count))
                default: arguments[index - 3]
                }
            },
            { JSObjectCallAsFunction(ref, script.callCatching, nil, $0.count, $0.baseAddress, &exception) }
        )
        // These cannot be caught: a termination, or a stack too full to describe anything.
        guard let result else { throw self.exception(from: exception) }
        guard result == script.caught else {
            errors.lastThrower = nil
            return result
        }
        guard !virtualMachine.watchdog.hasTerminated, let described = errors.described.take() else {
            throw terminatedException()
        }
        throw described
    }

    /// Passes an unhandled rejection to ``uncaughtErrorHandler``.
    ///
    /// Rejections that a terminated script leaves are not reported, because the termination itself is.
    func reportRejection(_ reason: JSValueRef?) {
        guard let exception = describe(reason) else { return }
        reportUncaught(exception)
    }

    /// Describes a thrown value, or returns `nil` if the script was terminated before or meanwhile.
    private func describe(_ thrown: JSValueRef?) -> JSException? {
        guard !virtualMachine.watchdog.hasTerminated else { return nil }
        guard let thrown, let describe = script.describeInto else {
            return JSException(name: "Error", message: "the engine threw an unknown value")
        }
        errors.described = nil
        errors.causeOrigins = [:]
        var ignored: JSValueRef?
        let arguments: (JSValueRef?, JSValueRef?) = (thrown, script.consumeError)
        let result = withUnsafeBytes(of: arguments) {
            JSObjectCallAsFunction(
                ref,
                describe,
                nil,
                2,
                $0.assumingMemoryBound(to: JSValueRef?.self).baseAddress,
                &ignored
            )
        }
        if result != nil, let described = errors.described.take() { return described }
        guard !virtualMachine.watchdog.hasTerminated else { return nil }
        // Nothing in the package's script throws, but the stack may be too full to enter it.
        return JSException(name: "RangeError", message: "Maximum call stack size exceeded.")
    }

    private func terminatedException() -> JSException {
        // The engine clears its limit with each termination, and the outer script may catch this one.
        virtualMachine.watchdog.armAgain()
        return JSException(
            termination: virtualMachine.watchdog.termination,
            trace: ErrorTrace(stack: virtualMachine.watchdog.backtrace ?? "", sources: traceSources)
        )
    }

    /// Creates an exception from the arguments of the package's script: `(name, message, stack, code, handle, trail,
    /// thrown, hasRest, line, column, sourceURL, details)`.
    ///
    /// If `hasRest` is true, the rest is in the slab.
    func readException(_ arguments: CallArguments) -> JSException {
        let origin = arguments.errorOrigin(at: 4)
        let trace = ErrorTrace(
            stack: arguments.text(at: 2),
            trail: text(of: arguments.ref(at: 5)) ?? "",
            innerFrames: origin?.frames ?? [],
            own: arguments.count > 8
                ? ErrorTrace.Place(
                    sourceURL: text(of: arguments.ref(at: 10)),
                    line: arguments.lineNumber(at: 8),
                    column: arguments.lineNumber(at: 9)
                ) : nil,
            sources: traceSources
        )
        let name = arguments.text(at: 0)
        var exception = JSException(
            name: name,
            message: GlobalHints.message(arguments.text(at: 1), name: name, globals: globals.set),
            code: text(of: arguments.ref(at: 3)),
            trace: trace
        )
        if let origin { exception.underlyingError = origin.underlyingError }
        if arguments.count > 11 { exception.details = text(of: arguments.ref(at: 11)) }
        if let hasRest = arguments.ref(at: 7), JSValueToBoolean(ref, hasRest) {
            addRest(slab.takeTaken(), to: &exception)
            exception.isChanged = false
        }
        return exception
    }

    private func addRest(_ rest: Value, to exception: inout JSException) {
        if rest["data"] != .undefined { exception.data = rest["data"] }
        if rest["thrown"] != .undefined { exception.thrownValue = rest["thrown"] }
        defer { errors.causeOrigins = [:] }
        var causes: [JSException] = []
        var record = rest["cause"]
        while record != .undefined {
            var cause = JSException(record: record, sources: traceSources)
            if let origin = errors.causeOrigins[causes.count] {
                cause.underlyingError = origin.underlyingError
            }
            causes.append(cause)
            record = record["cause"]
        }
        exception.cause = causes.reversed().reduce(nil) { inner, cause in
            var cause = cause
            cause.cause = inner
            return cause
        }
    }
}

extension CallArguments {
    fileprivate func lineNumber(at index: Int) -> Int? {
        let number = integer(at: index)
        return number > 0 ? number : nil
    }
}

extension JSException {
    /// Creates a cause from the record that the package's own script has written.
    fileprivate init(record: Value, sources: TraceSources) {
        self.init(
            name: record["name"].text ?? "",
            message: record["message"].text ?? "",
            code: record["code"].text,
            trace: ErrorTrace(
                stack: record["stack"].text ?? "",
                own: ErrorTrace.Place(
                    sourceURL: record["sourceURL"].text,
                    line: record["line"].integerValue.flatMap { Int(exactly: $0) },
                    column: record["column"].integerValue.flatMap { Int(exactly: $0) }
                ),
                sources: sources
            )
        )
        if record["data"] != .undefined { data = record["data"] }
        if record["thrown"] != .undefined { thrownValue = record["thrown"] }
        details = record["details"].text
    }
}

extension Value {
    /// The string with lone surrogates replaced, or `nil` if the value is not a string.
    var text: String? {
        guard case .illFormedString(let units) = self else { return stringValue }
        return String(decoding: units, as: UTF16.self)
    }
}
