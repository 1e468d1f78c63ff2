internal import BridgeValues

/// A value that is known to be an object, with its properties by name, by index and by symbol.
///
/// ```swift
/// let point = try JSObject(context.evaluate("({ x: 1, y: 2 })"))
/// let sum = try point["x"].toDouble() + point["y"].toDouble()
/// try point.set("sum", to: JSValue(double: sum, in: context))
/// for (name, value) in try point.properties() { print(name, try value.toString()) }
/// ```
///
/// Reading and writing runs getters and setters, in the open turn or in a turn of its own. Like
/// ``JSValue``, an object belongs to its context's owner.
public struct JSObject {
    /// The object as a value.
    public let value: JSValue

    /// Wraps a value that is an object.
    ///
    /// - Throws: ``JSException`` with the name `TypeError` if the value is not an object.
    public init(_ value: JSValue) throws {
        guard value.isObject else {
            throw JSException(name: "TypeError", message: "not an object")
        }
        self.value = value
    }

    /// Creates an empty object.
    ///
    /// - Throws: ``JSException`` if the turn was stopped.
    public init(in context: JSContext) throws { value = try JSValue(newObjectIn: context) }

    /// The context of the object.
    public var context: JSContext { value.context }

    /// The value of a property; `undefined` if there is none.
    ///
    /// Reading runs a getter.
    public subscript(_ key: JSPropertyKey) -> JSValue { get throws { try value.forProperty(key) } }

    /// The value of a property; `undefined` if there is none.
    ///
    /// Reading runs a getter.
    public subscript(_ name: String) -> JSValue { get throws { try value.forProperty(name) } }

    /// The value at an index; `undefined` if there is none.
    ///
    /// Reading runs a getter.
    public subscript(_ index: Int) -> JSValue { get throws { try value.atIndex(index) } }

    /// Sets a property.
    ///
    /// This runs a setter.
    ///
    /// - Throws: ``JSException`` with the error of a setter.
    public func set(_ key: JSPropertyKey, to newValue: JSValue) throws {
        try value.setValue(newValue, forProperty: key)
    }

    /// Returns whether the object or one of its prototypes has a property.
    ///
    /// - Throws: ``JSException`` with the error of a proxy.
    public func has(_ key: JSPropertyKey) throws -> Bool { try value.hasProperty(key) }

    /// Deletes a property.
    ///
    /// - Returns: Whether the object has no such own property afterwards.
    /// - Throws: ``JSException`` with the error of a proxy.
    @discardableResult
    public func delete(_ key: JSPropertyKey) throws -> Bool { try value.deleteProperty(key) }

    /// Returns the names of the own enumerable properties, in JavaScript's order.
    ///
    /// - Throws: ``JSException`` with the error of a proxy.
    public func keys() throws -> [String] { try value.propertyNames() }

    /// Returns the own enumerable properties, in JavaScript's order.
    ///
    /// Each getter runs once. If a getter deletes another property meanwhile, that property is `undefined`.
    ///
    /// - Throws: ``JSException`` with the error of a getter or a proxy.
    public func properties() throws -> [(name: String, value: JSValue)] {
        try context.withTurn { try keys().map { ($0, try value.forProperty($0)) } }
    }

    /// Returns the object's prototype, or `null`.
    ///
    /// - Throws: ``JSException`` with the error of a proxy.
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
    /// - Throws: ``JSException`` with the error of the method, or if the object has no such method.
    @discardableResult
    public func invokeMethod(_ name: String, withArguments arguments: [JSValue] = []) throws -> JSValue {
        try value.invokeMethod(name, withArguments: arguments)
    }
}
