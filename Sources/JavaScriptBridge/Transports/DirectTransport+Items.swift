internal import BridgeProtocol
internal import Synchronization

/// A stream of the script whose items are decoded as their type on arrival.
final class DirectStream {
    let stream: InboundStreamID
    let reader: StreamReader
    /// The number of items that are delivered together: half a window.
    ///
    /// Waking a reader costs as much as twenty items; with the other half the script continues while it reads.
    fileprivate let itemsInline: Int
    fileprivate var buffer: ItemBuffer
    /// The number of the next item, and the number of items that the credit allows.
    fileprivate var next: UInt64
    fileprivate var granted: UInt64

    /// A Boolean value that indicates whether items wait to be delivered.
    var hasItems: Bool { buffer.count > 0 }

    fileprivate init(_ stream: InboundStreamID, _ reader: StreamReader, _ kind: any PayloadKind.Type) {
        self.stream = stream
        self.reader = reader
        itemsInline = min(128, Int(reader.window + 1) / 2)
        buffer = ItemBuffer(kind)
        next = 0
        granted = 0
    }
}

/// Items of streams on the fast path: they arrive in order and within their credit, and are delivered to their reader
/// when the script returns, or in groups.
extension DirectTransport {
    /// Receives `(stream, number, 0)` and the item; returns false if the item has to be data.
    func receiveItem(
        _ call: HostCall,
        _ payloads: PayloadReader,
        _ decode: (UnsafeMutableRawPointer) throws -> Void
    ) -> Bool {
        let id = UInt64(call.double(at: 0))
        let number = UInt64(call.double(at: 1))
        // An item must not overtake the requests before it.
        guard !session.mask.contains(anyOf: .items), inbox.isEmpty,
            let stream = stream(id, payloads.kind, number)
        else { return false }
        let kind = payloads.kind
        return withUnsafeTemporaryAllocation(byteCount: kind.size + 1, alignment: kind.alignment) { memory in
            guard let item = memory.baseAddress else { return false }
            do {
                // Not decoded into the buffer: a getter in an array may send messages that deliver the buffer.
                try decode(item)
            } catch {
                // As data the item reaches the reader together with its error.
                return false
            }
            guard let stream = stillOpen(stream, id, kind, number) else {
                kind.deinitialize(item)
                return true
            }
            kind.move(item, to: stream.buffer.place())
            stream.buffer.commit()
            stream.next += 1
            if stream.buffer.count >= stream.itemsInline { handOver(stream) }
            return true
        }
    }

    /// Returns the stream, unless reading the item has ended it or has sent items of other streams.
    @inline(__always)
    private func stillOpen(
        _ stream: DirectStream,
        _ id: UInt64,
        _ kind: any PayloadKind.Type,
        _ number: UInt64
    ) -> DirectStream? {
        lastStream?.stream === stream && stream.next == number ? stream : findStream(id, kind, number)
    }

    /// Returns the stream, if the item is its next.
    @inline(__always)
    private func stream(_ id: UInt64, _ kind: any PayloadKind.Type, _ number: UInt64) -> DirectStream? {
        if let last = lastStream, last.id == id, last.stream.next == number, number < last.stream.granted {
            return last.stream
        }
        return findStream(id, kind, number)
    }

    private func findStream(_ id: UInt64, _ kind: any PayloadKind.Type, _ number: UInt64) -> DirectStream? {
        handOverItems()
        let found = session.state.withLock { state -> (InboundStreamID, UInt64, UInt64, StreamReader)? in
            // The performing thread may hold an earlier item.
            guard !state.performing.isActive,
                let (stream, next, granted) = state.machine.itemsInline(.number(id)),
                let reader = state.streams.readers[stream]
            else { return nil }
            return (stream, next, granted, reader)
        }
        guard let (key, next, granted, reader) = found, next == number, number < granted else { return nil }
        let stream = lastStream?.id == id ? lastStream?.stream : nil
        let current = stream ?? DirectStream(key, reader, kind)
        current.next = next
        current.granted = granted
        lastStream = (id, current)
        return current
    }

    /// Delivers the items in the buffer.
    @inline(__always)
    func handOverItems() {
        if let stream = lastStream?.stream, stream.buffer.count > 0 { handOver(stream) }
    }

    private func handOver(_ stream: DirectStream) {
        let count = stream.buffer.count
        let continues = session.state.withLock { $0.machine.countItems(stream.stream, UInt64(count)) }
        guard continues else {
            lastStream = nil
            return
        }
        stream.buffer = stream.reader.deliver(stream.buffer)
    }
}
