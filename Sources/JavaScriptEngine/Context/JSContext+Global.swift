public import BridgeValues
internal import CJavaScriptCore

extension JSContext {
    /// The value of a property of the global object, such as a variable that `var` or a function declared; `undefined`
    /// if there is none.
    ///
    /// Declarations by `let`, `const` and `class` are not properties. Pass their names to
    /// ``evaluate(_:sourceURL:startingLine:sourceMaps:)``.
    public subscript(_ name: String) -> JSValue { get throws { try globalObject.forProperty(name) } }

    /// Returns the value of a property of the global object.
    ///
    /// The name is Apple's.
    ///
    /// - Throws: ``JSException`` for an error that a getter throws.
    public func objectForKeyedSubscript(_ name: String) throws -> JSValue { try self[name] }

    /// Sets a property of the global object.
    ///
    /// - Throws: ``JSException`` for an error that a setter throws.
    public func setValue(_ value: JSValue, forProperty name: String) throws {
        try globalObject.setValue(value, forProperty: name)
    }

    /// Sets a property of the global object to data.
    ///
    /// - Throws: ``JSException`` for an error that a setter throws.
    public func setValue(_ value: Value, forProperty name: String) throws {
        try globalObject.setValue(value, forProperty: name)
    }

    /// Sets a property of the global object to any Swift value.
    ///
    /// The name is Apple's.
    ///
    /// - Throws: The errors of ``JSValue/init(object:in:)``.
    public func setObject(_ object: Any?, forKeyedSubscript name: String) throws {
        try withTurn { try setValue(JSValue(object: object, in: self), forProperty: name) }
    }

    /// The name of the context in a debugger; `nil` by default.
    public var name: String? {
        get {
            guard let name = JSGlobalContextCopyName(ref) else { return nil }
            defer { JSStringRelease(name) }
            return EngineString.withUnits(of: name, EngineString.repaired)
        }
        set {
            let name = newValue.map(EngineString.make)
            JSGlobalContextSetName(ref, name)
            if let name { JSStringRelease(name) }
        }
    }

    /// A Boolean value that indicates whether a debugger may inspect the context; false by default.
    public var isInspectable: Bool {
        get { JSGlobalContextIsInspectable(ref) }
        set { JSGlobalContextSetInspectable(ref, newValue) }
    }
}
