package import BridgeValues

/// A synchronous request in progress, which its handler answers before anything else happens (decision 15).
package struct SynchronousRequest: Sendable, Hashable {
    /// The handler.
    package let handler: HandlerID
    /// The name that was called.
    package let handlerName: String
    /// The epoch of the context that sent it; its answer is valid in no other.
    package let epoch: UInt64
    /// The grant to which it is charged.
    let admission: Admission?
}

extension MessageID {
    /// The id of synchronous requests in logs and traces: they have none, as their answer is not a message.
    package static let synchronous = MessageID.text("synchronous")
}

extension SessionMachine {
    /// Receives a synchronous request, which is not a message: it overtakes queued ones, and is answered in the same
    /// turn.
    ///
    /// It counts as received, and as a call in progress until ``endSynchronous(_:)``.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - known: The handler of the name, if it is known.
    ///   - waiting: The number of calls that wait outside of the tables.
    ///   - bytes: The size of the payload, if a grant limits it.
    /// - Returns: The request to answer.
    /// - Throws: `disconnected` if the session is closed or the context of the request is given up, `limitExceeded` for
    ///   a
    ///   name that is too long, the refusal of a grant, `handlerNotFound`, `overloaded`.
    package mutating func beginSynchronous(
        _ name: String,
        for known: HandlerID? = nil,
        waiting: Int = 0,
        bytes: Int = 0
    ) throws(BridgeError) -> SynchronousRequest {
        counters.receivedMessages += 1
        guard state != .closed else {
            throw BridgeError(.disconnected, "The bridge is closed, so \"\(name)\" cannot be called.")
        }
        guard isCurrent(nil) else {
            throw Self.lostContextError
        }
        do {
            return try startSynchronous(name, for: known, waiting: waiting, bytes: bytes)
        } catch {
            noteRefusal(of: name, .synchronous, error)
            throw error
        }
    }

    private mutating func startSynchronous(
        _ name: String,
        for known: HandlerID?,
        waiting: Int,
        bytes: Int
    ) throws(BridgeError) -> SynchronousRequest {
        if let error = nameTooLong(name) { throw error }
        let admission = try admitSynchronous(name, bytes: bytes)
        guard let handler = known ?? handler(name) else {
            report(.noHandler(name: name, callbackID: nil, acceptsErrors: true))
            throw handlerNotFound(name)
        }
        let underWay = incoming.count + incoming.synchronousCount + waiting
        guard underWay < limits.maximumPendingCalls else {
            throw Self.tooManyCalls(underWay, limits)
        }
        incoming.synchronousCount += 1
        grants?.begin(admission)
        return SynchronousRequest(handler: handler, handlerName: name, epoch: epoch, admission: admission)
    }

    /// Ends a synchronous request: its answer is about to be delivered.
    ///
    /// - Returns: Whether its context is still current.
    @discardableResult
    package mutating func endSynchronous(_ request: SynchronousRequest) -> Bool {
        incoming.synchronousCount -= 1
        grants?.end(request.admission)
        guard isCurrent(request.epoch) else {
            counters.lostReplies += 1
            return false
        }
        counters.sentMessages += 1
        return true
    }

    /// Returns the error for a call beyond the limit of calls in progress.
    package static func tooManyCalls(_ count: Int, _ limits: BridgeLimits) -> BridgeError {
        BridgeError(
            .overloaded,
            "Too many calls in progress: \(count) (limit \(limits.maximumPendingCalls))."
        )
    }

    /// Returns the error for a call of an unknown handler.
    func handlerNotFound(_ name: String) -> BridgeError {
        var text = "No handler is registered for \"\(name)\"."
        if let near = nearName(to: name, among: handlerNames.filter(isGranted)) {
            text += " Did you mean \"\(near)\"?"
        }
        return BridgeError(.handlerNotFound, text)
    }
}
