internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// A context is created first and prepared later: the package's own scripts run in it before anything else does.
///
/// They capture the language's functions before a script can replace them, so they must run before any other script can
/// reach the context. A script cannot reach a context of which no object was handed out, so such a context needs no
/// preparation: most of a context's cost is paid only if it runs something. If the global object or any other object
/// was handed out, the context is prepared before the next script of the machine runs, in whichever context.
extension JSContext {
    /// Runs the package's own scripts, unless they have run.
    ///
    /// The time counts for no operation and no limit of processor time, because an operation that has ended must not
    /// leave a context incomplete.
    ///
    /// - Throws: ``JSException`` if the turn was terminated or the stack is too full. The next call tries again, before
    ///   a script can have reached the context.
    func prepare() throws {
        guard !life.isPrepared else { return }
        // Set before the scripts run, because they must find it true.
        life.isPrepared = true
        do {
            try virtualMachine.watchdog.exempting {
                try ExecutionBudget.withCurrent(nil) {
                    if life.trampoline == nil { life.trampoline = try makeTrampoline() }
                    try withTurn { adopt(try ContextScript(in: self)) }
                    if !capturesAsyncStacks { shareCapturesAsyncStacks() }
                }
            }
        } catch {
            life.isPrepared = false
            adopt(ContextScript())
            throw error
        }
    }

    /// Records that an object of a context that is not prepared is requested.
    ///
    /// - Returns: Whether the object may be handed out. While a script runs, which could reach the object immediately,
    ///   this requires that the context could be prepared: without preparation, none of the machine's limits are in
    ///   place.
    func expose() -> Bool {
        guard !isClosed else { return false }
        if virtualMachine.isInTurn { return (try? prepare()) != nil }
        life.isExposed = true
        virtualMachine.contexts.markExposed()
        return true
    }

    private func makeTrampoline() throws -> JSObjectRef {
        let run = EngineString.with(Self.internalSourceURL) { name in
            JSObjectMakeFunctionWithCallback(ref, name) { context, _, _, _, _, _ in
                if let machine = jsb_current_machine() {
                    Unmanaged<JSVirtualMachine>.fromOpaque(machine).takeUnretainedValue().turn.body?()
                }
                return JSValueMakeUndefined(context)
            }
        }
        var exception: JSValueRef?
        let make = EngineString.with(
            "(function (run) { \"use strict\"; return function turn() { run(); }; })"
        ) {
            source in
            EngineString.with(Self.internalSourceURL) {
                JSEvaluateScript(ref, source, nil, $0, 1, &exception)
            }
        }
        var arguments: [JSValueRef?] = [run]
        guard let make, let trampoline = JSObjectCallAsFunction(ref, make, nil, 1, &arguments, &exception)
        else {
            throw JSException(name: "Error", message: "the engine does not run the trampoline of turns")
        }
        JSValueProtect(ref, trampoline)
        held.values.append(trampoline)
        return trampoline
    }
}

extension JSVirtualMachine {
    /// Prepares the exposed contexts before a script runs that may reach their objects.
    ///
    /// - Throws: The error that prevented a preparation. Then no script may run yet, and the next turn tries again.
    func prepareExposedContexts() throws {
        // Each is prepared in a turn of its own, which must not start this again.
        let living = contexts.takeExposed()
        do {
            for context in living where context.life.isExposed && !context.isClosed {
                try context.prepare()
            }
        } catch {
            contexts.markExposed()
            throw error
        }
    }
}
