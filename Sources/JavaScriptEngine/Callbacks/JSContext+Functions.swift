package import BridgeValues
internal import CJavaScriptCore

extension JSContext {
    /// Makes a function that scripts can call and that runs a Swift closure with the values as they are.
    ///
    /// The closure runs inside the caller's turn, on its thread. What it throws is thrown into the script: a
    /// ``JSException`` as what the script had thrown, any other error as an `Error` with the code, message and
    /// data of a `BridgeError`, from which Swift gets it back (``JSException/underlyingError``).
    /// For closures with parameters of Swift types there is ``makeFunction(_:fileID:line:_:)``, which is faster too.
    ///
    /// - Parameters:
    ///   - name: The function's name, for stacks.
    ///   - parameterCount: How many parameters it declares; up to four are passed without an array, and then
    ///     no more than these.
    ///   - fileID: Where traces say that the function is: the caller's place.
    ///   - line: The line there.
    ///   - body: Takes the arguments; those that were not given are `undefined`. It must not hold this context.
    /// - Returns: The function.
    /// - Throws: ``JSException`` where the turn was stopped.
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
            // The caller's frame keeps the arguments alive during the call; only one that outlives it needs
            // protection.
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

    /// Makes a function for the package's own script: arguments are read where they stand, results are data.
    ///
    /// It is callable, but no function of the script's world: never hand it to a script of a user.
    package func makeHostFunction(_ body: @escaping (HostCall) throws -> Value) -> JSValue {
        let box = HostFunction.makeBox(in: self) { arguments in
            let result = try body(HostCall(arguments: arguments))
            return EncodedValue(try arguments.context.makeRef(result))
        }
        return JSValue(box, in: self)
    }

    /// Makes such a function whose result is a value of the engine.
    package func makeHostFunction(returningValue body: @escaping (HostCall) throws -> JSValue?) -> JSValue {
        let box = HostFunction.makeBox(in: self) { arguments in
            guard let result = try body(HostCall(arguments: arguments)) else {
                return EncodedValue(JSValueMakeUndefined(arguments.context.ref))
            }
            return EncodedValue(try arguments.context.ownRef(result))
        }
        return JSValue(box, in: self)
    }

    /// Makes the function of the script's world around a closure.
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
                    case 1: makeText(name)
                    case 2: JSValueMakeNumber(ref, Double(parameterCount))
                    default: JSValueMakeBoolean(ref, isVariadic)
                    }
                },
                { JSValue(try call(script.makeFunction, $0), in: self) }
            )
        }
    }
}
