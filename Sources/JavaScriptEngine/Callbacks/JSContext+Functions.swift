package import BridgeValues
internal import CJavaScriptCore

extension JSContext {
    /// Creates a function that scripts can call and that runs a Swift closure with the values themselves, not copies.
    ///
    /// The closure runs inside the caller's turn, on its thread. An error that it throws is thrown into the script. A
    /// ``JSException`` throws the value that the script had thrown. Any other error becomes an `Error` with the code,
    /// message and data of a `BridgeError`; Swift can get the original error back (``JSException/underlyingError``).
    /// For closures with parameters of Swift types, use `makeFunction(_:_:)`, which is also faster.
    ///
    /// - Parameters:
    ///   - name: The function's name, for stacks.
    ///   - parameterCount: The number of parameters that it declares. With one to four, arguments are passed without an
    ///     array, and further arguments are dropped.
    ///   - fileID: The file that traces show for the function; by default the caller's.
    ///   - line: The line that traces show for the function; by default the caller's.
    ///   - body: Receives the arguments; missing ones are `undefined`. It must not retain this context.
    /// - Returns: The function.
    /// - Throws: ``JSException`` if the turn was terminated.
    public func makeFunction(
        named name: String,
        parameterCount: Int = 0,
        fileID: String = #fileID,
        line: Int = #line,
        _ body: @escaping (JSArguments<JSValue>) throws -> JSValue?
    ) throws -> JSValue {
        noteHostFunction(name, fileID: fileID, line: line)
        return try makeWrapper(named: name, parameterCount: parameterCount, isVariadic: parameterCount == 0) {
            arguments in
            let context = arguments.context
            // The caller's frame keeps the arguments alive during the call, so only a value that outlives the call
            // needs protection.
            var values = (0..<arguments.count).map {
                JSValue(unprotected: arguments.ref(at: $0), in: context)
            }
            defer {
                values.withUnsafeMutableBufferPointer { values in
                    for index in values.indices where !isKnownUniquelyReferenced(&values[index]) {
                        values[index].protect()
                    }
                }
            }
            let given = JSArguments(values, undefined: JSValue(undefinedIn: context))
            guard let result = try body(given) else { return .undefined }
            return EncodedValue(try context.ownRef(result))
        }
    }

    /// Creates a function for the package's own script.
    ///
    /// It reads its arguments in place and returns data.
    ///
    /// The result is callable, but it is not a JavaScript function: never pass it to a user's script.
    package func makeHostFunction(_ body: @escaping (HostCall) throws -> Value) -> JSValue {
        let box = HostFunction.makeBox(in: self) { arguments in
            let result = try body(HostCall(arguments: arguments))
            return EncodedValue(try arguments.context.makeRef(result))
        }
        return JSValue(box, in: self)
    }

    /// Creates a function for the package's own script that returns a value of the engine.
    package func makeHostFunction(returningValue body: @escaping (HostCall) throws -> JSValue?) -> JSValue {
        let box = HostFunction.makeBox(in: self) { arguments in
            guard let result = try body(HostCall(arguments: arguments)) else {
                return EncodedValue(JSValueMakeUndefined(arguments.context.ref))
            }
            return EncodedValue(try arguments.context.ownRef(result))
        }
        return JSValue(box, in: self)
    }

    /// Creates the JavaScript function around a closure.
    func makeWrapper(
        named name: String,
        parameterCount: Int,
        isVariadic: Bool = false,
        _ body: @escaping HostFunction.Body
    ) throws -> JSValue {
        try withTurn {
            try withReferences(
                4,
                making: { index in
                    switch index {
                    case 0: HostFunction.makeBox(named: name, in: self, body)
                    case 1: makeString(name)
                    case 2: JSValueMakeNumber(ref, Double(parameterCount))
                    default: JSValueMakeBoolean(ref, isVariadic)
                    }
                },
                { JSValue(try call(script.makeFunction, $0), in: self) }
            )
        }
    }
}
