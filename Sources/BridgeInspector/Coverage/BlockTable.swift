/// The counts of a script's basic blocks and functions, by offsets in its text.
struct BlockTable {
    /// A range of the text, the end included, with the number of its executions.
    struct Block: Hashable {
        let start: Int
        let end: Int
        let count: Int
    }

    /// The blocks sorted by their beginnings, an outer one before those inside it.
    let blocks: [Block]
    /// The index of each block's outer one; -1 for none.
    private let parents: [Int]

    init(_ blocks: [Block]) {
        // A function's own range counts 1, and comes before a block of the same range, which has the number.
        let sorted = blocks.filter { $0.start <= $0.end }.sorted {
            ($0.start, $1.end, $0.count) < ($1.start, $0.end, $1.count)
        }
        var parents: [Int] = []
        var open: [Int] = []
        for (index, block) in sorted.enumerated() {
            while let last = open.last, sorted[last].end < block.start { open.removeLast() }
            parents.append(open.last ?? -1)
            open.append(index)
        }
        self.blocks = sorted
        self.parents = parents
    }

    /// Returns the number of executions of the innermost block that contains an offset; `nil` outside all blocks.
    func count(at offset: Int) -> Int? {
        var (lower, upper) = (0, blocks.count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if blocks[middle].start <= offset { lower = middle + 1 } else { upper = middle }
        }
        var index = lower - 1
        while index >= 0 {
            if blocks[index].end >= offset { return blocks[index].count }
            index = parents[index]
        }
        return nil
    }
}
