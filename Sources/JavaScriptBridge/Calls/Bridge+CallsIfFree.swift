internal import BridgeProtocol
internal import Synchronization

/// What became of a call that was made in a turn of its caller's own thread.
enum BegunCall<Response> {
    /// It has been answered.
    case answered(Response)
    /// Its reply will come to the slot.
    case waits(ReplySlot)
}

extension Bridge {
    /// Makes a call in a turn of this very thread; `nil` where the engine is not free, or the call has to wait its turn
    /// behind others.
    ///
    /// A call that changes threads takes ten times as long as one that does not. It is no more than what a task does
    /// that enters a free actor: it goes on where it is.
    ///
    /// - Throws: What the call ends with, if that is an error.
    func callIfFree<Request: Encodable, Response: Decodable>(
        _ name: String,
        _ data: Request,
        returning type: Response.Type,
        timeout: Duration?
    ) throws -> BegunCall<Response>? {
        guard session.passesMessages, Request.self != Value.self else { return nil }
        let time = session.remaining(timeout ?? session.configuration.defaultTimeout)
        // Who has no time left is told by the machine.
        if let time, time <= .zero { return nil }
        return try withUnsafeTemporaryAllocation(of: Response.self, capacity: 1) {
            reply -> BegunCall<Response>? in
            guard let memory = reply.baseAddress else { return nil }
            var outcome = AtOnceOutcome.notMade
            do {
                let isFree = try runtime.performIfFree { _ in
                    guard let transport = session.openTransport else { return }
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
                // The turn was stopped. The session has ended the calls that it had then; this one may be over before.
                guard case .notMade = outcome else { return try begun(outcome, memory) }
                throw session.state.withLock({ $0.machine.closingError }) ?? BridgeError(error)
            }
            return try begun(outcome, memory)
        }
    }

    private func begun<Response: Decodable>(
        _ outcome: AtOnceOutcome,
        _ memory: UnsafeMutablePointer<Response>
    ) throws -> BegunCall<Response>? {
        switch outcome {
        case .notMade: nil
        case .read: .answered(memory.move())
        case .value(let value): .answered(try ValueDecoder().decode(Response.self, from: value))
        case .later(let slot):
            // What the turn did before its end may have answered.
            try slot.outcome.map { .answered(try $0.get().decode(by: session.textDecoder)) } ?? .waits(slot)
        }
    }

    /// Calls a handler, at once where that is possible.
    func reply<Request: Encodable, Response: Decodable>(
        of name: String,
        to data: Request,
        returning type: Response.Type,
        timeout: Duration?,
        from site: CallSite,
        _ payload: () throws -> MessagePayload?
    ) async throws -> Response {
        let begun: BegunCall<Response>?
        do {
            try Task.checkCancellation()
            begun = try callIfFree(name, data, returning: type, timeout: timeout)
        } catch is CancellationError {
            begun = nil
        } catch let error as BridgeError {
            throw error.traced(throughCallOf: name, from: site)
        }
        switch begun {
        case .answered(let response):
            // The turn has run what is not asynchronous of what the script sent before.
            if !session.isInOrder.load(ordering: .acquiring) { await session.waitUntilBegun() }
            return response
        case .waits(let slot):
            return try await session.wait(for: slot, of: name, from: site).decode(by: session.textDecoder)
        case nil:
            return try await BridgeSession.reading(type) {
                try await session.call(name, payload: payload(), timeout: timeout, from: site)
                    .decode(type, by: session.textDecoder)
            }
        }
    }
}

/// The data of a call without any.
struct Nothing: Encodable, Sendable {
    func encode(to encoder: any Encoder) throws {}
}

extension BridgeSession {
    /// Whether messages may pass by the machine, should the engine be free.
    var passesMessages: Bool {
        isDirect && isUnwatched.load(ordering: .acquiring) && interceptors.isEmpty
            && !hasEngineWork.load(ordering: .acquiring)
    }

    /// Waits for a call that has been handed over; the task's cancellation is the call's.
    fileprivate func wait(for slot: ReplySlot, of name: String, from site: CallSite) async throws
        -> MessagePayload
    {
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { slot.resume($0) }
            } onCancel: {
                guard let call = slot.call else { return }
                update { _ = $0.machine.cancel(call) }
            }
        } catch let error as BridgeError {
            throw error.traced(throughCallOf: name, from: site)
        }
    }
}
