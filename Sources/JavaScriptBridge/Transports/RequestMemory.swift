/// The memory of waiting requests, contiguous and reused.
struct RequestMemory: ~Copyable {
    private static let chunkSize = 1 << 16
    private static let alignment = 16
    // After a flood the memory is released; this many chunks are retained for the next turn.
    private static let keptChunks = 8

    private var chunks: [UnsafeMutableRawPointer] = []
    private var chunk = 0
    private var used = 0
    private var largeBlocks: [UnsafeMutableRawPointer] = []

    deinit {
        for chunk in chunks { chunk.deallocate() }
        for block in largeBlocks { block.deallocate() }
    }

    /// Reserves memory, which stays until the next call of ``clear()``.
    @inline(__always)
    mutating func reserve(size: Int) -> UnsafeMutableRawPointer {
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

    /// Makes all memory free.
    mutating func clear() {
        chunk = 0
        used = 0
        guard chunks.count > Self.keptChunks || !largeBlocks.isEmpty else { return }
        while chunks.count > Self.keptChunks { chunks.removeLast().deallocate() }
        for block in largeBlocks { block.deallocate() }
        largeBlocks = []
    }
}
