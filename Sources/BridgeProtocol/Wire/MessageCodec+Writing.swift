package import BridgeValues

extension MessageCodec {
    /// Writes a message as the ancestor's native side does, with `x` where there is something to say (P13,
    /// P15).
    ///
    /// - Parameters:
    ///   - message: The message. Its token is not looked at.
    ///   - payload: The payload; `nil` and `undefined` leave `data` out of a request, and are `null` in a
    ///     response.
    ///   - now: The time on the session's clock, which a request's deadline is written against.
    ///   - isPretty: Whether to write it over several lines, for a log.
    /// - Returns: JSON text without lone surrogates. It is handed over as a value, never as source text
    ///   (R11).
    /// - Throws: `limitExceeded` past the depth, the node or the length limit.
    package func text(
        of message: BridgeMessage,
        payload: Value?,
        now: Duration,
        isPretty: Bool = false
    ) throws(BridgeError) -> String {
        var writer = JSONWriter(limits: limits, isPretty: isPretty)
        switch message {
        case .request(let request):
            try writer.writeObject([
                ("handlerName", .string(request.handlerName)),
                ("data", payload),
                ("callbackId", request.callbackID.map { .string($0.description) }),
                ("x", extensions(of: request, now: now)),
            ])
        case .response(let response):
            let id = Value.string(response.responseID.description)
            if let error = response.outcome.error {
                try writer.writeObject([
                    ("responseId", id), ("x", .object(["err": ErrorRecord.value(of: error)])),
                ])
            } else {
                let payload = payload ?? .null
                try writer.writeObject([
                    ("responseId", id), ("responseData", payload == .undefined ? .null : payload),
                ])
            }
        }
        return writer.text
    }

    private func extensions(of request: BridgeMessage.Request, now: Duration) -> Value? {
        var object = ValueObject()
        if request.acceptsErrors { object["acc"] = ["err"] }
        if request.callbackID != nil, let deadline = request.deadline {
            // At least 1, as 0 would mean that there is no deadline.
            object["ttl"] = .integer(max(1, Int64((deadline - now).clampedNanoseconds / 1_000_000)))
        }
        return object.isEmpty ? nil : .object(object)
    }
}
