extension Bridge {
    /// A function between a caller and a handler.
    ///
    /// It may inspect a call, change its payload, answer it, throw a ``BridgeError`` or measure; it continues the call
    /// with `next`.
    public typealias Interceptor =
        nonisolated(nonsending) @Sendable (_ call: InterceptedCall, _ next: InterceptedCall.Next) async throws
        -> Value

    /// Adds an interceptor around calls, active as long as the returned registration is retained.
    ///
    /// ```swift
    /// let timing = bridge.addInterceptor { call, next in
    ///     let start = ContinuousClock.now
    ///     defer { log("\(call.handlerName) took \(ContinuousClock.now - start)") }
    ///     return try await next(call)
    /// }
    /// ```
    ///
    /// The interceptor that was added first is called first and sees the reply last. It applies to calls made or
    /// received after it was added: requests, notifications, and the opening of streams. It does not apply to events,
    /// to the items of a stream, or to messages of the protocol itself.
    ///
    /// Calls of scripts reach it after their grants have admitted them; an error that it throws is their error, with
    /// its code. It runs in the handler's task: ``BridgeCall/current`` is set, and the task is cancelled when the reply
    /// is not needed any more. Calls of functions and objects by reference reach interceptors of all names
    /// (``NamePattern/any``), and those for the name `_wvjb.call`. Calls that block the script (`callHandlerSync`)
    /// reach no interceptor.
    ///
    /// A call of Swift remains one call for its caller, even if interceptors send it several times: its deadline starts
    /// with the call. It settles with `disconnected` when the bridge is closed or reloaded, and with `cancelled` when
    /// its task is cancelled, also while an interceptor waits. Then the interceptor's task is cancelled, and `next`
    /// sends nothing any more. An error that the interceptor throws reaches the caller as a ``BridgeError``.
    ///
    /// Calls whose interceptors do not suspend reach their handlers in order; a call whose interceptor suspends may be
    /// overtaken by later ones. With an interceptor, a notification of Swift is sent a moment later, and its errors are
    /// logged. Messages that are sent after it follow it, also those that no interceptor processes. Only calls inside a
    /// turn (`callHandler(_:with:returning:in:)`) and pipelined calls that no interceptor processes do not wait for it.
    /// A bridge that never had interceptors has no overhead.
    ///
    /// - Parameters:
    ///   - direction: The direction of the calls; both if it is `nil`.
    ///   - pattern: The names of the calls.
    ///   - interceptor: The function to call. It runs on no actor.
    /// - Returns: The registration, which removes the interceptor again.
    public func addInterceptor(
        _ direction: InterceptedCall.Direction? = nil,
        matching pattern: NamePattern = .any,
        _ interceptor: @escaping Interceptor
    ) -> InterceptorRegistration {
        let table = session.interceptors
        let id = table.add(direction, pattern, interceptor)
        return InterceptorRegistration { [weak table] in table?.remove(id) }
    }
}
