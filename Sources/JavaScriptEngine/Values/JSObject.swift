internal import BridgeValues

/// A value that is known to be an object: its properties by name, by index and by symbol.
///
/// ```swift
/// let point = try JSObject(context.evaluate("({ x: 1, y: 2 })"))
/// let sum = try point["x"].toDouble() + point["y"].toDouble()
/// try point.set("sum", to: JSValue(double: sum, in: context))
/// for (name, value) in try point.properties() { print(name, try value.toString()) }
/// ```
///
/// Reads and writes run getters and setters, in the turn that is open or in one of their own. Like
/// ``JSValue`` it stays with its context's owner.
public struct JSObject {
    /// The object as a value.
    public let value: JSValue

    /// Takes a value for an object.
    ///
    /// - Throws: ``JSException`` with the name `TypeError` where it is none.
    public init(_ value: JSValue) throws {
        guard value.isObject else {
            throw JSException(name: "TypeError", message: "a value that is no object was taken for one")
        }
        self.value = value
    }

    /// Makes an empty object.
    ///
    /// - Throws: ``JSException`` where the turn was stopped.
    public init(in context: JSContext) throws { value = try JSValue(newObjectIn: context) }

    /// The context that the object lives in.
    public var context: JSContext { value.context }

    /// The value of a property, `undefined` where there is none.
    ///
    /// Runs a getter.
    public subscript(_ key: JSPropertyKey) -> JSValue { get throws { try value.forProperty(key) } }

    /// The value of a property, `undefined` where there is none.
    ///
    /// Runs a getter.
    public subscript(_ name: String) -> JSValue { get throws { try value.forProperty(name) } }

    /// The value at an index, `undefined` where there is none.
    ///
    /// Runs a getter.
    public subscript(_ index: Int) -> JSValue { get throws { try value.atIndex(index) } }

    /// Sets a property.
    ///
    /// Runs a setter.
    ///
    /// - Throws: ``JSException`` for what a setter throws.
    public func set(_ key: JSPropertyKey, to newValue: JSValue) throws {
        try value.setValue(newValue, forProperty: key)
    }

    /// Whether the object or one of its prototypes has a property.
    ///
    /// - Throws: ``JSException`` for what a proxy throws.
    public func has(_ key: JSPropertyKey) throws -> Bool { try value.hasProperty(key) }

    /// Deletes a property.
    ///
    /// - Returns: Whether it is gone.
    /// - Throws: ``JSException`` for what a proxy throws.
    @discardableResult
    public func delete(_ key: JSPropertyKey) throws -> Bool { try value.deleteProperty(key) }

    /// The names of the own enumerable properties, in JavaScript's order.
    ///
    /// - Throws: ``JSException`` for what a proxy throws.
    public func keys() throws -> [String] { try value.propertyNames() }

    /// The own enumerable properties, in JavaScript's order.
    ///
    /// Each getter runs once; a property that a getter deletes meanwhile is `undefined`.
    ///
    /// - Throws: ``JSException`` for what a getter or a proxy throws.
    public func properties() throws -> [(name: String, value: JSValue)] {
        try context.withTurn { try keys().map { ($0, try value.forProperty($0)) } }
    }

    /// The object's prototype, or `null`.
    ///
    /// - Throws: ``JSException`` for what a proxy throws.
    public func prototype() throws -> JSValue {
        try context.withTurn {
            JSValue(
                try context.call(context.primordial("ObjectGetPrototypeOf"), [value.ref]),
                in: context
            )
        }
    }

    /// Calls a method.
    ///
    /// - Throws: ``JSException`` for what the method throws, also when there is none of that name.
    @discardableResult
    public func invokeMethod(_ name: String, withArguments arguments: [JSValue] = []) throws -> JSValue {
        try value.invokeMethod(name, withArguments: arguments)
    }
}
