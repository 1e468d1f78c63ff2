/// A call on its way through the interceptors of a bridge.
public struct InterceptedCall: Sendable {
    /// The direction of a call.
    public enum Direction: String, Sendable, Hashable, CaseIterable {
        /// A call from a script to Swift.
        case incoming
        /// A call from Swift to a script.
        case outgoing
    }

    /// The kind of answer that a call expects.
    public enum Kind: String, Sendable, Hashable {
        /// A call that expects a reply.
        case request
        /// A call that expects no reply.
        case notification
        /// A call that opens a stream; the interceptors see only the opening.
        case stream
    }

    /// The direction of the call.
    public let direction: Direction
    /// The kind of answer that the call expects.
    public let kind: Kind
    /// The name of the called handler.
    public let handlerName: String
    /// The data for the handler; an interceptor may pass on other data.
    ///
    /// It is `undefined` if the call has no data.
    public var payload: Value
    /// A Boolean value that indicates whether the payload is a secret as a whole: results that interceptors derive from
    /// it are secret too (R38).
    var isSecret = false
    let deadline: Duration?
    let clock: any MonotonicClock

    /// The time that the caller will still wait, at least zero; `nil` if it waits forever.
    public var timeRemaining: Duration? { deadline.map { max(.zero, $0 - clock.now) } }

    /// The rest of the path: the interceptors that were added later, then the handler.
    public struct Next: Sendable {
        let rest: ArraySlice<Bridge.Interceptor>
        let last: nonisolated(nonsending) @Sendable (InterceptedCall) async throws -> Value

        /// Continues a call, and returns its reply.
        ///
        /// An interceptor may continue a call once, not at all, or several times: each try has the remaining time. The
        /// reply to a notification, and to a call that is answered with a stream, is `undefined`.
        ///
        /// - Throws: Any error of the handler, or of an interceptor after this one; once the call is over, the error
        ///   with which
        ///   it ended, and no handler runs.
        public nonisolated(nonsending) func callAsFunction(_ call: InterceptedCall) async throws -> Value {
            guard let first = rest.first else { return try await last(call) }
            return try await first(call, Next(rest: rest.dropFirst(), last: last))
        }
    }
}

/// A registration of an interceptor, active until ``remove()`` or until the object is released.
public final class InterceptorRegistration: Sendable {
    private let onRemove: @Sendable () -> Void

    init(onRemove: @escaping @Sendable () -> Void) { self.onRemove = onRemove }

    deinit { onRemove() }

    /// Removes the interceptor; calls that it has begun continue through it.
    ///
    /// Calling it again has no effect.
    public func remove() { onRemove() }
}
