internal import BridgeProtocol

/// Requests of a script that wait for the end of what it does just now, each read as what its handler takes.
///
/// They lie one behind another in memory that is used again and again: a request costs no allocation. For the engine's
/// thread only.
struct RequestInbox: ~Copyable {
    /// A request that waits.
    struct Entry {
        /// Whose it is; the inbox keeps it alive until all that lies here is done.
        let unmanagedHandler: Unmanaged<DirectHandler>
        /// What the script calls it; 0 for a notification.
        let number: UInt64
        let accepts: Acceptance
        /// How many milliseconds its caller waits; 0 for ever.
        let timeout: Double
        /// The request, unless it could not be read; whoever takes the entry out ends it.
        let memory: UnsafeMutableRawPointer
        /// Whether it could be read; if not, the inbox has the reason.
        let isRead: Bool

        var handler: DirectHandler { unmanagedHandler.takeUnretainedValue() }
    }

    private static let chunkSize = 1 << 16
    private static let alignment = 16
    // After a flood the memory goes back; so many chunks are kept for the next turn.
    private static let keptChunks = 8

    private var entries: [Entry] = []
    /// The handlers of the entries; one is counted once for all of its messages that follow each other.
    private var handlers: [DirectHandler] = []
    private var failures: [BridgeError] = []
    /// How many of the failures were taken out.
    private var takenFailures = 0
    private var first = 0
    /// How many of those that wait want an answer.
    private(set) var callCount = 0
    private var chunks: [UnsafeMutableRawPointer] = []
    private var chunk = 0
    private var used = 0
    private var largeBlocks: [UnsafeMutableRawPointer] = []
    /// How many requests lie here that are being read, or were taken out.
    private var inUse = 0

    init() {}

    deinit {
        for entry in entries[first...] { entry.end() }
        for chunk in chunks { chunk.deallocate() }
        for block in largeBlocks { block.deallocate() }
    }

    /// How many requests wait.
    var count: Int { entries.count - first }

    var isEmpty: Bool { entries.count == first }

    /// A place for a request, which belongs to it from now on: while it is read, a script may send others.
    ///
    /// It is added next by ``append(_:_:)``, or given back by ``finish()``.
    @inline(__always)
    mutating func reserve(size: Int) -> UnsafeMutableRawPointer {
        inUse += 1
        let size = (size + Self.alignment - 1) & -Self.alignment
        guard chunk < chunks.count, used + size <= Self.chunkSize else { return newPlace(size: size) }
        defer { used += size }
        return chunks[chunk] + used
    }

    private mutating func newPlace(size: Int) -> UnsafeMutableRawPointer {
        guard size <= Self.chunkSize / 4 else {
            let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: Self.alignment)
            largeBlocks.append(block)
            return block
        }
        if !chunks.isEmpty { chunk += 1 }
        if chunk >= chunks.count {
            chunks.append(.allocate(byteCount: Self.chunkSize, alignment: Self.alignment))
            chunk = chunks.count - 1
        }
        used = size
        return chunks[chunk]
    }

    /// Adds a request at a place that was reserved.
    @inline(__always)
    mutating func append(_ entry: Entry) {
        inUse -= 1
        if entry.number > 0 { callCount += 1 }
        let handler = entry.unmanagedHandler
        if entries.isEmpty || entries[entries.count - 1].unmanagedHandler.toOpaque() != handler.toOpaque() {
            handlers.append(entry.handler)
        }
        entries.append(entry)
    }

    /// Whether a request is being read, or was taken out and is not done.
    var isInUse: Bool { inUse > 0 }

    /// Adds a request that could not be read, at a place that was reserved.
    mutating func append(_ entry: Entry, unreadAs failure: BridgeError) {
        failures.append(failure)
        append(entry)
    }

    /// Takes the first request out; ``finish()`` is called once its memory is not needed any more.
    @inline(__always)
    mutating func popFirst() -> Entry? {
        guard first < entries.count else { return nil }
        let entry = entries[first]
        first += 1
        inUse += 1
        if entry.number > 0 { callCount -= 1 }
        return entry
    }

    /// Whether so many lie here that were done that no more may come behind them before all are.
    var isWornOut: Bool { first > 4096 }

    /// Why the request that was just taken out could not be read.
    mutating func takeFailure() -> BridgeError {
        guard takenFailures < failures.count else { return BridgeError(.internal, "A request was not read.") }
        let failure = failures[takenFailures]
        takenFailures += 1
        if takenFailures == failures.count {
            failures = []
            takenFailures = 0
        }
        return failure
    }

    /// Gives the memory of a request back that was taken out, or could not be read.
    @inline(__always)
    mutating func finish() {
        inUse -= 1
        if inUse == 0, first == entries.count { clear() }
    }

    private mutating func clear() {
        let isLarge = entries.count > 4096
        entries.removeAll(keepingCapacity: !isLarge)
        handlers.removeAll(keepingCapacity: !isLarge)
        first = 0
        chunk = 0
        used = 0
        guard chunks.count > Self.keptChunks || !largeBlocks.isEmpty else { return }
        while chunks.count > Self.keptChunks { chunks.removeLast().deallocate() }
        for block in largeBlocks { block.deallocate() }
        largeBlocks = []
    }
}

extension RequestInbox.Entry {
    /// Ends the request, which nobody takes.
    func end() {
        if isRead { handler.reader.kind.deinitialize(memory) }
    }
}
