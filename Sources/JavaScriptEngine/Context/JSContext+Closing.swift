/// A closure that scripts can call, as its context sees it.
protocol HostClosure: AnyObject {
    /// Lets go what the closure holds; whoever calls it from now on gets an error.
    func letGo()
}

/// The closures that scripts of one context can call, for the context to let them go.
///
/// Only the owner of the engine uses it.
final class ClosureList {
    private var closures: [ObjectIdentifier: Unmanaged<AnyObject>] = [:]

    /// Notes a closure, which takes itself off the list when it goes.
    func add(_ closure: some HostClosure) {
        closures[ObjectIdentifier(closure)] = Unmanaged<AnyObject>.passUnretained(closure)
    }

    func remove(_ closure: some HostClosure) { closures[ObjectIdentifier(closure)] = nil }

    /// Lets all go.
    func letGo() {
        // What one holds may be the last to hold another.
        while let closure = closures.popFirst()?.value.takeUnretainedValue() as? any HostClosure {
            closure.letGo()
        }
    }
}

extension JSContext {
    /// Ends the context: lets all closures go that scripts could call, and with them what they hold.
    ///
    /// A closure that holds a ``JSValue`` or the context it was made for keeps both, and they keep it: a
    /// cycle through both languages, which neither can see. This takes it apart. ``JavaScriptRuntime`` calls
    /// it when it goes. Nothing runs in the context any more: what would throws, also functions of it that
    /// another context holds. Values may go later, in any order.
    ///
    /// Only the owner may call it. Called inside a turn, what runs there already is not stopped.
    public func close() {
        guard !isClosed else { return }
        // An object of it that somebody has may still come to a script of another context.
        if isExposed { try? prepare() }
        isClosed = true
        timers = TimerQueue()
        consoleSink = nil
        uncaughtErrorHandler = nil
        timersDidChange = nil
        terminationHandler = nil
        operationDidChange = nil
        turnPreparations = []
        virtualMachine.turnWork.removeAll { $0.context.context === self }
        virtualMachine.managedReferences.letGo(in: self)
        closures.letGo()
    }

    static let closedError = JSException(name: "Error", message: "the context was closed")
}
