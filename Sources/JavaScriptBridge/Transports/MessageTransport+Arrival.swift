internal import BridgeProtocol
internal import Synchronization

/// The arrival of a message that was not decoded as the type of a handler.
extension MessageTransport {
    /// Passes an arrived message to what observes or restricts messages, in this order: the journal, the log, the
    /// results that later requests refer to, the grants.
    ///
    /// A message is logged (P71), and the place for its result is kept, before it may be denied: requests that refer to
    /// the result must receive the denial.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - payload: Its payload; the error if it cannot be read, which its sender gets.
    ///   - size: Returns the size of the payload, if a grant limits it.
    /// - Returns: The message as it was admitted; `nil` if the journal has handled it, or if it was denied.
    func check(
        _ message: BridgeMessage,
        _ payload: Result<MessagePayload?, any Error>,
        size: () -> Int = { 0 }
    ) -> BridgeMessage? {
        guard !session.crosses(message, { try payload.get()?.value() }) else { return nil }
        if case .request(let request) = message { keepResult(of: request) }
        if case .success(let payload) = payload { session.logTraffic(message, payload, isSent: false) }
        var message = message
        return session.admits(&message, size: size) ? message : nil
    }

    /// Receives a message that was not decoded as the type of a handler.
    ///
    /// A request waits until the other side returns, and so does what arrives after it. The machine takes other messages
    /// now, and also requests that grants may limit: those that are under way count.
    func enqueue(_ message: ArrivedMessage?) {
        guard let message else { return }
        handOverItems()
        if inbox.isWornOut { moveRest() }
        if case .message(.control(let control), _) = message, control.kind == .cancel {
            inbox.hasCancellation = true
        }
        // Requests that grants count may not wait. They follow those that wait because no grant counts them.
        if message.isRequest, session.mask.contains(anyOf: .grants) { moveRest() }
        if inbox.isEmpty, !message.isRequest || session.mask.contains(anyOf: .grants) {
            return session.receive(message)
        }
        if inbox.isEmpty { findRoom() }
        let waiting = inbox.callCount
        if let request = message.call, waiting >= inbox.room,
            let error = session.state.withLock({
                $0.machine.overload(ofCallTo: request.handlerName, waiting: waiting)
            })
        {
            inbox.append(.refused(request, error))
        } else {
            inbox.append(message)
        }
    }
}
