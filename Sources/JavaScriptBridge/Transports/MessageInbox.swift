internal import BridgeProtocol

/// A queue of the messages of the other side until it returns: requests that are decoded as their handler's type, and other
/// messages that arrived after such a request.
///
/// Requests are contiguous in memory that is reused: a request costs no allocation. It is used on the engine's thread
/// only. No access overlaps user code, so dynamic exclusivity checks (12 % of a notification) are off.
final class MessageInbox {
    /// A waiting message.
    struct Entry {
        /// The handler of a request, which the inbox retains until everything in it is done; `nil` for another message,
        /// which the inbox has.
        let unmanagedHandler: Unmanaged<ResolvedHandler>?
        /// The transport's number of the request; 0 for a notification.
        let number: UInt64
        let accepts: CallerCapabilities
        /// The time that its caller waits, in milliseconds; 0 forever.
        let timeout: Double
        /// The request, unless it could not be decoded; the code that removes the entry ends it.
        let memory: UnsafeMutableRawPointer
        /// A Boolean value that indicates whether it could be decoded; if not, the inbox has the error.
        let isRead: Bool
        /// Its call in the trace, if that has recorded its arrival.
        var traced: TraceRecorder.InlineCall?

        var handler: ResolvedHandler? { unmanagedHandler?.takeUnretainedValue() }
    }

    @exclusivity(unchecked) private var entries: [Entry] = []
    /// The handlers of the entries; successive messages of one handler share one retain.
    @exclusivity(unchecked) private var handlers: [ResolvedHandler] = []
    @exclusivity(unchecked) private var failures: [BridgeError] = []
    /// The number of failures that were taken out.
    @exclusivity(unchecked) private var takenFailures = 0
    @exclusivity(unchecked) private var messages = FIFOQueue<ArrivedMessage>()
    @exclusivity(unchecked) private var first = 0
    /// The number of waiting requests that expect an answer.
    @exclusivity(unchecked) private(set) var callCount = 0
    @exclusivity(unchecked) private var memory = RequestMemory()
    /// The number of requests that are being decoded, or were taken out.
    @exclusivity(unchecked) private var inUse = 0
    /// The number of calls that may wait, counted since the inbox was last empty.
    @exclusivity(unchecked) var room = 0
    /// The number of messages on the fast path that were not reported to the machine yet.
    @exclusivity(unchecked) var received = 0
    @exclusivity(unchecked) var sent = 0

    /// The operation of a stopped turn, while its messages are taken.
    @exclusivity(unchecked) var stopped: ExecutionBudget??

    /// A Boolean value that indicates whether it may have a cancellation.
    ///
    /// Then the text transport reads requests as messages. It resets this when the inbox is empty.
    @exclusivity(unchecked) var hasCancellation = false

    init() {}

    deinit {
        for entry in entries[first...] { entry.end() }
    }

    var isEmpty: Bool { entries.count == first }

    /// Reserves memory for a request: while it is decoded, a script may send others.
    ///
    /// It is either added next by ``append(_:)-(Entry)``, or released by ``finish()``.
    @inline(__always)
    func reserve(size: Int) -> UnsafeMutableRawPointer {
        inUse += 1
        return memory.reserve(size: size)
    }

    /// The last call that was answered, until the trace records that together with the next begin.
    @exclusivity(unchecked) var answeredCall: TraceRecorder.InlineCall?

    /// Adds a request in reserved memory.
    @inline(__always)
    func append(_ entry: Entry) {
        inUse -= 1
        if entry.number > 0 { callCount += 1 }
        if entries.last?.unmanagedHandler?.toOpaque() != entry.unmanagedHandler?.toOpaque(),
            let handler = entry.handler
        {
            handlers.append(handler)
        }
        entries.append(entry)
    }

    /// Adds a message of another kind.
    func append(_ message: ArrivedMessage) {
        if message.call != nil { callCount += 1 }
        messages.append(message)
        let memory = reserve(size: 0)
        append(
            Entry(
                unmanagedHandler: nil,
                number: 0,
                accepts: [],
                timeout: 0,
                memory: memory,
                isRead: false
            )
        )
    }

    /// Returns the message of the entry that was just taken out.
    func takeMessage() -> ArrivedMessage? {
        let message = messages.popFirst()
        if message?.call != nil { callCount -= 1 }
        return message
    }

    /// A Boolean value that indicates whether a request is being decoded, or was taken out and is not done.
    var isInUse: Bool { inUse > 0 }

    /// Adds the error of a request that could not be decoded, which is added next.
    func append(_ failure: BridgeError) { failures.append(failure) }

    /// Removes the first request; ``finish()`` must be called once its memory is not needed any more.
    @inline(__always)
    func popFirst() -> Entry? {
        guard first < entries.count else { return nil }
        let entry = entries[first]
        first += 1
        inUse += 1
        if entry.number > 0 { callCount -= 1 }
        return entry
    }

    /// A Boolean value that indicates whether so many completed requests are stored that no more may be added before
    /// all are done.
    var isWornOut: Bool { first > 4096 }

    /// Returns the error of the request that was just taken out and could not be decoded.
    func takeFailure() -> BridgeError {
        guard takenFailures < failures.count else { return BridgeError(.internal, "A request was not read.") }
        let failure = failures[takenFailures]
        takenFailures += 1
        if takenFailures == failures.count {
            failures = []
            takenFailures = 0
        }
        return failure
    }

    /// Releases the memory of a request that was taken out, or could not be decoded.
    @inline(__always)
    func finish() {
        inUse -= 1
        if inUse == 0, first == entries.count { clear() }
    }

    // The transport owns the handlers too: here no handler is released for the last time, whose function may hold
    // objects with deinitializers.
    private func clear() {
        let isLarge = entries.count > 4096
        entries.removeAll(keepingCapacity: !isLarge)
        handlers.removeAll(keepingCapacity: !isLarge)
        first = 0
        memory.clear()
    }
}

extension MessageInbox.Entry {
    /// Ends a request that is not taken out.
    func end() {
        if isRead { handler?.reader.kind.deinitialize(memory) }
    }
}
