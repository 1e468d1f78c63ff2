package import BridgeValues
internal import CBridgeScript
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

extension JSContext {
    /// The object that the package's own scripts share, for the higher layers.
    ///
    /// Never pass it to a user's script.
    package var internals: JSValue {
        // If this fails, the result is `undefined`, and a call of one of its functions throws the reason.
        if !life.isPrepared { try? prepare() }
        return JSValue(script.internalObject ?? JSValueMakeUndefined(ref), in: self)
    }

    /// Runs a bundle of the package's own scripts.
    package func runInternalScript(bytes: UnsafePointer<UInt8>, count: Int) throws {
        try withTurn {
            try runInternal(BridgeScriptText(bytes: bytes, count: count), with: script)
        }
    }

    /// Adds work that runs inside every turn, after its body and microtasks.
    ///
    /// The work returns whether it did anything.
    package func addTurnWork(_ work: @escaping () -> Bool) {
        virtualMachine.turnWork.append((WeakContext(context: self), work))
    }

    /// A Boolean value that indicates whether the open turn was terminated, so that nothing more can run in it.
    package var isTerminating: Bool { virtualMachine.watchdog.hasTerminated }

    /// A Boolean value that indicates whether the open turn was terminated, or another thread has requested its
    /// termination, which the turn then notices.
    var mustStop: Bool { virtualMachine.watchdog.mustStop(in: ref) }

    /// Returns the lines around a position in a script that was evaluated here, or `nil` if the script or the line is
    /// not known.
    package func codeFrame(of frame: StackFrame) -> String? {
        var frame = frame
        frame.sourceURL = frame.sourceURL.map(stacks.sources.latestName)
        return stacks.sources.codeFrame(of: frame)
    }

    /// Runs a bundle: an expression that is a function of the host interface and of the other bundles' exports.
    func runInternal(_ bundle: BridgeScriptText, with script: ContextScript) throws {
        guard let host = script.internalObject, let bundles = script.bundles else { return }
        var exception: JSValueRef?
        let function =
            switch try virtualMachine.internalScripts.form(
                of: bundle,
                in: virtualMachine.group,
                readsBytecode: virtualMachine.inspectors.isEmpty
            ) {
            case .source(let source):
                EngineString.with(Self.internalSourceURL) {
                    JSEvaluateScript(ref, source, nil, $0, 1, &exception)
                }
            case .bytecode(let bytecode, let source):
                EngineString.with(Self.internalSourceURL) {
                    let result = jsb_run_bytecode(ref, $0, bytecode)
                    // A termination is used up. Any other failure happens again, with an exception of the C API.
                    guard result == nil, !virtualMachine.watchdog.hasTerminated else { return result }
                    return JSEvaluateScript(ref, source, nil, $0, 1, &exception)
                }
            case .script(let script): JSScriptEvaluate(ref, script, nil, &exception)
            }
        guard let function else { throw self.exception(from: exception) }
        try call(function, [host, bundles])
    }

    func makePlainObject() throws -> JSObjectRef {
        guard let object = JSObjectMake(ref, nil, nil) else {
            throw JSException(name: "Error", message: "the engine made no object")
        }
        JSValueProtect(ref, object)
        held.values.append(object)
        return object
    }

    func setInternal(_ name: String, to value: JSValueRef?, on object: JSObjectRef) throws {
        var exception: JSValueRef?
        EngineString.with(name) {
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

    /// Returns a member of the package's own script, protected for the life of the context.
    func internalValue(_ name: String, on object: JSObjectRef) throws -> JSValueRef {
        var exception: JSValueRef?
        let value = EngineString.with(name) { JSObjectGetProperty(ref, object, $0, &exception) }
        guard let value else { throw self.exception(from: exception) }
        JSValueProtect(ref, value)
        held.values.append(value)
        return value
    }

    /// Resets the state of the package's script after a termination, which skips the script's own cleanup.
    func resetTake() {
        guard let reset = script.resetTake else { return }
        var exception: JSValueRef?
        JSObjectCallAsFunction(ref, reset, nil, 0, nil, &exception)
    }

    func watchRejections(with function: JSObjectRef?) {
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

    /// Calls a function of the engine with arguments in place.
    ///
    /// A turn must be open.
    @discardableResult
    func call(
        _ function: JSObjectRef?,
        this: JSObjectRef? = nil,
        _ arguments: UnsafeBufferPointer<JSValueRef?>
    ) throws -> JSValueRef {
        if function == errors.lastThrower, function != nil, arguments.count <= 2 {
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
            errors.lastThrower = function
            throw self.exception(from: exception)
        }
        return result
    }
}
