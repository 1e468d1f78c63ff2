internal import BridgeValues

/// The settings of every context that a runtime has, one after another.
struct ContextSettings {
    let globals: GlobalSet
    let clock: any MonotonicClock
    let consoleSink: (@Sendable (ConsoleMessage) -> Void)?
    let inspector: (any InspectorClient)?

    /// Creates a context, to which ``apply(to:)`` must be applied before a script runs in it.
    func makeContext(in machine: JSVirtualMachine) throws -> JSContext {
        try JSContext(virtualMachine: machine, globals: globals)
    }

    /// Prepares a new context.
    func apply(to context: JSContext) throws {
        if let inspector { try context.attachInspector(inspector) }
        // Now, so that an interrupt of the first call cannot end it.
        try context.prepare()
        context.consoleSink = consoleSink
        context.clock = clock
    }
}
