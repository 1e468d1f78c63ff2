/// A buffer of items of one type, contiguous in memory: a ring that doubles when it is full.
///
/// It may be used by one thread at a time.
// @unchecked Sendable because the producer hands it over to the consumer under the reader's lock.
final class ItemBuffer: @unchecked Sendable {
    let kind: any PayloadKind.Type
    private let stride: Int
    private let alignment: Int
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    private var head = 0
    private(set) var count = 0

    init(_ kind: any PayloadKind.Type) {
        self.kind = kind
        alignment = max(kind.alignment, 1)
        stride = max(1, (kind.size + alignment - 1) / alignment * alignment)
        capacity = 16
        memory = .allocate(byteCount: capacity * stride, alignment: alignment)
    }

    deinit {
        for index in 0..<count { kind.deinitialize(slot(index)) }
        memory.deallocate()
    }

    // The capacity is a power of two.
    private func slot(_ index: Int) -> UnsafeMutableRawPointer {
        memory + ((head + index) & (capacity - 1)) * stride
    }

    /// Returns memory for the next item, which ``commit()`` adds.
    func place() -> UnsafeMutableRawPointer {
        if count == capacity { grow() }
        return slot(count)
    }

    /// Adds the item that was initialized in that memory.
    func commit() { count += 1 }

    private func grow() {
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity * 2 * stride, alignment: alignment)
        for index in 0..<count { kind.move(slot(index), to: larger + index * stride) }
        memory.deallocate()
        memory = larger
        capacity *= 2
        head = 0
    }

    /// Moves the first item to memory for its type; the buffer must not be empty.
    func popFirst(to memory: UnsafeMutableRawPointer) {
        kind.move(slot(0), to: memory)
        dropFirst()
    }

    /// Moves the items of another buffer of the same type behind those of this one.
    func append(_ other: ItemBuffer) {
        while other.count > 0 {
            kind.move(other.slot(0), to: place())
            commit()
            other.dropFirst()
        }
    }

    /// Removes all items and returns them as payloads, in their order.
    func removeAll() -> [MessagePayload] {
        var items: [MessagePayload] = []
        while count > 0 {
            items.append(.read(PayloadMemory(kind) { kind.move(slot(0), to: $0) }))
            dropFirst()
        }
        return items
    }

    private func dropFirst() {
        head = (head + 1) & (capacity - 1)
        count -= 1
    }
}
