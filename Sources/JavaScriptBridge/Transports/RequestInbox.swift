internal import BridgeProtocol

/// A queue of requests of a script until it returns, each decoded as its handler's type.
///
/// They are contiguous in memory that is reused: a request costs no allocation. It is used on the engine's thread only.
struct RequestInbox: ~Copyable {
    /// A waiting request.
    struct Entry {
        /// The handler; the inbox retains it until everything in it is done.
        let unmanagedHandler: Unmanaged<DirectHandler>
        /// The script's number of the request; 0 for a notification.
        let number: UInt64
        let accepts: CallerCapabilities
        /// The time that its caller waits, in milliseconds; 0 forever.
        let timeout: Double
        /// The request, unless it could not be decoded; the code that removes the entry ends it.
        let memory: UnsafeMutableRawPointer
        /// A Boolean value that indicates whether it could be decoded; if not, the inbox has the error.
        let isRead: Bool

        var handler: DirectHandler { unmanagedHandler.takeUnretainedValue() }
    }

    private static let chunkSize = 1 << 16
    private static let alignment = 16
    // After a flood the memory is released; this many chunks are retained for the next turn.
    private static let keptChunks = 8

    private var entries: [Entry] = []
    /// The handlers of the entries; successive messages of one handler share one retain.
    private var handlers: [DirectHandler] = []
    private var failures: [BridgeError] = []
    /// The number of failures that were taken out.
    private var takenFailures = 0
    private var first = 0
    /// The number of waiting requests that expect an answer.
    private(set) var callCount = 0
    private var chunks: [UnsafeMutableRawPointer] = []
    private var chunk = 0
    private var used = 0
    private var largeBlocks: [UnsafeMutableRawPointer] = []
    /// The number of requests that are being decoded, or were taken out.
    private var inUse = 0

    init() {}

    deinit {
        for entry in entries[first...] { entry.end() }
        for chunk in chunks { chunk.deallocate() }
        for block in largeBlocks { block.deallocate() }
    }

    /// The number of waiting requests.
    var count: Int { entries.count - first }

    var isEmpty: Bool { entries.count == first }

    /// Reserves memory for a request: while it is decoded, a script may send others.
    ///
    /// It is either added next by ``append(_:_:)``, or released by ``finish()``.
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

    /// Adds a request in reserved memory.
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

    /// A Boolean value that indicates whether a request is being decoded, or was taken out and is not done.
    var isInUse: Bool { inUse > 0 }

    /// Adds a request that could not be decoded, in reserved memory.
    mutating func append(_ entry: Entry, unreadAs failure: BridgeError) {
        failures.append(failure)
        append(entry)
    }

    /// Removes the first request; ``finish()`` must be called once its memory is not needed any more.
    @inline(__always)
    mutating func popFirst() -> Entry? {
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

    /// Releases the memory of a request that was taken out, or could not be decoded.
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
    /// Ends a request that is not taken out.
    func end() {
        if isRead { handler.reader.kind.deinitialize(memory) }
    }
}
