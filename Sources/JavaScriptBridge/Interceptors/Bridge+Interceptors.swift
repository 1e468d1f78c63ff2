extension Bridge {
    /// Stands between a caller and a handler: it may look at a call and change its payload, answer by itself, throw a
    /// ``BridgeError`` or measure, and goes on by calling `next`.
    public typealias Interceptor =
        nonisolated(nonsending) @Sendable (_ call: InterceptedCall, _ next: InterceptedCall.Next) async throws
        -> Value

    /// Adds an interceptor around calls, as long as the result is held.
    ///
    /// ```swift
    /// let timing = bridge.addInterceptor { call, next in
    ///     let start = ContinuousClock.now
    ///     defer { log("\(call.handlerName) took \(ContinuousClock.now - start)") }
    ///     return try await next(call)
    /// }
    /// ```
    ///
    /// The one that was added first is asked first and sees the reply last. It counts for calls that are made, or
    /// come, after it was added: requests, notifications, the opening of streams; not for events, for the items of a
    /// stream and for what the protocol itself sends.
    /// Calls of scripts come to it when their grants have let them in; what it throws is their error, with its code.
    /// Its task is the handler's: ``BridgeCall/current`` is set, and it is cancelled when nobody waits any more.
    /// Calls of functions and objects by reference come to interceptors of every name (``NamePattern/any``), and to those that
    /// name it, as `_wvjb.call`; calls that a script waits for (`callHandlerSync`) come to none.
    ///
    /// A call of Swift is one call to who makes it, however often interceptors go on with it: its deadline counts from the
    /// call, it settles with `disconnected` when the bridge is closed or reloaded, and with `cancelled` with its task, also while
    /// an interceptor waits. The interceptor's task is cancelled then, and what it asks `next` for is not sent.
    /// What it throws comes to the caller as a ``BridgeError``.
    ///
    /// Order: calls whose interceptors do not wait come to their handlers in order; one whose interceptor waits for
    /// something is overtaken by those after it. Where there is an interceptor, a notification of Swift is sent a moment
    /// later, and what goes wrong with it is logged. A bridge without interceptors pays nothing.
    ///
    /// - Parameters:
    ///   - direction: Which way; both where it is `nil`.
    ///   - pattern: Which names.
    ///   - interceptor: What is asked. It runs on no actor.
    /// - Returns: What takes it out again.
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
