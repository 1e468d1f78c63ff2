/// The rows that were read last, in blocks of consecutive numbers.
struct RowBlocks {
    /// The number of rows in a block.
    static let length = 64
    // Enough for several screens; a jump releases them all.
    private static let maximumBlocks = 64

    private var blocks: [Int: [[String]]] = [:]

    /// Returns the fields of a row, or `nil` if its block was not read.
    func row(_ number: Int) -> [String]? {
        let (block, offset) = number.quotientAndRemainder(dividingBy: Self.length)
        return blocks[block].map { offset < $0.count ? $0[offset] : [] }
    }

    /// Keeps the rows of a block.
    mutating func insert(_ rows: [[String]], block: Int) {
        if blocks.count >= Self.maximumBlocks { blocks = [:] }
        blocks[block] = rows
    }

    /// Forgets the block of a row.
    mutating func remove(_ number: Int) { blocks[number / Self.length] = nil }

    /// Forgets all rows.
    mutating func removeAll() { blocks = [:] }
}
