public import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// A value that lives in a context: a number, a text, an object, a function.
///
/// It keeps its context and what it stands for alive. It is not `Sendable`: it stays with its context's
/// owner. The last reference may go on any thread; the handle is then given back at the next turn. To take a
/// value elsewhere, take it as data: ``toValue()``.
public final class JSValue {
    /// The context that the value lives in.
    public let context: JSContext
    let ref: JSValueRef
    private var isProtected: Bool
    private let census = jsb_is_census_taken() ? Census.note(.value) : nil

    init(_ ref: JSValueRef?, in context: JSContext) {
        self.context = context
        // Of a context that a script must not reach there is no object.
        self.ref = Self.existing(context.isPrepared || context.expose() ? ref : nil, in: context)
        isProtected = true
        JSValueProtect(context.ref, self.ref)
    }

    /// Makes a value that something else keeps alive for now, such as a caller's frame, or that is no cell.
    init(unprotected ref: JSValueRef?, in context: JSContext) {
        self.context = context
        self.ref = Self.existing(ref, in: context)
        isProtected = false
    }

    private static func existing(_ ref: JSValueRef?, in context: JSContext) -> JSValueRef {
        // The engine's functions return null only along with an exception, which is handled before.
        guard let ref = ref ?? JSValueMakeUndefined(context.ref) else {
            preconditionFailure("the engine made no undefined")
        }
        return ref
    }

    /// Keeps what the value stands for alive from now on.
    func protect() {
        guard !isProtected else { return }
        isProtected = true
        JSValueProtect(context.ref, ref)
    }

    /// Makes a value of a context from data.
    ///
    /// - Throws: ``BridgeError`` with the code `limitExceeded` where the data is larger than the limits
    ///   allow.
    public convenience init(_ value: Value, in context: JSContext) throws {
        switch value {
        case .integer(let number) where number.magnitude <= UInt64(Value.maximumSafeInteger):
            self.init(unprotected: JSValueMakeNumber(context.ref, Double(number)), in: context)
        case .undefined, .null, .bool, .double:
            // No cell of the heap: there is nothing to keep alive.
            self.init(unprotected: try context.makeRef(value), in: context)
        default:
            self.init(try context.withTurn { try context.makeRef(value) }, in: context)
        }
    }

    deinit { if isProtected { context.virtualMachine.releases.bury(ref) } }
}

/// Misuse is an error of the compiler: a value stays with its context.
@available(*, unavailable)
extension JSValue: Sendable {}

extension JSValue {
    /// Reads the value as data, all of it now: nothing that happens to it later changes the result.
    ///
    /// Getters and `toJSON` run once. Functions and symbols are left out, as in JSON.
    ///
    /// - Throws: ``JSException`` with the code `encodeFailed` for a cycle, `limitExceeded` for a value that
    ///   is too large, or what a getter throws.
    public func toValue() throws -> Value { try context.withTurn { try context.readValue(ref) } }

    /// Whether this is `undefined`.
    public var isUndefined: Bool { JSValueIsUndefined(context.ref, ref) }
    /// Whether this is `null`.
    public var isNull: Bool { JSValueIsNull(context.ref, ref) }
    /// Whether this is a boolean.
    public var isBoolean: Bool { JSValueIsBoolean(context.ref, ref) }
    /// Whether this is a number.
    public var isNumber: Bool { JSValueIsNumber(context.ref, ref) }
    /// Whether this is text.
    public var isString: Bool { JSValueIsString(context.ref, ref) }
    /// Whether this is an object; arrays and functions are.
    public var isObject: Bool { JSValueIsObject(context.ref, ref) }
    /// Whether this is an array.
    public var isArray: Bool { JSValueIsArray(context.ref, ref) }
    /// Whether this is a date.
    public var isDate: Bool { JSValueIsDate(context.ref, ref) }
    /// Whether this is a symbol.
    public var isSymbol: Bool { JSValueIsSymbol(context.ref, ref) }
    /// Whether this can be called.
    public var isFunction: Bool { isObject && JSObjectIsFunction(context.ref, ref) }
}

extension JSValue {
    /// Calls the value as a function.
    ///
    /// - Parameters:
    ///   - arguments: Values of this context.
    ///   - this: What `this` is; `undefined` by default.
    /// - Returns: What the function returns.
    /// - Throws: ``JSException`` for what the function throws, also when this is no function.
    @discardableResult
    public func call(withArguments arguments: [JSValue] = [], this: JSValue? = nil) throws -> JSValue {
        try context.withTurn {
            guard isFunction else {
                throw JSException(name: "TypeError", message: "a value that is no function was called")
            }
            let refs = try arguments.map(context.ownRef)
            return JSValue(try context.call(ref, this: this.map(context.ownRef), refs), in: context)
        }
    }

    /// Calls the value as a function with data, and reads the result as data.
    ///
    /// - Throws: ``JSException`` for what the function throws.
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
    /// - Throws: ``JSException`` for what the method throws, also when there is none of that name.
    @discardableResult
    public func invokeMethod(_ name: String, withArguments arguments: [JSValue] = []) throws -> JSValue {
        try context.withTurn { try forProperty(name).call(withArguments: arguments, this: self) }
    }

    /// Calls the value as a constructor.
    ///
    /// - Throws: ``JSException`` for what the constructor throws, also when this is none.
    public func construct(withArguments arguments: [JSValue] = []) throws -> JSValue {
        try context.withTurn {
            guard isObject, JSObjectIsConstructor(context.ref, ref) else {
                throw JSException(
                    name: "TypeError",
                    message: "a value that is no constructor was constructed"
                )
            }
            var exception: JSValueRef?
            let refs: [JSValueRef?] = try arguments.map(context.ownRef)
            let object = JSObjectCallAsConstructor(context.ref, ref, refs.count, refs, &exception)
            guard let object else { throw context.exception(from: exception) }
            return JSValue(object, in: context)
        }
    }

    /// The value of a property, `undefined` where there is none.
    ///
    /// Runs a getter.
    ///
    /// - Throws: ``JSException`` for what a getter throws, and where this is no object.
    public func forProperty(_ name: String) throws -> JSValue {
        try context.withTurn {
            let object = try objectRef(for: name)
            var exception: JSValueRef?
            let value = EngineText.with(name) { JSObjectGetProperty(context.ref, object, $0, &exception) }
            guard exception == nil else { throw context.exception(from: exception) }
            return JSValue(value, in: context)
        }
    }

    /// Sets a property.
    ///
    /// Runs a setter.
    ///
    /// - Throws: ``JSException`` for what a setter throws, and where this is no object.
    public func setValue(_ value: JSValue, forProperty name: String) throws {
        try context.withTurn {
            let object = try objectRef(for: name)
            var exception: JSValueRef?
            let attributes = JSPropertyAttributes(kJSPropertyAttributeNone)
            let own = try context.ownRef(value)
            EngineText.with(name) {
                JSObjectSetProperty(context.ref, object, $0, own, attributes, &exception)
            }
            guard exception == nil else { throw context.exception(from: exception) }
        }
    }

    /// Sets a property to data.
    ///
    /// - Throws: ``JSException`` for what a setter throws, and where this is no object.
    public func setValue(_ value: Value, forProperty name: String) throws {
        try context.withTurn { try setValue(JSValue(value, in: context), forProperty: name) }
    }

    private func objectRef(for property: String) throws -> JSObjectRef {
        guard isObject else {
            throw JSException(
                name: "TypeError",
                message: "a value that is no object has no property '\(property)'"
            )
        }
        return ref
    }
}

extension JSContext {
    /// The handle of a value that may be used here: one of the same virtual machine, since heaps never share
    /// objects.
    func ownRef(_ value: JSValue) throws -> JSValueRef {
        guard value.context.virtualMachine === virtualMachine else { throw Self.otherMachineError }
        return value.ref
    }

    static let otherMachineError = JSException(
        name: "TypeError",
        message: "a value of another virtual machine cannot be used here: take it as data with toValue()"
    )
}
