package import BridgeValues

/// The outcomes of a script's calls to which later requests may refer, and the requests that wait for some of them.
///
/// They are retained until the script reports that it has received them. Everything is bounded: a request that refers
/// to a result that is not retained fails.
///
/// The machine has no payloads, so their types are the storage's. Its module specializes this one.
package struct RetainedResults<Request: Sendable, Payload: Sendable>: Sendable {
    /// The limits of retained results.
    package struct Limits: Sendable {
        /// The maximum number of retained results.
        package var results = 1024
        /// The maximum number of waiting requests.
        package var waiting = 1024
        /// The maximum number of results to which one request may refer.
        package var fanOut = 64

        /// Creates the limits.
        package init() {}
    }

    /// The state of a request that refers to results.
    package enum Readiness: Sendable {
        case ready([ByteEqualString: Payload])
        case failed(BridgeError)
        case waits
    }

    /// A request that waits, with the results so far: its sender may release a result before the others have arrived.
    @usableFromInline
    struct Pending: Sendable {
        @usableFromInline let request: Request
        @usableFromInline var results: [ByteEqualString: Payload]
        @usableFromInline var missing: Set<ByteEqualString>

        @usableFromInline
        init(_ request: Request) { (self.request, results, missing) = (request, [:], []) }
    }

    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline var outcome: Result<Payload, BridgeError>?
        @usableFromInline var isReleased = false
        @usableFromInline var waiting: [Int] = []

        @usableFromInline
        init() {}
    }

    /// The limits.
    package let limits: Limits
    @usableFromInline var entries: [ByteEqualString: Entry] = [:]
    @usableFromInline var waiting: [Int: Pending] = [:]
    @usableFromInline var lastWaiting = 0

    /// Creates a table without results.
    package init(limits: Limits = Limits()) { self.limits = limits }

    /// A Boolean value that indicates whether no result is retained.
    @inlinable package var isEmpty: Bool { entries.isEmpty }

    /// Registers a call whose result may be referred to; returns false if the limit is reached.
    @inlinable
    package mutating func keep(_ id: ByteEqualString) -> Bool {
        if entries[id] != nil { return true }
        guard entries.count < limits.results else { return false }
        entries[id] = Entry()
        return true
    }

    /// Releases a result: its caller has received it.
    ///
    /// - Returns: The result, to be released outside any lock.
    @inlinable
    package mutating func release(_ id: ByteEqualString) -> Result<Payload, BridgeError>? {
        guard let entry = entries[id] else { return nil }
        if entry.outcome == nil { entries[id]?.isReleased = true } else { entries[id] = nil }
        return entry.outcome
    }

    /// Looks up the results to which a request refers, and queues the request until all of them have arrived.
    ///
    /// A request that refers to its own result, or to one that is not retained, fails immediately.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - own: The id of its own result.
    ///   - ids: The ids of the results.
    /// - Returns: The results or an error, or that the request waits.
    @inlinable
    package mutating func find(
        for request: Request,
        knownAs own: MessageID?,
        awaiting ids: [ByteEqualString]
    ) -> Readiness {
        guard ids.count <= limits.fanOut else {
            let text = "The request refers to too many results: \(ids.count) (limit \(limits.fanOut))."
            return .failed(BridgeError(.limitExceeded, text))
        }
        var pending = Pending(request)
        for id in ids {
            guard let entry = entries[id], own != .text(id.text) else {
                let text = "The request refers to a call whose result is not retained here."
                return .failed(BridgeError(.invalidArgument, text))
            }
            switch entry.outcome {
            case .success(let payload)?: pending.results[id] = payload
            case .failure(let error)?: return .failed(error)
            case nil: pending.missing.insert(id)
            }
        }
        guard !pending.missing.isEmpty else { return .ready(pending.results) }
        guard waiting.count < limits.waiting else {
            let text = "Too many pipelined requests (limit \(limits.waiting))."
            return .failed(BridgeError(.overloaded, text))
        }
        lastWaiting += 1
        waiting[lastWaiting] = pending
        for id in pending.missing { entries[id]?.waiting.append(lastWaiting) }
        return .waits
    }

    /// Records the outcome of a call.
    ///
    /// - Returns: The requests that stop waiting for it, in the order of their arrival.
    @inlinable
    package mutating func settle(
        _ id: ByteEqualString,
        _ outcome: Result<Payload, BridgeError>
    ) -> [(Request, Readiness)] {
        guard let entry = entries[id], entry.outcome == nil else { return [] }
        entries[id]?.outcome = outcome
        entries[id]?.waiting = []
        let ready = entry.waiting.compactMap { number -> (Request, Readiness)? in
            // Another result may have failed the request.
            guard var pending = waiting.removeValue(forKey: number) else { return nil }
            switch outcome {
            case .failure(let error): return (pending.request, .failed(error))
            case .success(let payload):
                pending.results[id] = payload
                pending.missing.remove(id)
                guard pending.missing.isEmpty else {
                    waiting[number] = pending
                    return nil
                }
                return (pending.request, .ready(pending.results))
            }
        }
        if entry.isReleased { entries[id] = nil }
        return ready
    }
}
