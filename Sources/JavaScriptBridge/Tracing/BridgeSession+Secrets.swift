internal import BridgeProtocol
internal import Synchronization

/// Hiding of secrets in messages from scripts (R38).
///
/// Messages from Swift are encoded before they are shown, so their secrets are known by property name then. Messages
/// from scripts are shown before they are decoded, so the declaration of their type has to suffice.
extension BridgeSession {
    /// The shapes of the secrets in the replies of the calls that are being made.
    @TaskLocal static var replyShapes: [SecretShape] = []

    /// Makes calls whose replies, items and progress are decoded as types.
    static func reading<Reply>(
        _ types: Any.Type...,
        isolation: isolated (any Actor)? = #isolation,
        _ call: () async throws -> Reply
    ) async rethrows -> Reply {
        let shapes = types.compactMap { SecretMembers.shared.learn($0) }
        // The shapes of a call that this one is made on behalf of do not apply to it.
        guard !shapes.isEmpty || !replyShapes.isEmpty else { return try await call() }
        return try await $replyShapes.withValue(shapes, operation: call, isolation: isolation)
    }

    /// Returns whether a script's payload must be hidden completely: its reader's type holds secrets, but the payload
    /// lacks the properties that are known by their names.
    func hidesPayload(of message: BridgeMessage, _ payload: () throws -> Value?) -> Bool {
        guard SecretMembers.shared.isInUse else { return false }
        if case .request(let request) = message, request.handlerName == Self.callName {
            guard let data = try? payload() else { return false }
            return references.hidesArguments(data)
        }
        let shapes = shapes(of: message)
        guard !shapes.isEmpty, let payload = try? payload(), payload != .undefined else { return false }
        return !shapes.allSatisfy { $0.isAsDeclared(payload) }
    }

    /// Returns the form for the journal of an answer that may be a secret as a whole.
    func shownInJournal(_ answer: Value, isHidden: Bool) -> Value {
        isHidden && port?.journal?.redactsSecrets == true ? .string(SecretMembers.mark) : answer
    }

    /// Returns the shapes of the secrets in the types as which a script's message is decoded.
    private func shapes(of message: BridgeMessage) -> [SecretShape] {
        switch message {
        case .request(let request):
            // A call without reply may be an event (P51).
            let (type, listeners) = state.withLock { state in
                let handler = state.machine.handler(request.handlerName).flatMap { state.handlers[$0] }
                return (handler?.types?.request, state.listeners.shapes(of: request.handlerName))
            }
            let handler = type.flatMap { SecretMembers.shared.learn($0) }
            return listeners + (handler.map { [$0] } ?? [])
        case .response(let response):
            return state.withLock { $0.replyShapes(of: response.responseID) }
        case .control(let control):
            return state.withLock { state in
                switch control.kind {
                case .event: state.listeners.shapes(of: control.topic)
                case .next: state.itemShapes(of: control.id)
                case .progress: state.replyShapes(of: control.id)
                default: []
                }
            }
        }
    }
}

extension BridgeSession.State {
    fileprivate func replyShapes(of id: MessageID) -> [SecretShape] {
        machine.call(knownAs: id).map(calls.replyShapes(of:)) ?? []
    }

    fileprivate func itemShapes(of id: MessageID) -> [SecretShape] {
        if let reader = machine.stream(knownAs: id).flatMap({ streams.readers[$0] }) { return reader.shapes }
        // It is being opened by one of the pending calls.
        return calls.replyShapes
    }
}

extension ReferenceTable {
    /// Returns whether the arguments that a script passes to a Swift function must be hidden.
    fileprivate func hidesArguments(_ data: Value) -> Bool {
        guard let id = data["id"].stringValue, let target = local(id) else { return false }
        return target.hides(data["args"].arrayValue ?? [], of: data["m"].stringValue)
    }
}
