internal import BridgeProtocol

extension DirectTransport {
    /// Makes the script send the trace of each request before the request, while calls are traced.
    func installTraces(in context: JSContext) throws {
        guard session.configuration.tracesCalls else { return }
        try context.internals.setValue(true, forProperty: "tracesCalls")
        let post = context.makeHostFunction { [unowned self] call in
            self.nextTrace = call.string(at: 0).map { BridgeTrace(id: $0, parent: call.string(at: 1)) }
            return .undefined
        }
        try context.internals.setValue(post, forProperty: "postTrace")
    }

    /// Sends the script the trace of the request that follows.
    func deliver(_ trace: BridgeTrace, in context: JSContext) throws {
        let arguments = [
            try JSValue(.string(trace.id), in: context),
            try JSValue(trace.parent.map(Value.string) ?? .undefined, in: context),
        ]
        try context.internals.invokeMethod("deliverTrace", withArguments: arguments)
    }

    /// Returns the trace that the script sent for the next request.
    func takeTrace() -> BridgeTrace? {
        defer { nextTrace = nil }
        return nextTrace
    }
}
