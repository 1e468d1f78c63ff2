internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// A context is made first and prepared later: the package's own scripts run in it before anything else does.
///
/// They keep the language's functions as they are before a script can replace them, so they must come first in
/// what a script can reach. A context of which nobody has seen an object is out of every script's reach, and needs
/// nothing: most of what a context costs is paid by those that run something. One whose global object, or any other
/// object, is in somebody's hands is prepared before the next script of the machine runs, whosever that is.
extension JSContext {
    /// Runs the package's own scripts, unless they have run.
    ///
    /// No operation pays for it, and no limit of processor time: one that has ended must not leave a context without what it needs.
    ///
    /// - Throws: ``JSException`` where the turn was stopped or there is no room on the stack; the next call tries
    ///   again, before which no script can have reached the context.
    func prepare() throws {
        guard !isPrepared else { return }
        // Before it is true: what runs now must find it so.
        isPrepared = true
        do {
            try virtualMachine.watchdog.exempting {
                try JSOperation.withCurrent(nil) {
                    if trampoline == nil { trampoline = try makeTrampoline() }
                    try withTurn { adopt(try ContextScript(in: self)) }
                    if !capturesAsyncStacks { shareCapturesAsyncStacks() }
                }
            }
        } catch {
            isPrepared = false
            adopt(ContextScript())
            throw error
        }
    }

    /// Notes that somebody wants an object of a context that is not prepared.
    ///
    /// - Returns: Whether there is one to be had: while a script runs, which may get hold of it at once, only where
    ///   the context could be prepared. In a realm that is not, nothing of the machine's limits is in place.
    func expose() -> Bool {
        guard !isClosed else { return false }
        if virtualMachine.isInTurn { return (try? prepare()) != nil }
        isExposed = true
        virtualMachine.hasExposedContexts = true
        return true
    }

    private func makeTrampoline() throws -> JSObjectRef {
        let run = EngineText.with(Self.internalSourceURL) { name in
            JSObjectMakeFunctionWithCallback(ref, name) { context, _, _, _, _, _ in
                if let machine = jsb_current_machine() {
                    Unmanaged<JSVirtualMachine>.fromOpaque(machine).takeUnretainedValue().turnBody?()
                }
                return JSValueMakeUndefined(context)
            }
        }
        var exception: JSValueRef?
        let make = EngineText.with("(function (run) { \"use strict\"; return function turn() { run(); }; })")
        {
            source in
            EngineText.with(Self.internalSourceURL) { JSEvaluateScript(ref, source, nil, $0, 1, &exception) }
        }
        var arguments: [JSValueRef?] = [run]
        guard let make, let trampoline = JSObjectCallAsFunction(ref, make, nil, 1, &arguments, &exception)
        else {
            throw JSException(name: "Error", message: "the engine does not run the trampoline of turns")
        }
        JSValueProtect(ref, trampoline)
        held.append(trampoline)
        return trampoline
    }
}

extension JSVirtualMachine {
    /// Prepares the contexts of which somebody has an object, before a script runs that may get it.
    ///
    /// - Throws: What kept one from it; then no script may run yet, and the next turn tries again.
    func prepareExposedContexts() throws {
        // Each is prepared in a turn, which must not begin here again.
        hasExposedContexts = false
        do {
            for context in contexts.values.compactMap(\.context) where context.isExposed && !context.isClosed
            {
                try context.prepare()
            }
        } catch {
            hasExposedContexts = true
            throw error
        }
    }
}
