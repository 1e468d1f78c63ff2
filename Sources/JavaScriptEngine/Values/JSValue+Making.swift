internal import BridgeValues
internal import CJavaScriptCore

/// Making values.
extension JSValue {
    /// Makes a boolean.
    public convenience init(bool value: Bool, in context: JSContext) {
        self.init(unprotected: JSValueMakeBoolean(context.ref, value), in: context)
    }

    /// Makes a number.
    public convenience init(double value: Double, in context: JSContext) {
        self.init(unprotected: JSValueMakeNumber(context.ref, value), in: context)
    }

    /// Makes a number of a 32-bit integer.
    public convenience init(int32 value: Int32, in context: JSContext) {
        self.init(double: Double(value), in: context)
    }

    /// Makes a number of an unsigned 32-bit integer.
    public convenience init(uInt32 value: UInt32, in context: JSContext) {
        self.init(double: Double(value), in: context)
    }

    /// Makes `null`.
    public convenience init(nullIn context: JSContext) {
        self.init(unprotected: JSValueMakeNull(context.ref), in: context)
    }

    /// Makes `undefined`.
    public convenience init(undefinedIn context: JSContext) {
        self.init(unprotected: JSValueMakeUndefined(context.ref), in: context)
    }

    /// Makes an empty object.
    ///
    /// - Throws: ``JSException`` where the turn was stopped.
    public convenience init(newObjectIn context: JSContext) throws {
        self.init(try context.withTurn { JSObjectMake(context.ref, nil, nil) }, in: context)
    }

    /// Makes an array.
    ///
    /// - Throws: ``JSException`` where the engine has no memory for it.
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

    /// Makes an `Error` with a message; its stack is that of the script which is running.
    ///
    /// - Throws: ``JSException`` where the turn was stopped.
    public convenience init(newErrorFromMessage message: String, in context: JSContext) throws {
        let error = try context.withTurn {
            var exception: JSValueRef?
            var argument = context.makeText(message)
            guard let error = JSObjectMakeError(context.ref, 1, &argument, &exception) else {
                throw context.exception(from: exception)
            }
            return error
        }
        self.init(error, in: context)
    }

    /// Makes a regular expression.
    ///
    /// - Parameters:
    ///   - pattern: What stands between the slashes of a literal.
    ///   - flags: Such as `gi`.
    ///   - context: Where it lives.
    /// - Throws: ``JSException`` with the name `SyntaxError` for a pattern or flags that are none.
    public convenience init(
        newRegularExpressionFromPattern pattern: String,
        flags: String = "",
        in context: JSContext
    ) throws {
        let expression = try context.withTurn {
            try context.withReferences(
                2,
                making: { context.makeText($0 == 0 ? pattern : flags) },
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

    /// Makes a symbol, which is equal to no other.
    ///
    /// - Throws: ``JSException`` where the turn was stopped.
    public convenience init(newSymbolFromDescription description: String, in context: JSContext) throws {
        let symbol = try context.withTurn {
            EngineText.with(description) { JSValueMakeSymbol(context.ref, $0) }
        }
        self.init(symbol, in: context)
    }

    /// Makes a `BigInt` of a 64-bit integer.
    ///
    /// - Throws: ``JSException`` where the engine has no memory for it.
    public convenience init(newBigIntFromInt64 value: Int64, in context: JSContext) throws {
        try self.init(bigIntIn: context) { JSBigIntCreateWithInt64($0, value, $1) }
    }

    /// Makes a `BigInt` of an unsigned 64-bit integer.
    ///
    /// - Throws: ``JSException`` where the engine has no memory for it.
    public convenience init(newBigIntFromUInt64 value: UInt64, in context: JSContext) throws {
        try self.init(bigIntIn: context) { JSBigIntCreateWithUInt64($0, value, $1) }
    }

    /// Makes a `BigInt` of a whole number.
    ///
    /// - Throws: ``JSException`` with the name `RangeError` for a number that is not whole.
    public convenience init(newBigIntFromDouble value: Double, in context: JSContext) throws {
        try self.init(bigIntIn: context) { JSBigIntCreateWithDouble($0, value, $1) }
    }

    /// Makes a `BigInt` of text, as `BigInt(text)` does: digits, also `0x`, `0o` and `0b`.
    ///
    /// - Throws: ``JSException`` with the name `SyntaxError` for text that is no whole number.
    public convenience init(newBigIntFromString text: String, in context: JSContext) throws {
        try self.init(bigIntIn: context) { context, exception in
            EngineText.with(text) { JSBigIntCreateWithString(context, $0, exception) }
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

/// Comparing values.
extension JSValue {
    /// Whether this is a `BigInt`.
    public var isBigInt: Bool { JSValueIsBigInt(context.ref, ref) }

    /// Whether two values are the same, as `===` says.
    ///
    /// Runs no script. Values of two virtual machines never are.
    public func isEqual(to other: JSValue) -> Bool {
        guard other.context.virtualMachine === context.virtualMachine else { return false }
        return JSValueIsStrictEqual(context.ref, ref, other.ref)
    }

    /// Whether two values are equal after conversions, as `==` says.
    ///
    /// - Throws: ``JSException`` for what a conversion throws.
    public func isEqualWithTypeCoercion(to other: JSValue) throws -> Bool {
        try context.withTurn {
            var exception: JSValueRef?
            let isEqual = JSValueIsEqual(context.ref, ref, try context.ownRef(other), &exception)
            guard exception == nil else { throw context.exception(from: exception) }
            return isEqual
        }
    }

    /// Whether this was made by a constructor or a subclass of it, as `instanceof` says.
    ///
    /// - Throws: ``JSException`` where the other value is no constructor.
    public func isInstance(of constructor: JSValue) throws -> Bool {
        try context.withTurn {
            let function = try context.ownRef(constructor)
            guard constructor.isObject else {
                throw JSException(name: "TypeError", message: "a value that is no object constructs nothing")
            }
            var exception: JSValueRef?
            let isInstance = JSValueIsInstanceOfConstructor(context.ref, ref, function, &exception)
            guard exception == nil else { throw context.exception(from: exception) }
            return isInstance
        }
    }
}
