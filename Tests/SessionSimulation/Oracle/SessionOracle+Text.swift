/// The descriptions of violations.
extension SessionOracle {
    func surprise(_ effect: SessionEffect, instead expected: ExpectedEffect?) -> String {
        let wanted = expected.map { "; expected \($0)" } ?? "; expected nothing"
        switch effect {
        case .settle(let call, _, _) where endedCalls.contains(call) && !isOwed(call, expected):
            return "R5 a call settled twice: \(effect)\(wanted)"
        case .settle(let call, _, _) where calls[call] != nil:
            return "R3 R4 a call settled without a reply: \(effect)\(wanted)"
        case .opened, .settle: return "R5 a call settled incorrectly: \(effect)\(wanted)"
        case .send(let message):
            if case .control = message.body, !isPeerExtended {
                return "W2 an extension was sent to a plain peer: \(effect)\(wanted)"
            }
            return "R5 R22 a message was sent incorrectly: \(effect)\(wanted)"
        case .dispatch: return "R1 R31 a request was dispatched incorrectly: \(effect)\(wanted)"
        case .deliver, .finish: return "R5 a stream was received incorrectly: \(effect)\(wanted)"
        case .demand, .stop:
            return "R22 the credit or the end of a stream was incorrect: \(effect)\(wanted)"
        case .progress, .event: return "R5 progress or an event was incorrect: \(effect)\(wanted)"
        case .abandon: return "R23 a request was abandoned incorrectly: \(effect)\(wanted)"
        case .audit: return "R31 a denial was reported incorrectly: \(effect)\(wanted)"
        case .proceed:
            return "R5 R6 a request that waits for results continued incorrectly: \(effect)\(wanted)"
        case .discard: return "\(effect)"
        }
    }

    private func isOwed(_ call: SessionReference, _ expected: ExpectedEffect?) -> Bool {
        if case .settle(call, _, _)? = expected { true } else { false }
    }

    func difference(_ statistics: SessionStatistics, _ expected: SessionStatistics) -> String {
        let all: [(String, Int, Int)] = [
            ("R22 early cancellations", statistics.earlyCancellations, expected.earlyCancellations),
            ("R5 R6 pending calls", statistics.pendingCalls, expected.pendingCalls),
            ("R6 requests in progress", statistics.requests, expected.requests),
            ("R6 streams with a reader", statistics.readStreams, expected.readStreams),
            ("R6 streams with a sender", statistics.sentStreams, expected.sentStreams),
            ("R3 ignored responses", statistics.ignoredResponses, expected.ignoredResponses),
            ("R4 messages of lost contexts", statistics.lostMessages, expected.lostMessages),
            ("R22 dropped messages", statistics.droppedMessages, expected.droppedMessages),
            ("R5 replies without a caller", statistics.ignoredReplies, expected.ignoredReplies),
            ("R6 errors to callers without support", statistics.suppressedErrors, expected.suppressedErrors),
            (
                "R23 early or late cancellations", statistics.lateCancellations,
                expected.lateCancellations
            ),
            ("R3 messages of unknown streams", statistics.unknownStreams, expected.unknownStreams),
            ("R31 denials", statistics.denials, expected.denials),
        ]
        for (name, found, wanted) in all where found != wanted {
            return "\(name): \(found), should be \(wanted)"
        }
        let found = statistics.nextDeadline.map { "\($0)" } ?? "none"
        let wanted = expected.nextDeadline.map { "\($0)" } ?? "none"
        return "R6 the next deadline is \(found), should be \(wanted)"
    }
}

extension SessionMessage {
    /// The id of the call or the stream that the message is about.
    var id: SessionIdentifier? {
        switch body {
        case .request(_, let id, _, _): id
        case .response(let id, _), .control(_, let id, _, _): id
        }
    }

    /// Returns whether the message equals another one, except for its id.
    func isLike(_ message: SessionMessage, but identity: ExpectedEffect.Identity) -> Bool {
        guard account == message.account else { return false }
        return switch (body, message.body, identity) {
        case (
            .request(let name, let id, let wishes, let deadline), .request(let a, _, let c, let d), .newCall
        ):
            name == a && id != nil && wishes == c && deadline == d
        case (.response(let id, .stream), .response(let a, .stream), .newStream): id == a
        case (.control(let kind, _, let number, let code), .control(let a, _, let c, let d), .call),
            (.control(let kind, _, let number, let code), .control(let a, _, let c, let d), .stream):
            kind == a && number == c && code == d
        default: false
        }
    }
}
