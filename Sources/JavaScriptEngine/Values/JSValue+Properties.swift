public import BridgeValues
internal import CJavaScriptCore

/// The key of a property: a string, an index, or a symbol.
///
/// Literals can be used as keys: `"name"` and `3`.
public enum JSPropertyKey {
    /// A name.
    case name(String)
    /// An index of an array or of an array-like object.
    case index(Int)
    /// A symbol, such as `Symbol.iterator` or one that ``JSValue/init(newSymbolFromDescription:in:)`` creates.
    case symbol(JSValue)
}

extension JSPropertyKey: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// Creates a key from a name.
    public init(stringLiteral name: String) { self = .name(name) }

    /// Creates a key from an index.
    public init(integerLiteral index: Int) { self = .index(index) }
}

extension JSPropertyKey: CustomStringConvertible {
    /// The key in the form that a log uses.
    public var description: String {
        switch self {
        case .name(let name): name
        case .index(let index): String(index)
        case .symbol(let symbol): (try? symbol.symbolText()) ?? "a symbol"
        }
    }

    /// Runs a body with the key as a value of a context.
    ///
    /// A turn must be open.
    func withRef<Result>(
        in context: JSContext,
        _ body: (JSValueRef?) throws -> Result
    ) throws -> Result {
        switch self {
        case .name(let name): return try body(context.makeString(name))
        case .index(let index): return try body(JSValueMakeNumber(context.ref, Double(index)))
        case .symbol(let symbol):
            guard symbol.isSymbol else {
                throw JSException(name: "TypeError", message: "the property key is not a symbol")
            }
            return try body(context.ownRef(symbol))
        }
    }
}

extension JSValue {
    /// The value of a property; `undefined` if there is none.
    ///
    /// Reading runs a getter.
    public subscript(_ name: String) -> JSValue { get throws { try forProperty(name) } }

    /// The value at an index; `undefined` if there is none.
    ///
    /// Reading runs a getter.
    public subscript(_ index: Int) -> JSValue { get throws { try atIndex(index) } }

    /// Returns the value of a property; `undefined` if there is none.
    ///
    /// This runs a getter.
    ///
    /// - Throws: ``JSException`` with the error of a getter, or if the value is not an object.
    public func forProperty(_ key: JSPropertyKey) throws -> JSValue {
        switch key {
        case .name(let name): return try forProperty(name)
        case .index(let index): return try atIndex(index)
        case .symbol: break
        }
        return try context.withTurn {
            let object = try objectRef(for: key)
            var exception: JSValueRef?
            let value = try key.withRef(in: context) {
                JSObjectGetPropertyForKey(context.ref, object, $0, &exception)
            }
            guard exception == nil else { throw context.exception(from: exception) }
            return JSValue(value, in: context)
        }
    }

    /// Returns the value at an index; `undefined` if there is none.
    ///
    /// - Throws: ``JSException`` with the error of a getter, or if the value is not an object or the index is
    ///   negative.
    public func atIndex(_ index: Int) throws -> JSValue {
        try context.withTurn {
            let object = try objectRef(for: .index(index))
            let position = try Self.position(of: index)
            var exception: JSValueRef?
            let value = JSObjectGetPropertyAtIndex(context.ref, object, position, &exception)
            guard exception == nil else { throw context.exception(from: exception) }
            return JSValue(value, in: context)
        }
    }

    /// Sets a property.
    ///
    /// This runs a setter.
    ///
    /// - Throws: ``JSException`` with the error of a setter, or if the property is read-only or the value is
    ///   not an object.
    public func setValue(_ value: JSValue, forProperty key: JSPropertyKey) throws {
        switch key {
        case .name(let name): return try setValue(value, forProperty: name)
        case .index(let index): return try setValue(value, at: index)
        case .symbol: break
        }
        try context.withTurn {
            let object = try objectRef(for: key)
            let own = try context.ownRef(value)
            var exception: JSValueRef?
            try key.withRef(in: context) {
                JSObjectSetPropertyForKey(
                    context.ref,
                    object,
                    $0,
                    own,
                    JSPropertyAttributes(kJSPropertyAttributeNone),
                    &exception
                )
            }
            guard exception == nil else { throw context.exception(from: exception) }
        }
    }

    /// Sets the value at an index.
    ///
    /// - Throws: ``JSException`` with the error of a setter, or if the value is not an object or the index is
    ///   negative.
    public func setValue(_ value: JSValue, at index: Int) throws {
        try context.withTurn {
            let object = try objectRef(for: .index(index))
            let position = try Self.position(of: index)
            let own = try context.ownRef(value)
            var exception: JSValueRef?
            JSObjectSetPropertyAtIndex(context.ref, object, position, own, &exception)
            guard exception == nil else { throw context.exception(from: exception) }
        }
    }

    /// Sets the value at an index to data.
    ///
    /// - Throws: The errors of ``setValue(_:at:)-(JSValue,_)``.
    public func setValue(_ value: Value, at index: Int) throws {
        try context.withTurn { try setValue(JSValue(value, in: context), at: index) }
    }

    /// Returns whether the object or one of its prototypes has a property, as `key in object` does.
    ///
    /// - Throws: ``JSException`` with the error of a proxy, or if the value is not an object.
    public func hasProperty(_ key: JSPropertyKey) throws -> Bool {
        try invoke(JSObjectHasPropertyForKey, on: key)
    }

    /// Deletes a property, as `delete object[key]` does.
    ///
    /// - Returns: Whether the object has no such own property afterwards; `false` if the property cannot be deleted.
    /// - Throws: ``JSException`` with the error of a proxy, or if the value is not an object.
    @discardableResult
    public func deleteProperty(_ key: JSPropertyKey) throws -> Bool {
        try invoke(JSObjectDeletePropertyForKey, on: key)
    }

    private typealias KeyFunction = (
        JSContextRef?, JSObjectRef?, JSValueRef?, UnsafeMutablePointer<JSValueRef?>?
    ) -> Bool

    /// Calls a function of the engine's C interface about a property of the object.
    private func invoke(_ function: KeyFunction, on key: JSPropertyKey) throws -> Bool {
        try context.withTurn {
            let object = try objectRef(for: key)
            var exception: JSValueRef?
            let result = try key.withRef(in: context) { function(context.ref, object, $0, &exception) }
            guard exception == nil else { throw context.exception(from: exception) }
            return result
        }
    }

    /// Defines a property, as `Object.defineProperty` does.
    ///
    /// - Throws: ``JSException`` if the property cannot be defined like this, or if the value is not an object.
    public func defineProperty(_ key: JSPropertyKey, descriptor: JSPropertyDescriptor) throws {
        try context.withTurn {
            let object = try objectRef(for: key)
            let described = try descriptor.makeValue(in: context)
            let define = try context.primordial("ObjectDefineProperty")
            try key.withRef(in: context) { _ = try context.call(define, [object, $0, described.ref]) }
        }
    }

    /// Returns the names of the object's own enumerable properties, in JavaScript's order, without symbols.
    ///
    /// - Throws: ``JSException`` with the error of a proxy, or if the value is not an object.
    public func propertyNames() throws -> [String] {
        try context.withTurn {
            try context.keys(of: objectRef(for: "keys"), by: "ObjectKeys") { context.text(of: $0) ?? "" }
        }
    }

    /// Returns all own keys of the object, including symbols and keys of properties that are not enumerable.
    ///
    /// - Throws: ``JSException`` with the error of a proxy, or if the value is not an object.
    public func ownKeys() throws -> [JSPropertyKey] {
        try context.withTurn {
            try context.keys(of: objectRef(for: "keys"), by: "ReflectOwnKeys") { key in
                JSValueIsSymbol(context.ref, key)
                    ? .symbol(JSValue(key, in: context)) : .name(context.text(of: key) ?? "")
            }
        }
    }

    private func objectRef(for key: JSPropertyKey) throws -> JSObjectRef {
        guard isObject else {
            throw JSException(
                name: "TypeError",
                message: "not an object: cannot access the property '\(key)'"
            )
        }
        return ref
    }

    private static func position(of index: Int) throws -> UInt32 {
        // 2^32 - 1 is a valid length, but not a valid index.
        guard let position = UInt32(exactly: index), position < .max else {
            throw JSException(
                name: "RangeError",
                message: "\(index) is not an index: it must be 0 to 4294967294"
            )
        }
        return position
    }
}

/// A property descriptor for `Object.defineProperty`.
///
/// A field that is `nil` leaves the property unchanged, or gets JavaScript's default: `false`, or `undefined`.
public struct JSPropertyDescriptor {
    /// The property's value; not to be combined with ``get`` or ``set``.
    public var value: JSValue?
    /// A Boolean value that indicates whether assignments change the value; not to be combined with ``get`` or ``set``.
    public var isWritable: Bool?
    /// A Boolean value that indicates whether the property appears among the enumerable keys.
    public var isEnumerable: Bool?
    /// A Boolean value that indicates whether the property can be redefined or deleted.
    public var isConfigurable: Bool?
    /// The getter.
    public var get: JSValue?
    /// The setter.
    public var set: JSValue?

    /// Creates a descriptor of a property with a value.
    public init(
        value: JSValue? = nil,
        isWritable: Bool? = nil,
        isEnumerable: Bool? = nil,
        isConfigurable: Bool? = nil
    ) {
        self.value = value
        self.isWritable = isWritable
        self.isEnumerable = isEnumerable
        self.isConfigurable = isConfigurable
    }

    /// Creates a descriptor of a property with accessors.
    public init(get: JSValue?, set: JSValue? = nil, isEnumerable: Bool? = nil, isConfigurable: Bool? = nil) {
        self.get = get
        self.set = set
        self.isEnumerable = isEnumerable
        self.isConfigurable = isConfigurable
    }

    /// Creates the descriptor's object.
    ///
    /// The object has no prototype, so that properties that a script added to `Object.prototype` have no effect. A turn
    /// must be open.
    func makeValue(in context: JSContext) throws -> JSValue {
        let object = JSValue(JSObjectMake(context.ref, nil, nil), in: context)
        JSObjectSetPrototype(context.ref, object.ref, JSValueMakeNull(context.ref))
        let parts: [(String, JSValue?)] = [
            ("value", value), ("get", get), ("set", set),
            ("writable", isWritable.map { JSValue(bool: $0, in: context) }),
            ("enumerable", isEnumerable.map { JSValue(bool: $0, in: context) }),
            ("configurable", isConfigurable.map { JSValue(bool: $0, in: context) }),
        ]
        for case (let name, let part?) in parts { try object.setValue(part, forProperty: name) }
        return object
    }
}

extension JSContext {
    /// Returns a built-in function of the language as it was before any script ran.
    ///
    /// A turn must be open.
    func primordial(_ name: String) throws -> JSObjectRef {
        if let known = held.primordials[name] { return known }
        var exception: JSValueRef?
        let all = EngineString.with("primordials") {
            JSObjectGetProperty(ref, script.internalObject, $0, &exception)
        }
        guard let all, exception == nil else { throw self.exception(from: exception) }
        let function = try internalFunction(name, on: all)
        held.primordials[name] = function
        return function
    }

    /// Reads the keys that a built-in function of the language returns.
    ///
    /// - Throws: `limitExceeded` if there are more than a payload may hold.
    fileprivate func keys<Key>(
        of object: JSObjectRef,
        by function: String,
        _ read: (JSValueRef) throws -> Key
    ) throws -> [Key] {
        // The array is retained, because reading a long one takes many calls.
        let list = JSValue(try call(primordial(function), [object]), in: self)
        return try elements(of: list, read)
    }

    /// Reads the elements of an array.
    ///
    /// A turn must be open.
    ///
    /// - Throws: `limitExceeded` if there are more than a payload may hold.
    func elements<Element>(of list: JSValue, _ read: (JSValueRef) throws -> Element) throws -> [Element] {
        var exception: JSValueRef?
        let length = try list.forProperty("length").toDouble()
        let maximum = virtualMachine.limits.maximumNodes
        guard let count = UInt32(exactly: length) else {
            throw JSException(name: "TypeError", message: "the array has no usable length")
        }
        guard Int(count) <= maximum else {
            throw BridgeError(.limitExceeded, "an array may have \(maximum) elements, this one has \(count)")
        }
        var elements: [Element] = []
        for index in 0..<count {
            guard let element = JSObjectGetPropertyAtIndex(ref, list.ref, index, &exception),
                exception == nil
            else { throw self.exception(from: exception) }
            elements.append(try read(element))
        }
        return elements
    }
}
