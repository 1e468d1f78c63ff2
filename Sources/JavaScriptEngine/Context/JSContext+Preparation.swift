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
    /// - Throws: ``JSException`` where the turn was stopped or there is no room on the stack; then again each
    ///   time where a script could have reached the context meanwhile.
    func prepare() throws {
        if let preparationFailure { throw preparationFailure }
        guard !isPrepared else { return }
        // Before it is true: what runs now must find it so.
        isPrepared = true
        do {
            if trampoline == nil { trampoline = try makeTrampoline() }
            try withTurn { adopt(try ContextScript(in: self)) }
            if !capturesAsyncStacks { shareCapturesAsyncStacks() }
        } catch {
            isPrepared = false
            adopt(ContextScript())
            // A script may have put anything into it when the next attempt came.
            if isExposed { preparationFailure = error }
            throw error
        }
    }

    /// Notes that somebody has an object of a context that is not prepared.
    func expose() {
        guard !isExposed else { return }
        isExposed = true
        if virtualMachine.isInTurn {
            // A script is running, which may get hold of it at once. Where it fails nothing runs in it, ever.
            try? prepare()
        } else {
            virtualMachine.hasExposedContexts = true
        }
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
    func prepareExposedContexts() throws {
        hasExposedContexts = false
        for context in contexts.values.compactMap(\.context) where context.isExposed && !context.isPrepared {
            guard !context.isClosed, context.preparationFailure == nil else { continue }
            try context.prepare()
        }
    }
}
