package import BridgeValues
internal import CBridgeScript
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

extension JSContext {
    /// The object that the package's own scripts share, for the rooms above.
    ///
    /// Never hand it to a script.
    package var internals: JSValue {
        // Where it fails there is nothing to share, and whoever calls something of it is told why.
        if !isPrepared { try? prepare() }
        return JSValue(script.internalObject ?? JSValueMakeUndefined(ref), in: self)
    }

    /// Runs one part of the package's own script: an expression that is a function of the shared object.
    package func runInternalScript(bytes: UnsafePointer<UInt8>, count: Int) throws {
        try withTurn {
            guard let shared = script.internalObject else { return }
            try runInternal(BridgeScriptText(bytes: bytes, count: count), with: shared)
        }
    }

    /// Adds work that runs after the body and the microtasks of every turn, inside it; it returns whether it
    /// did any.
    package func addTurnWork(_ work: @escaping () -> Bool) {
        virtualMachine.turnWork.append((WeakContext(context: self), work))
    }

    /// Whether the turn that is open was stopped, so that nothing more can run in it.
    package var isTerminating: Bool { virtualMachine.watchdog.hasTerminated }

    /// Whether the turn that is open was stopped, or somebody outside has asked for its end, which it then
    /// notices.
    var mustStop: Bool { virtualMachine.watchdog.mustStop(in: ref) }

    /// The lines around a place in a script that was evaluated here; `nil` where the script or the line is
    /// not known.
    package func codeFrame(of frame: StackFrame) -> String? {
        sources.codeFrame(of: frame)
    }

    func runInternal(_ part: BridgeScriptText, with shared: JSObjectRef) throws {
        let parsed = try virtualMachine.internalScripts.script(of: part, in: virtualMachine.group)
        var exception: JSValueRef?
        guard let function = JSScriptEvaluate(ref, parsed, nil, &exception) else {
            throw self.exception(from: exception)
        }
        try call(function, [shared])
    }

    func makePlainObject() throws -> JSObjectRef {
        guard let object = JSObjectMake(ref, nil, nil) else {
            throw JSException(name: "Error", message: "the engine made no object")
        }
        JSValueProtect(ref, object)
        held.append(object)
        return object
    }

    func setInternal(_ name: String, to value: JSValueRef?, on object: JSObjectRef) throws {
        var exception: JSValueRef?
        EngineText.with(name) {
            JSObjectSetProperty(
                ref,
                object,
                $0,
                value,
                JSPropertyAttributes(kJSPropertyAttributeNone),
                &exception
            )
        }
        if exception != nil { throw self.exception(from: exception) }
    }

    func internalFunction(_ name: String, on object: JSObjectRef) throws -> JSObjectRef {
        let value = try internalValue(name, on: object)
        guard JSValueIsObject(ref, value) else {
            throw JSException(name: "Error", message: "the package's own script has no function '\(name)'")
        }
        return value
    }

    /// A member of the package's own script, kept for as long as the context lives.
    func internalValue(_ name: String, on object: JSObjectRef) throws -> JSValueRef {
        var exception: JSValueRef?
        let value = EngineText.with(name) { JSObjectGetProperty(ref, object, $0, &exception) }
        guard let value else { throw self.exception(from: exception) }
        JSValueProtect(ref, value)
        held.append(value)
        return value
    }

    /// Puts the script's half of taking values in order, whose own clean-up a termination skips.
    func resetTake() {
        guard let reset = script.resetTake else { return }
        var exception: JSValueRef?
        JSObjectCallAsFunction(ref, reset, nil, 0, nil, &exception)
    }

    func watchRejections(with function: JSObjectRef) {
        var exception: JSValueRef?
        JSGlobalContextSetUnhandledRejectionCallback(ref, function, &exception)
    }

    /// Calls a function of the engine.
    ///
    /// A turn must be open.
    @discardableResult
    func call(_ function: JSObjectRef?, this: JSObjectRef? = nil, _ arguments: [JSValueRef?]) throws
        -> JSValueRef
    {
        try arguments.withUnsafeBufferPointer { try call(function, this: this, $0) }
    }

    /// Calls a function of the engine with arguments where they stand.
    ///
    /// A turn must be open.
    @discardableResult
    func call(
        _ function: JSObjectRef?,
        this: JSObjectRef? = nil,
        _ arguments: UnsafeBufferPointer<JSValueRef?>
    ) throws -> JSValueRef {
        if function == lastThrower, function != nil, arguments.count <= 2 {
            return try callCatching(function, this: this, arguments)
        }
        var exception: JSValueRef?
        let result = JSObjectCallAsFunction(
            ref,
            function,
            this,
            arguments.count,
            arguments.baseAddress,
            &exception
        )
        guard let result else {
            lastThrower = function
            throw self.exception(from: exception)
        }
        return result
    }
}
