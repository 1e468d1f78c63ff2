/// A closure that scripts can call, as its context sees it.
protocol HostClosure: AnyObject {
    /// Releases the closure's captures.
    ///
    /// Later calls of the closure throw an error.
    func releaseContents()
}

/// The closures that scripts of one context can call, so that the context can release them.
///
/// Only the engine's owner uses it.
final class ClosureList {
    private var closures: [ObjectIdentifier: Unmanaged<AnyObject>] = [:]

    /// Adds a closure, which removes itself when it is deallocated.
    func add(_ closure: some HostClosure) {
        closures[ObjectIdentifier(closure)] = Unmanaged<AnyObject>.passUnretained(closure)
    }

    func remove(_ closure: some HostClosure) { closures[ObjectIdentifier(closure)] = nil }

    /// Releases all closures.
    func releaseContents() {
        // A capture of one closure may be the last reference to another one.
        while let closure = closures.popFirst()?.value.takeUnretainedValue() as? any HostClosure {
            closure.releaseContents()
        }
    }
}

extension JSContext {
    /// Closes the context: releases all closures that scripts could call, and with them their captures.
    ///
    /// A closure that captures a ``JSValue`` or its own context forms a reference cycle through both languages, which
    /// neither can detect. This call breaks the cycle. ``JavaScriptRuntime`` calls it when it is released. Nothing runs
    /// in the context any more: every attempt throws, also a call of one of its functions from another context. Values
    /// may be released later, in any order.
    ///
    /// Only the owner may call it. A script that is already running when it is called inside a turn is not terminated.
    public func close() {
        guard !isClosed else { return }
        // A script of another context may still receive an exposed object of this one.
        if life.isExposed { try? prepare() }
        life.isClosed = true
        eventLoop.timers = TimerQueue()
        consoleSink = nil
        uncaughtErrorHandler = nil
        timersDidChange = nil
        hooks.terminationHandler = nil
        hooks.operationDidChange = nil
        hooks.turnPreparations = []
        virtualMachine.turnWork.removeAll { $0.context.context === self }
        virtualMachine.managedReferences.releaseContents(in: self)
        modules.cancel()
        globals.rejections.removeAll(in: self)
        held.closures.releaseContents()
        hooks.inspector?.detach()
    }

    static let closedError = JSException(name: "Error", message: "the context was closed")
}
