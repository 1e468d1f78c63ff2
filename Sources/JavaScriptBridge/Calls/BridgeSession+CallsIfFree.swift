internal import BridgeProtocol
internal import Synchronization

/// The outcome of a call that was made in a turn on its caller's own thread.
enum BegunCall<Response> {
    /// The call has been answered.
    case answered(Response)
    /// The reply will arrive in the slot.
    case waits(ReplySlot)
}

extension BridgeSession {
    /// Makes a call in a turn on the calling thread; returns `nil` if the engine is not free, or if the call has to
    /// queue behind others.
    ///
    /// A call that changes threads takes ten times as long as one that does not. A task that enters a free actor does
    /// the same: it continues on its thread.
    ///
    /// - Throws: The error with which the call ends.
    func callIfFree<Request: Encodable, Response: Decodable>(
        _ name: String,
        _ data: Request,
        returning type: Response.Type,
        timeout: Duration?,
        on runtime: JavaScriptRuntime
    ) throws -> BegunCall<Response>? {
        guard isDirect, !mask.contains(anyOf: .calls), !interceptors.hasUnsent,
            !interceptors.intercepts(.outgoing, name)
        else { return nil }
        let time = remaining(timeout ?? configuration.defaultTimeout)
        // The session machine reports a call that has no time left.
        if let time, time <= .zero { return nil }
        return try withUnsafeTemporaryAllocation(of: Response.self, capacity: 1) {
            reply -> BegunCall<Response>? in
            guard let memory = reply.baseAddress else { return nil }
            var outcome = InlineOutcome.notMade
            do {
                let isFree = try runtime.performIfFree { _ in
                    guard let transport = openTransport(for: name) else { return }
                    outcome = try withUnsafePointer(to: data) { data in
                        try transport.call(
                            name,
                            Request.self == Nothing.self ? nil : UnsafeRawPointer(data),
                            Request.self,
                            replyingAs: type,
                            into: memory,
                            timeout: time,
                            isInTurn: false
                        )
                    }
                }
                guard isFree else { return nil }
            } catch let error as JSException {
                // The turn was stopped. The session has ended its pending calls then; this call may have ended before.
                guard case .notMade = outcome else { return try begun(outcome, of: name, memory) }
                throw state.withLock({ $0.machine.closingError }) ?? BridgeError(error)
            }
            return try begun(outcome, of: name, memory)
        }
    }

    private func begun<Response: Decodable>(
        _ outcome: InlineOutcome,
        of name: String,
        _ memory: UnsafeMutablePointer<Response>
    ) throws -> BegunCall<Response>? {
        switch outcome {
        case .notMade: nil
        case .read: .answered(memory.move())
        case .value(let value):
            .answered(try MessagePayload.value(value).decodeReply(of: name, by: textDecoder))
        case .later(let slot):
            // Work at the end of the turn may have answered the call.
            try slot.outcome.map {
                .answered(try $0.get().decodeReply(of: name, by: textDecoder))
            } ?? .waits(slot)
        }
    }

    /// Calls a handler, inline if possible.
    func reply<Request: Encodable, Response: Decodable>(
        of name: String,
        to data: Request,
        returning type: Response.Type,
        timeout: Duration?,
        from site: CallSite,
        on runtime: JavaScriptRuntime,
        _ payload: () throws -> MessagePayload?
    ) async throws -> Response {
        let response = try await replyIfFree(
            of: name,
            to: data,
            returning: type,
            timeout: timeout,
            from: site,
            on: runtime
        )
        if let response { return response }
        return try await Self.reading(type) {
            try await call(name, payload: payload(), timeout: timeout, from: site)
                .decodeReply(of: name, from: site, by: textDecoder)
        }
    }

    /// Calls a handler inline; returns `nil` if that is not possible.
    func replyIfFree<Request: Encodable, Response: Decodable>(
        of name: String,
        to data: Request,
        returning type: Response.Type,
        timeout: Duration?,
        from site: CallSite,
        on runtime: JavaScriptRuntime
    ) async throws -> Response? {
        // The machine reports a task that is cancelled.
        guard !Task.isCancelled else { return nil }
        let begun: BegunCall<Response>?
        do {
            begun = try callIfFree(name, data, returning: type, timeout: timeout, on: runtime)
        } catch let error as BridgeError {
            throw error.traced(throughCallOf: name, from: site)
        }
        switch begun {
        case .answered(let response):
            // The turn has run the synchronous part of all that the script sent before.
            if mask.contains(anyOf: .order) { await waitUntilBegun() }
            return response
        case .waits(let slot):
            return try await wait(for: slot, of: name, from: site)
                .decodeReply(type, of: name, from: site, by: textDecoder)
        case nil: return nil
        }
    }
}

/// The result of a call whose caller ignores it: any value of a script, which is not read.
struct IgnoredResult: Decodable, Sendable {
    init(from decoder: any Decoder) {}
}

/// The data of a call that has no data.
struct Nothing: Encodable, Sendable {
    func encode(to encoder: any Encoder) throws {}
}
