public import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// A value of a context: a number, a string, an object, a function.
///
/// It retains its context and the engine's value. It is not `Sendable`: it stays with its context's
/// owner. Any thread may release the last reference; the engine's value is then released at the next turn. To pass a
/// value elsewhere, convert it to data with ``toValue()``.
public final class JSValue {
    /// The context of the value.
    public let context: JSContext
    let ref: JSValueRef
    private var isProtected: Bool
    private let trackedObject = jsb_tracks_leaks() ? LeakTracking.note(.value) : nil

    init(_ ref: JSValueRef?, in context: JSContext) {
        self.context = context
        // Values of a context that scripts must not reach are replaced by `undefined`.
        self.ref = Self.existing(context.life.isPrepared || context.expose() ? ref : nil, in: context)
        isProtected = true
        JSValueProtect(context.ref, self.ref)
    }

    /// Wraps a value that is not a cell, or that something else currently retains, such as a caller's frame.
    init(unprotected ref: JSValueRef?, in context: JSContext) {
        self.context = context
        self.ref = Self.existing(ref, in: context)
        isProtected = false
    }

    private static func existing(_ ref: JSValueRef?, in context: JSContext) -> JSValueRef {
        // The engine's functions return null only along with an exception, which the caller has already handled.
        guard let ref = ref ?? JSValueMakeUndefined(context.ref) else {
            preconditionFailure("the engine returned no undefined")
        }
        return ref
    }

    /// Retains the engine's value from now on.
    func protect() {
        guard !isProtected else { return }
        isProtected = true
        JSValueProtect(context.ref, ref)
    }

    /// Creates a value of a context from data.
    ///
    /// - Throws: ``BridgeError`` with the code `limitExceeded` if the data exceeds the limits.
    public convenience init(_ value: Value, in context: JSContext) throws {
        switch value {
        case .integer(let number) where number.magnitude <= UInt64(Value.maximumSafeInteger):
            self.init(unprotected: JSValueMakeNumber(context.ref, Double(number)), in: context)
        case .undefined, .null, .bool, .double:
            // The value is not a cell of the heap, so nothing must be retained.
            self.init(unprotected: try context.makeRef(value), in: context)
        default:
            self.init(try context.withTurn { try context.makeRef(value) }, in: context)
        }
    }

    deinit { if isProtected { context.virtualMachine.releases.enqueueRelease(ref) } }
}

/// A value stays with its context: the compiler rejects any other use.
@available(*, unavailable)
extension JSValue: Sendable {}

extension JSValue {
    /// Converts the value to data, a complete copy that later changes do not affect.
    ///
    /// Getters and `toJSON` run once. Functions and symbols are left out, as in JSON.
    ///
    /// - Throws: ``JSException`` with the code `encodeFailed` for a cycle, with `limitExceeded` for a value that
    ///   is too large, or with the error of a getter.
    public func toValue() throws -> Value { try context.withTurn { try context.readValue(ref) } }

    /// A Boolean value that indicates whether the value is `undefined`.
    public var isUndefined: Bool { JSValueIsUndefined(context.ref, ref) }
    /// A Boolean value that indicates whether the value is `null`.
    public var isNull: Bool { JSValueIsNull(context.ref, ref) }
    /// A Boolean value that indicates whether the value is a boolean.
    public var isBoolean: Bool { JSValueIsBoolean(context.ref, ref) }
    /// A Boolean value that indicates whether the value is a number.
    public var isNumber: Bool { JSValueIsNumber(context.ref, ref) }
    /// A Boolean value that indicates whether the value is a string.
    public var isString: Bool { JSValueIsString(context.ref, ref) }
    /// A Boolean value that indicates whether the value is an object, which includes arrays and functions.
    public var isObject: Bool { JSValueIsObject(context.ref, ref) }
    /// A Boolean value that indicates whether the value is an array.
    public var isArray: Bool { JSValueIsArray(context.ref, ref) }
    /// A Boolean value that indicates whether the value is a date.
    public var isDate: Bool { JSValueIsDate(context.ref, ref) }
    /// A Boolean value that indicates whether the value is a symbol.
    public var isSymbol: Bool { JSValueIsSymbol(context.ref, ref) }
    /// A Boolean value that indicates whether the value can be called.
    public var isFunction: Bool { isObject && JSObjectIsFunction(context.ref, ref) }
}

extension JSValue {
    /// Calls the value as a function.
    ///
    /// - Parameters:
    ///   - arguments: Values of this context.
    ///   - this: The value of `this`; `undefined` by default.
    /// - Returns: The function's result.
    /// - Throws: ``JSException`` with the error of the function, or if the value is not a function.
    @discardableResult
    public func call(withArguments arguments: [JSValue] = [], this: JSValue? = nil) throws -> JSValue {
        try context.withTurn {
            guard isFunction else {
                throw JSException(name: "TypeError", message: "not a function")
            }
            let refs = try arguments.map(context.ownRef)
            return JSValue(try context.call(ref, this: this.map(context.ownRef), refs), in: context)
        }
    }

    /// Calls the value as a function with data and returns the result as data.
    ///
    /// - Throws: ``JSException`` with the error of the function.
    @discardableResult
    public func call(with first: Value, _ others: Value...) throws -> Value {
        try context.withTurn {
            try context.withReferences(
                others.count + 1,
                making: { try context.makeRef($0 == 0 ? first : others[$0 - 1]) },
                { try context.readValue(context.call(ref, this: nil, $0)) }
            )
        }
    }

    /// Calls a method of the object.
    ///
    /// - Throws: ``JSException`` with the error of the method, or if the object has no such method.
    @discardableResult
    public func invokeMethod(_ name: String, withArguments arguments: [JSValue] = []) throws -> JSValue {
        try context.withTurn { try forProperty(name).call(withArguments: arguments, this: self) }
    }

    /// Calls the value as a constructor.
    ///
    /// - Throws: ``JSException`` with the error of the constructor, or if the value is not a constructor.
    public func construct(withArguments arguments: [JSValue] = []) throws -> JSValue {
        try context.withTurn {
            guard isObject, JSObjectIsConstructor(context.ref, ref) else {
                throw JSException(
                    name: "TypeError",
                    message: "not a constructor"
                )
            }
            var exception: JSValueRef?
            let refs: [JSValueRef?] = try arguments.map(context.ownRef)
            let object = JSObjectCallAsConstructor(context.ref, ref, refs.count, refs, &exception)
            guard let object else { throw context.exception(from: exception) }
            return JSValue(object, in: context)
        }
    }

    /// Returns the value of a property; `undefined` if there is none.
    ///
    /// This runs a getter.
    ///
    /// - Throws: ``JSException`` with the error of a getter, or if the value is not an object.
    public func forProperty(_ name: String) throws -> JSValue {
        try context.withTurn {
            let object = try objectRef(for: name)
            var exception: JSValueRef?
            let value = EngineString.with(name) { JSObjectGetProperty(context.ref, object, $0, &exception) }
            guard exception == nil else { throw context.exception(from: exception) }
            return JSValue(value, in: context)
        }
    }

    /// Sets a property.
    ///
    /// This runs a setter.
    ///
    /// - Throws: ``JSException`` with the error of a setter, or if the value is not an object.
    public func setValue(_ value: JSValue, forProperty name: String) throws {
        try context.withTurn {
            let object = try objectRef(for: name)
            var exception: JSValueRef?
            let attributes = JSPropertyAttributes(kJSPropertyAttributeNone)
            let own = try context.ownRef(value)
            EngineString.with(name) {
                JSObjectSetProperty(context.ref, object, $0, own, attributes, &exception)
            }
            guard exception == nil else { throw context.exception(from: exception) }
        }
    }

    /// Sets a property to data.
    ///
    /// - Throws: ``JSException`` with the error of a setter, or if the value is not an object.
    public func setValue(_ value: Value, forProperty name: String) throws {
        try context.withTurn { try setValue(JSValue(value, in: context), forProperty: name) }
    }

    private func objectRef(for property: String) throws -> JSObjectRef {
        guard isObject else {
            throw JSException(
                name: "TypeError",
                message: "not an object: cannot access the property '\(property)'"
            )
        }
        return ref
    }
}

extension JSContext {
    /// Returns the reference of a value if it may be used here.
    ///
    /// It must be of the same virtual machine, because heaps never share objects.
    func ownRef(_ value: JSValue) throws -> JSValueRef {
        guard value.context.virtualMachine === virtualMachine else { throw Self.otherMachineError }
        return value.ref
    }

    static let otherMachineError = JSException(
        name: "TypeError",
        message: "a value of another virtual machine cannot be used here: take it as data with toValue()"
    )
}
