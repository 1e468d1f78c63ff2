internal import BridgeValues
internal import CJavaScriptCore

/// From what a script threw to an error of Swift.
///
/// A turn must be open for all of these.
extension JSContext {
    /// The error for what the engine threw into native code.
    func exception(from thrown: JSValueRef?) -> JSException {
        guard var exception = describe(thrown) else { return terminatedException() }
        if let thrown { exception.reference = ThrownReference(thrown, in: self) }
        return exception
    }

    /// Gives a rejection that nobody handles to ``uncaughtErrorHandler``.
    ///
    /// What remains of a script that was stopped is not reported: that it was stopped is.
    func reportRejection(_ reason: JSValueRef?) {
        guard let exception = describe(reason) else { return }
        reportUncaught(exception)
    }

    /// Takes apart what was thrown; `nil` where the script was stopped meanwhile or before.
    private func describe(_ thrown: JSValueRef?) -> JSException? {
        guard !virtualMachine.watchdog.hasTerminated else { return nil }
        guard let thrown, let describe = script.describeInto else {
            return JSException(name: "Error", message: "the engine threw nothing that it could name")
        }
        described = nil
        causeOrigins = [:]
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
        defer { described = nil }
        if result != nil, let described { return described }
        guard !virtualMachine.watchdog.hasTerminated else { return nil }
        // Nothing in the script's half throws, but the stack may be too full to enter it.
        return JSException(name: "RangeError", message: "Maximum call stack size exceeded.")
    }

    private func terminatedException() -> JSException {
        // The engine forgets the limit with each termination, and the outer script may catch this one.
        virtualMachine.watchdog.arm()
        return .terminated
    }

    /// `(name, message, stack, line, column, sourceURL, code, handle, trail, hasRest)`: what the script's
    /// half found; the rest, where there is any, is in the slab.
    func readException(_ arguments: RawArguments) -> JSException {
        var source = ErrorTrace.Source(texts: sources, hostFunctions: hostFunctions)
        source.stack = arguments.text(at: 2)
        source.sourceURL = text(of: arguments.ref(at: 5))
        source.line = arguments.lineNumber(at: 3)
        source.column = arguments.lineNumber(at: 4)
        source.trail = arguments.text(at: 8)
        let origin = arguments.errorOrigin(at: 7)
        source.innerFrames = origin?.frames ?? []
        var exception = JSException(
            name: arguments.text(at: 0),
            message: arguments.text(at: 1),
            code: text(of: arguments.ref(at: 6)),
            trace: ErrorTrace(source)
        )
        exception.underlyingError = origin?.underlyingError
        if let hasRest = arguments.ref(at: 9), JSValueToBoolean(ref, hasRest) {
            addRest(slab.takeTaken(), to: &exception)
        }
        return exception
    }

    private func addRest(_ rest: Value, to exception: inout JSException) {
        if rest["data"] != .undefined { exception.data = rest["data"] }
        if rest["thrown"] != .undefined { exception.thrownValue = rest["thrown"] }
        defer { causeOrigins = [:] }
        var causes: [JSException] = []
        var record = rest["cause"]
        while record != .undefined {
            var cause = JSException(record: record, sources: sources, hostFunctions: hostFunctions)
            if let origin = causeOrigins[causes.count] { cause.underlyingError = origin.underlyingError }
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

extension RawArguments {
    fileprivate func lineNumber(at index: Int) -> Int? {
        let number = integer(at: index)
        return number > 0 ? number : nil
    }
}

extension JSException {
    /// Makes a cause of the record that the package's own script makes of it.
    fileprivate init(record: Value, sources: SourceTexts, hostFunctions: [String: StackFrame]) {
        var source = ErrorTrace.Source(texts: sources, hostFunctions: hostFunctions)
        source.stack = record["stack"].text ?? ""
        source.sourceURL = record["sourceURL"].text
        source.line = record["line"].integerValue.flatMap { Int(exactly: $0) }
        source.column = record["column"].integerValue.flatMap { Int(exactly: $0) }
        self.init(
            name: record["name"].text ?? "",
            message: record["message"].text ?? "",
            code: record["code"].text,
            trace: ErrorTrace(source)
        )
        if record["data"] != .undefined { data = record["data"] }
        if record["thrown"] != .undefined { thrownValue = record["thrown"] }
    }
}

extension Value {
    /// Text, lone surrogates replaced.
    var text: String? {
        guard case .illFormedString(let units) = self else { return stringValue }
        return String(decoding: units, as: UTF16.self)
    }
}
