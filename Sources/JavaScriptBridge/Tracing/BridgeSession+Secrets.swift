internal import BridgeProtocol
internal import Synchronization

/// What is not shown of what scripts send (R38).
///
/// What Swift sends is encoded before it is shown, and its secrets are known by their names then. What a script sends is shown
/// before it is decoded: what its type says of it must do.
extension BridgeSession {
    /// Where the replies of the calls that are being made hold secrets.
    @TaskLocal static var replyShapes: [SecretShape] = []

    /// Makes calls whose replies, and what comes before them, are read as types.
    static func reading<Reply>(
        _ types: Any.Type...,
        isolation: isolated (any Actor)? = #isolation,
        _ call: () async throws -> Reply
    ) async rethrows -> Reply {
        let shapes = types.compactMap { SecretMembers.shared.learn($0) }
        // Those of a call that this one is made on behalf of are not its own.
        guard !shapes.isEmpty || !replyShapes.isEmpty else { return try await call() }
        return try await $replyShapes.withValue(shapes, operation: call, isolation: isolation)
    }

    /// Whether a script's payload is not to be shown at all: who reads it holds secrets, and it has not the members that
    /// are known by their names.
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

    /// What a journal has of an answer that may be a secret as a whole.
    func shownInJournal(_ answer: Value, isHidden: Bool) -> Value {
        isHidden && port?.journal?.redactsSecrets == true ? .string(SecretMembers.mark) : answer
    }

    /// Where those who read a message of the script hold secrets.
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
        guard !replyShapes.isEmpty, let call = machine.call(knownAs: id) else { return [] }
        return replyShapes[call] ?? []
    }

    fileprivate func itemShapes(of id: MessageID) -> [SecretShape] {
        if let reader = machine.stream(knownAs: id).flatMap({ readers[$0] }) { return reader.shapes }
        // It is being opened, by one of the calls that wait.
        return replyShapes.values.flatMap { $0 }
    }
}

extension ReferenceTable {
    /// Whether what a script gives a function of Swift is not to be shown.
    fileprivate func hidesArguments(_ data: Value) -> Bool {
        guard let id = data["id"].stringValue, let target = local(id) else { return false }
        return target.hides(data["args"].arrayValue ?? [], of: data["m"].stringValue)
    }
}
