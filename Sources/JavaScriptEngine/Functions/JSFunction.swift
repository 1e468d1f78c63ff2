internal import BridgeValues
internal import CJavaScriptCore

/// A function of a script, or a Swift function that scripts can call.
///
/// Like every ``JSValue``, it stays with its context's owner.
public struct JSFunction {
    /// The function as a value.
    public let value: JSValue
    /// The value of `this` in the function; nil for `undefined`.
    @usableFromInline let this: JSValue?

    /// Creates a function from a value that can be called.
    ///
    /// - Throws: ``JSException`` if the value is not a function.
    public init(_ value: JSValue) throws { try self.init(value, this: nil) }

    init(_ value: JSValue, this: JSValue?) throws {
        guard value.isFunction else {
            throw JSException(name: "TypeError", message: "not a function")
        }
        self.value = value
        self.this = this
    }

    /// Returns the function as a closure with parameters and a result of Swift types.
    ///
    /// ```swift
    /// let add: (Int, Int) throws -> Int = function.typed()
    /// ```
    ///
    /// Arguments are encoded by their types: numbers, strings and booleans directly, `Codable` and ``JSShaped`` types
    /// as objects. The result is decoded as the requested type. The closure opens a turn if none is open. It retains
    /// the function and its context, and stays with their owner.
    ///
    /// The closure throws ``JSException`` for an error of the function. For a result that does not fit, it throws
    /// `BridgeError` with the code `decodeFailed`, which names the position in the result.
    @inlinable
    @_disfavoredOverload
    public func typed<each Parameter: Encodable, Result: Decodable>(
        returning type: Result.Type = Result.self
    ) -> (repeat each Parameter) throws -> Result {
        let call = TypedCall(self, parameters: Self.types(repeat (each Parameter).self), result: Result.self)
        return { (arguments: repeat each Parameter) throws -> Result in
            try call.run(Result.self) { writer in repeat try writer.add(each arguments) }
        }
    }

    /// Returns the function as a closure with one parameter and a result of Swift types.
    ///
    /// It works like ``typed(returning:)`` for any number of parameters, and is faster.
    @inlinable
    public func typed<Parameter: Encodable, Result: Decodable>(
        returning type: Result.Type = Result.self
    ) -> (Parameter) throws -> Result {
        let call = TypedCall(self, parameters: [Parameter.self], result: Result.self)
        return { argument in try call.run(Result.self) { try $0.add(argument) } }
    }

    /// Returns the function as a closure with two parameters and a result of Swift types.
    ///
    /// It works like ``typed(returning:)`` for any number of parameters, and is faster.
    @inlinable
    public func typed<First: Encodable, Second: Encodable, Result: Decodable>(
        returning type: Result.Type = Result.self
    ) -> (First, Second) throws -> Result {
        let call = TypedCall(self, parameters: [First.self, Second.self], result: Result.self)
        return { first, second in
            try call.run(Result.self) {
                try $0.add(first)
                try $0.add(second)
            }
        }
    }

    /// Returns the function as a closure with three parameters and a result of Swift types.
    ///
    /// It works like ``typed(returning:)`` for any number of parameters, and is faster.
    @inlinable
    public func typed<First: Encodable, Second: Encodable, Third: Encodable, Result: Decodable>(
        returning type: Result.Type = Result.self
    ) -> (First, Second, Third) throws -> Result {
        let call = TypedCall(
            self,
            parameters: [First.self, Second.self, Third.self],
            result: Result.self
        )
        return { first, second, third in
            try call.run(Result.self) {
                try $0.add(first)
                try $0.add(second)
                try $0.add(third)
            }
        }
    }

    /// Returns the function as a closure with parameters of Swift types.
    ///
    /// Its result is not read.
    @inlinable
    public func typed<each Parameter: Encodable>() -> (repeat each Parameter) throws -> Void {
        let call = TypedCall(self, parameters: Self.types(repeat (each Parameter).self), result: nil)
        return { (arguments: repeat each Parameter) throws -> Void in
            try call.run { writer in repeat try writer.add(each arguments) }
        }
    }

    @usableFromInline
    static func types<each Parameter>(_ parameters: repeat (each Parameter).Type) -> [Any.Type] {
        var types: [Any.Type] = []
        repeat types.append(each parameters)
        return types
    }
}

extension JSContext {
    /// Returns a function of the global object as a closure with parameters and a result of Swift types.
    ///
    /// ```swift
    /// let add: (Int, Int) throws -> Int = try context.function("add")
    /// let sum = try add(2, 3)
    /// ```
    ///
    /// `JSFunction.typed(returning:)` describes the closure.
    ///
    /// - Parameter name: A property of the global object, or a method of one of its objects: `Math.max`.
    /// - Returns: The closure.
    /// - Throws: ``JSException`` if no function has that name, or a getter throws.
    @inlinable
    @_disfavoredOverload
    public func function<each Parameter: Encodable, Result: Decodable>(_ name: String) throws -> (
        repeat each Parameter
    ) throws -> Result {
        try globalFunction(name).typed()
    }

    /// Returns a function of the global object as a closure with one parameter and a result of Swift types.
    ///
    /// It works like ``function(_:)`` for any number of parameters, and is faster.
    ///
    /// - Throws: ``JSException`` if no function has that name, or a getter throws.
    @inlinable
    public func function<Parameter: Encodable, Result: Decodable>(_ name: String) throws -> (
        Parameter
    ) throws -> Result {
        try globalFunction(name).typed()
    }

    /// Returns a function of the global object as a closure with two parameters and a result of Swift types.
    ///
    /// It works like ``function(_:)`` for any number of parameters, and is faster.
    ///
    /// - Throws: ``JSException`` if no function has that name, or a getter throws.
    @inlinable
    public func function<First: Encodable, Second: Encodable, Result: Decodable>(_ name: String) throws -> (
        First, Second
    ) throws -> Result {
        try globalFunction(name).typed()
    }

    /// Returns a function of the global object as a closure with parameters of Swift types.
    ///
    /// Its result is not read.
    ///
    /// - Throws: ``JSException`` if no function has that name, or a getter throws.
    @inlinable
    public func function<each Parameter: Encodable>(_ name: String) throws -> (
        repeat each Parameter
    ) throws -> Void {
        try globalFunction(name).typed()
    }

    @usableFromInline
    func globalFunction(_ name: String) throws -> JSFunction {
        try withTurn {
            var value = globalObject
            var owner: JSValue?
            for part in name.split(separator: ".", omittingEmptySubsequences: false) {
                owner = value
                value = try value.forProperty(String(part))
                if value.isUndefined || value.isNull {
                    throw JSException(name: "TypeError", message: "there is no function '\(name)'")
                }
            }
            guard value.isFunction else {
                throw JSException(name: "TypeError", message: "'\(name)' is not a function")
            }
            return try JSFunction(value, this: owner)
        }
    }
}
