package import BridgeValues

/// A synchronous request on its way, which its handler answers before anything else happens (decision 15).
package struct SynchronousRequest: Sendable, Hashable {
    /// What runs.
    package let handler: HandlerID
    /// The name that was called.
    package let handlerName: String
    /// The context that asked; its answer belongs to no other.
    package let epoch: UInt64
    /// What its grant counts.
    let admission: Admission?
}

extension MessageID {
    /// What stands for the id of a synchronous request in logs and traces: it has none, as its answer is no message.
    package static let synchronous = MessageID.text("synchronous")
}

extension SessionMachine {
    /// Takes a synchronous request, which is no message: it overtakes those that wait, and is answered in the same turn.
    ///
    /// It counts as received, and as a call in progress until ``endSynchronous(_:)``.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - known: The handler that the name stands for, if that is known.
    ///   - bytes: The size of the payload, where a grant limits it.
    /// - Returns: The request to answer.
    /// - Throws: `disconnected` where the session is closed or the context that asks is given up, `limitExceeded` for a name that is too long, what a grant refuses
    ///   it with, `handlerNotFound`, `overloaded`.
    package mutating func beginSynchronous(
        _ name: String,
        for known: HandlerID? = nil,
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
            return try startSynchronous(name, for: known, bytes: bytes)
        } catch {
            noteRefusal(of: name, .synchronous, error)
            throw error
        }
    }

    private mutating func startSynchronous(
        _ name: String,
        for known: HandlerID?,
        bytes: Int
    ) throws(BridgeError) -> SynchronousRequest {
        if let error = nameTooLong(name) { throw error }
        let admission = try admitSynchronous(name, bytes: bytes)
        guard let handler = known ?? handler(name) else {
            report(.noHandler(name: name, callbackID: nil, acceptsErrors: true))
            throw handlerNotFound(name)
        }
        let underWay = incoming.count + synchronousRequests
        guard underWay < limits.maximumPendingCalls else {
            let text = "\(limits.maximumPendingCalls) calls may be in progress here, \(underWay) are."
            throw BridgeError(.overloaded, text)
        }
        synchronousRequests += 1
        grants?.begin(admission)
        return SynchronousRequest(handler: handler, handlerName: name, epoch: epoch, admission: admission)
    }

    /// Ends a synchronous request: its answer is about to be handed over.
    ///
    /// - Returns: Whether whoever asked is still there to take it.
    @discardableResult
    package mutating func endSynchronous(_ request: SynchronousRequest) -> Bool {
        synchronousRequests -= 1
        grants?.end(request.admission)
        guard isCurrent(request.epoch) else {
            counters.lostReplies += 1
            return false
        }
        counters.sentMessages += 1
        return true
    }

    /// What a caller is told whose handler there is none of.
    func handlerNotFound(_ name: String) -> BridgeError {
        var text = "No handler is registered for \"\(name)\"."
        if let near = nearName(to: name, among: handlerNames.filter(isGranted)) {
            text += " Did you mean \"\(near)\"?"
        }
        return BridgeError(.handlerNotFound, text)
    }
}
