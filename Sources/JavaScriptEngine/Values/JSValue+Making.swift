internal import BridgeValues
internal import CJavaScriptCore

/// Initializers that create values.
extension JSValue {
    /// Creates a boolean.
    public convenience init(bool value: Bool, in context: JSContext) {
        self.init(unprotected: JSValueMakeBoolean(context.ref, value), in: context)
    }

    /// Creates a number.
    public convenience init(double value: Double, in context: JSContext) {
        self.init(unprotected: JSValueMakeNumber(context.ref, value), in: context)
    }

    /// Creates a number from a 32-bit integer.
    public convenience init(int32 value: Int32, in context: JSContext) {
        self.init(double: Double(value), in: context)
    }

    /// Creates a number from an unsigned 32-bit integer.
    public convenience init(uInt32 value: UInt32, in context: JSContext) {
        self.init(double: Double(value), in: context)
    }

    /// Creates `null`.
    public convenience init(nullIn context: JSContext) {
        self.init(unprotected: JSValueMakeNull(context.ref), in: context)
    }

    /// Creates `undefined`.
    public convenience init(undefinedIn context: JSContext) {
        self.init(unprotected: JSValueMakeUndefined(context.ref), in: context)
    }

    /// Creates an empty object.
    ///
    /// - Throws: ``JSException`` if the turn was stopped.
    public convenience init(newObjectIn context: JSContext) throws {
        self.init(try context.withTurn { JSObjectMake(context.ref, nil, nil) }, in: context)
    }

    /// Creates an array.
    ///
    /// - Throws: ``JSException`` if the engine has no memory for it.
    public convenience init(newArrayIn context: JSContext, of elements: [JSValue] = []) throws {
        let array = try context.withTurn {
            var exception: JSValueRef?
            let refs: [JSValueRef?] = try elements.map(context.ownRef)
            guard let array = JSObjectMakeArray(context.ref, refs.count, refs, &exception) else {
                throw context.exception(from: exception)
            }
            return array
        }
        self.init(array, in: context)
    }

    /// Creates an `Error` with a message; its stack is that of the running script.
    ///
    /// - Throws: ``JSException`` if the turn was stopped.
    public convenience init(newErrorFromMessage message: String, in context: JSContext) throws {
        let error = try context.withTurn {
            var exception: JSValueRef?
            var argument = context.makeString(message)
            guard let error = JSObjectMakeError(context.ref, 1, &argument, &exception) else {
                throw context.exception(from: exception)
            }
            return error
        }
        self.init(error, in: context)
    }

    /// Creates a regular expression.
    ///
    /// - Parameters:
    ///   - pattern: The pattern, without the slashes of a literal.
    ///   - flags: The flags, such as `gi`.
    ///   - context: The context of the new expression.
    /// - Throws: ``JSException`` with the name `SyntaxError` for an invalid pattern or invalid flags.
    public convenience init(
        newRegularExpressionFromPattern pattern: String,
        flags: String = "",
        in context: JSContext
    ) throws {
        let expression = try context.withTurn {
            try context.withReferences(
                2,
                making: { context.makeString($0 == 0 ? pattern : flags) },
                { arguments in
                    var exception: JSValueRef?
                    let expression = JSObjectMakeRegExp(
                        context.ref,
                        arguments.count,
                        arguments.baseAddress,
                        &exception
                    )
                    guard let expression else { throw context.exception(from: exception) }
                    return expression
                }
            )
        }
        self.init(expression, in: context)
    }

    /// Creates a symbol, which is equal to no other.
    ///
    /// - Throws: ``JSException`` if the turn was stopped.
    public convenience init(newSymbolFromDescription description: String, in context: JSContext) throws {
        let symbol = try context.withTurn {
            EngineString.with(description) { JSValueMakeSymbol(context.ref, $0) }
        }
        self.init(symbol, in: context)
    }

    /// Creates a `BigInt` from a 64-bit integer.
    ///
    /// - Throws: ``JSException`` if the engine has no memory for it.
    public convenience init(newBigIntFromInt64 value: Int64, in context: JSContext) throws {
        try self.init(bigIntIn: context) { JSBigIntCreateWithInt64($0, value, $1) }
    }

    /// Creates a `BigInt` from an unsigned 64-bit integer.
    ///
    /// - Throws: ``JSException`` if the engine has no memory for it.
    public convenience init(newBigIntFromUInt64 value: UInt64, in context: JSContext) throws {
        try self.init(bigIntIn: context) { JSBigIntCreateWithUInt64($0, value, $1) }
    }

    /// Creates a `BigInt` from an integral number.
    ///
    /// - Throws: ``JSException`` with the name `RangeError` for a number that is not integral.
    public convenience init(newBigIntFromDouble value: Double, in context: JSContext) throws {
        try self.init(bigIntIn: context) { JSBigIntCreateWithDouble($0, value, $1) }
    }

    /// Creates a `BigInt` from a string, as `BigInt(text)` does: digits, also with `0x`, `0o` or `0b`.
    ///
    /// - Throws: ``JSException`` with the name `SyntaxError` for a string that is not an integer.
    public convenience init(newBigIntFromString text: String, in context: JSContext) throws {
        try self.init(bigIntIn: context) { context, exception in
            EngineString.with(text) { JSBigIntCreateWithString(context, $0, exception) }
        }
    }

    private convenience init(
        bigIntIn context: JSContext,
        _ make: (JSContextRef, UnsafeMutablePointer<JSValueRef?>) -> JSValueRef?
    ) throws {
        let value = try context.withTurn {
            var exception: JSValueRef?
            guard let value = make(context.ref, &exception), exception == nil else {
                throw context.exception(from: exception)
            }
            return value
        }
        self.init(value, in: context)
    }
}

/// Comparisons.
extension JSValue {
    /// A Boolean value that indicates whether the value is a `BigInt`.
    public var isBigInt: Bool { JSValueIsBigInt(context.ref, ref) }

    /// Returns whether two values are strictly equal, as `===` does.
    ///
    /// This runs no script. Values of two virtual machines are never equal.
    public func isEqual(to other: JSValue) -> Bool {
        guard other.context.virtualMachine === context.virtualMachine else { return false }
        return JSValueIsStrictEqual(context.ref, ref, other.ref)
    }

    /// Returns whether two values are equal after conversions, as `==` does.
    ///
    /// - Throws: ``JSException`` with the error of a conversion.
    public func isEqualWithTypeCoercion(to other: JSValue) throws -> Bool {
        try context.withTurn {
            var exception: JSValueRef?
            let isEqual = JSValueIsEqual(context.ref, ref, try context.ownRef(other), &exception)
            guard exception == nil else { throw context.exception(from: exception) }
            return isEqual
        }
    }

    /// Returns whether a constructor or a subclass of it created the value, as `instanceof` does.
    ///
    /// - Throws: ``JSException`` if the other value is not a constructor.
    public func isInstance(of constructor: JSValue) throws -> Bool {
        try context.withTurn {
            let function = try context.ownRef(constructor)
            guard constructor.isObject else {
                throw JSException(name: "TypeError", message: "not a constructor")
            }
            var exception: JSValueRef?
            let isInstance = JSValueIsInstanceOfConstructor(context.ref, ref, function, &exception)
            guard exception == nil else { throw context.exception(from: exception) }
            return isInstance
        }
    }
}
