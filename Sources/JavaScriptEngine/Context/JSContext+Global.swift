public import BridgeValues
internal import CJavaScriptCore

extension JSContext {
    /// The value of a global variable that `var` or a function declared, or of another property of the global
    /// object; `undefined` where there is none.
    ///
    /// What `let`, `const` and `class` declare is no property: ``evaluate(_:sourceURL:startingLine:)`` its
    /// name.
    public subscript(_ name: String) -> JSValue { get throws { try globalObject.forProperty(name) } }

    /// The value of a property of the global object, by Apple's name.
    ///
    /// - Throws: ``JSException`` for what a getter throws.
    public func objectForKeyedSubscript(_ name: String) throws -> JSValue { try self[name] }

    /// Sets a property of the global object.
    ///
    /// - Throws: ``JSException`` for what a setter throws.
    public func setValue(_ value: JSValue, forProperty name: String) throws {
        try globalObject.setValue(value, forProperty: name)
    }

    /// Sets a property of the global object to data.
    ///
    /// - Throws: ``JSException`` for what a setter throws.
    public func setValue(_ value: Value, forProperty name: String) throws {
        try globalObject.setValue(value, forProperty: name)
    }

    /// Sets a property of the global object to anything of Swift, by Apple's name.
    ///
    /// - Throws: What ``JSValue/init(object:in:)`` throws.
    public func setObject(_ object: Any?, forKeyedSubscript name: String) throws {
        try withTurn { try setValue(JSValue(object: object, in: self), forProperty: name) }
    }

    /// What a debugger calls the context; `nil` by default.
    public var name: String? {
        get {
            guard let name = JSGlobalContextCopyName(ref) else { return nil }
            defer { JSStringRelease(name) }
            return EngineText.withUnits(of: name, EngineText.repaired)
        }
        set {
            let name = newValue.map(EngineText.make)
            JSGlobalContextSetName(ref, name)
            if let name { JSStringRelease(name) }
        }
    }

    /// Whether a debugger may look into the context; false by default.
    public var isInspectable: Bool {
        get { JSGlobalContextIsInspectable(ref) }
        set { JSGlobalContextSetInspectable(ref, newValue) }
    }
}
