/// A call on its way through the interceptors of a bridge.
public struct InterceptedCall: Sendable {
    /// Which way a call goes.
    public enum Direction: String, Sendable, Hashable, CaseIterable {
        /// A script calls Swift.
        case incoming
        /// Swift calls a script.
        case outgoing
    }

    /// What is wanted of a call.
    public enum Kind: String, Sendable, Hashable {
        /// A reply.
        case request
        /// Nothing.
        case notification
        /// A stream: what the interceptors see is its opening.
        case stream
    }

    /// Which way it goes.
    public let direction: Direction
    /// What is wanted of it.
    public let kind: Kind
    /// The name that is called.
    public let handlerName: String
    /// What the handler gets: what an interceptor hands on may be something else.
    ///
    /// `undefined` where the call has no data.
    public var payload: Value
    /// Whether what was sent is a secret as a whole: what interceptors make of it is one, too (R38).
    var isSecret = false
    let deadline: Duration?
    let clock: any MonotonicClock

    /// How long the caller will still wait, at least zero, or `nil` if it waits for ever.
    public var timeRemaining: Duration? { deadline.map { max(.zero, $0 - clock.now) } }

    /// The rest of the way: the interceptors that were added later, then the handler.
    public struct Next: Sendable {
        let rest: ArraySlice<Bridge.Interceptor>
        let last: nonisolated(nonsending) @Sendable (InterceptedCall) async throws -> Value

        /// Goes on with a call, and gives its reply.
        ///
        /// An interceptor may go on once, not at all, or more than once: each try has the time that is left. The reply to a
        /// notification, and to a call that is answered with a stream, is `undefined`.
        ///
        /// - Throws: What the handler threw, or an interceptor after this one; once the call is over, what it ended with,
        ///   and no handler runs.
        public nonisolated(nonsending) func callAsFunction(_ call: InterceptedCall) async throws -> Value {
            guard let first = rest.first else { return try await last(call) }
            return try await first(call, Next(rest: rest.dropFirst(), last: last))
        }
    }
}

/// An interceptor of a bridge, which is asked until ``remove()`` or until nobody holds this any more.
public final class InterceptorRegistration: Sendable {
    private let onRemove: @Sendable () -> Void

    init(onRemove: @escaping @Sendable () -> Void) { self.onRemove = onRemove }

    deinit { onRemove() }

    /// Takes the interceptor out; calls that it has begun with go on through it.
    ///
    /// Harmless when done twice.
    public func remove() { onRemove() }
}
