internal import BridgeValues
internal import CJavaScriptCore

extension JSContext {
    /// Returns the value that is thrown into a script for a Swift error.
    ///
    /// A value that a script threw is thrown again unchanged. For any other error the script gets an `Error` with its
    /// code, message, data and causes, which is linked to the original error.
    func thrownValue(for error: any Error) -> JSValueRef? {
        if virtualMachine.watchdog.hasTerminated {
            // If it propagates, this ends the script. A script that catches it is terminated at the next tick.
            virtualMachine.watchdog.armAgain()
            return makeString("JavaScript execution terminated.")
        }
        do {
            if let exception = error as? JSException {
                if !exception.isChanged, let thrown = exception.trace.thrown(in: self) { return thrown }
                if exception.name.isEmpty, let value = exception.thrownValue { return try makeRef(value) }
            }
            // The functions that would describe it were released.
            guard !isClosed else { return plainError(BridgeError(wrapping: error).message) }
            var record = BridgeError(wrapping: error).record
            // The engine's own errors of imports have no code either.
            if error is ModuleError, case .object(var members) = record {
                members["code"] = nil
                record = .object(members)
            }
            let handle = makeHandle(ErrorOrigin(error))
            return try withReferences(
                2,
                making: { $0 == 0 ? try makeRef(record) : handle.ref },
                { try call(script.makeError, $0) }
            )
        } catch let failure as JSException {
            // The error's data cannot be created here, or the stack is full.
            return failure.trace.thrown(in: self) ?? makeString(failure.message)
        } catch {
            return makeString(BridgeError(wrapping: error).message)
        }
    }

    private func plainError(_ message: String) -> JSValueRef? {
        var argument = makeString(message)
        return JSObjectMakeError(ref, 1, &argument, nil)
    }
}
