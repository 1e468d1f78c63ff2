public import Stores

/// The identities of some fetched rows in order, as they were at the time of creation.
///
/// This is a view of the results' own order. Creating it costs nothing, a row is found in O(log n), and iteration is as
/// fast as over an array.
public struct FetchedRowIDs: RandomAccessCollection, Sendable {
    private enum Storage: Sendable {
        case order(OrderIndex, Range<Int>)
        case array([RowID])
    }

    private let storage: Storage

    init(_ order: OrderIndex, _ positions: Range<Int>) { storage = .order(order, positions) }

    init(_ ids: [RowID]) { storage = .array(ids) }

    /// Zero, the index of the first row.
    public var startIndex: Int { 0 }

    /// The number of rows.
    public var endIndex: Int {
        switch storage {
        case .order(_, let positions): positions.count
        case .array(let ids): ids.count
        }
    }

    /// Accesses the identity of the row at an index.
    public subscript(index: Int) -> RowID {
        precondition((0..<endIndex).contains(index), "row \(index) of \(endIndex) fetched rows")
        return switch storage {
        case .order(let order, let positions): order.id(at: positions.lowerBound + index)
        case .array(let ids): ids[index]
        }
    }

    /// The identities as an array.
    ///
    /// - Complexity: O(n).
    public var array: [RowID] {
        switch storage {
        case .order(let order, let positions): order.ids(in: positions)
        case .array(let ids): ids
        }
    }

    /// Returns an iterator over the identities.
    public func makeIterator() -> Iterator { Iterator(self) }

    /// An iterator over the identities, which reads up to 512 at a time.
    public struct Iterator: IteratorProtocol {
        private let ids: FetchedRowIDs
        private var position = 0
        private var block: ArraySlice<RowID> = []

        init(_ ids: FetchedRowIDs) { self.ids = ids }

        /// Returns the next row's identity, or `nil` after the last one.
        public mutating func next() -> RowID? {
            if let id = block.popFirst() { return id }
            switch ids.storage {
            case .order(let order, let positions):
                let start = positions.lowerBound + position
                let end = Swift.min(start + 512, positions.upperBound)
                block = order.ids(in: start..<end)[...]
                position += block.count
            case .array(let all):
                block = all[position...]
                position = all.count
            }
            return block.popFirst()
        }
    }
}

extension FetchedRowIDs: Equatable {
    /// Returns whether both have the same rows in the same order.
    public static func == (left: FetchedRowIDs, right: FetchedRowIDs) -> Bool {
        left.count == right.count && left.elementsEqual(right)
    }
}
