/// A rebuild of leaves from old ones and edits: runs of remaining rows, and arriving rows between them.
struct LeafRebuild {
    private enum Piece {
        case run(LeafView, Range<Int>)
        case row(OrderEdit)

        var count: Int {
            switch self {
            case .run(_, let slots): slots.count
            case .row: 1
            }
        }
    }

    private let keys: UnsafeRawBufferPointer
    private var pieces: [Piece] = []
    private var sources = 0
    /// The number of rows in the result.
    private(set) var count = 0
    /// An upper bound for the number of bytes of their keys.
    private var byteCount = 0

    init(keys: UnsafeRawBufferPointer) {
        self.keys = keys
        pieces.reserveCapacity(8)
    }

    /// Clears the rebuild and keeps its capacity.
    mutating func removeAll() {
        pieces.removeAll(keepingCapacity: true)
        (sources, count, byteCount) = (0, 0, 0)
    }

    /// Appends the rows of a leaf with its edits applied; a nil `view` is an empty index without leaves.
    mutating func append(_ leaf: Int, _ view: LeafView?, _ edits: inout EditCursor) {
        let end = view?.count ?? 0
        var next = 0
        sources += 1
        if let view { byteCount += view.prefixCount * end + view.restCount }
        while let edit = edits.takeArriving(in: leaf) {
            keep(view, next..<edit.place.slot, leaf, &edits)
            next = edit.place.slot
            pieces.append(.row(edit))
            count += 1
            byteCount += edit.key.count
        }
        keep(view, next..<end, leaf, &edits)
    }

    private mutating func keep(_ view: LeafView?, _ slots: Range<Int>, _ leaf: Int, _ edits: inout EditCursor)
    {
        guard let view else { return }
        var next = slots.lowerBound
        while let edit = edits.takeLeaving(of: leaf, before: slots.upperBound) {
            append(view, next..<edit.place.slot)
            next = edit.place.slot + 1
        }
        append(view, next..<slots.upperBound)
    }

    private mutating func append(_ view: LeafView, _ slots: Range<Int>) {
        guard !slots.isEmpty else { return }
        pieces.append(.run(view, slots))
        count += slots.count
    }

    // MARK: - New leaves

    /// The number of leaves in the result.
    private var parts: Int {
        let byCount = (count + OrderIndex.largestLeafCount - 1) / OrderIndex.largestLeafCount
        return min(count, max(byCount, byteCount / (2 * OrderIndex.largestLeafBytes) + 1))
    }

    /// Builds the result if it is exactly one leaf; otherwise returns `nil`.
    func onlyLeaf() -> OrderLeaf? {
        guard parts == 1 else { return nil }
        return sources == 1 ? leafWithSamePrefix() ?? leaf(pieces) : leaf(pieces)
    }

    /// Builds the leaves: none without rows, usually one, several if one would be too large.
    func leaves() -> [OrderLeaf] {
        guard count > 0 else { return [] }
        if let leaf = onlyLeaf() { return [leaf] }
        let parts = parts
        var leaves: [OrderLeaf] = []
        var rest = pieces[...]
        for part in 0..<parts {
            let wanted = count * (part + 1) / parts - count * part / parts
            leaves.append(leaf(Self.take(wanted, from: &rest)))
        }
        return leaves
    }

    private static func restCount(_ view: LeafView, _ slots: Range<Int>) -> Int {
        view.restRange(slots.upperBound - 1).upperBound - view.restRange(slots.lowerBound).lowerBound
    }

    private static func take(_ wanted: Int, from pieces: inout ArraySlice<Piece>) -> [Piece] {
        var taken: [Piece] = []
        var missing = wanted
        while missing > 0, let piece = pieces.popFirst() {
            if piece.count > missing, case .run(let view, let slots) = piece {
                let middle = slots.lowerBound + missing
                taken.append(.run(view, slots.lowerBound..<middle))
                pieces = [.run(view, middle..<slots.upperBound)] + pieces
                missing = 0
            } else {
                taken.append(piece)
                missing -= piece.count
            }
        }
        return taken
    }

    /// Builds a leaf with the same prefix as its only source by copying runs of memory; `nil` if a new key does not
    /// have the prefix.
    private func leafWithSamePrefix() -> OrderLeaf? {
        var source: LeafView?
        var restCount = 0
        for piece in pieces {
            guard case .run(let view, let slots) = piece else { continue }
            source = view
            restCount += Self.restCount(view, slots)
        }
        guard let source else { return nil }
        let prefix = source.prefix
        for piece in pieces {
            guard case .row(let edit) = piece else { continue }
            guard edit.key.count >= prefix.count, prefix.elementsEqual(keys[edit.key].prefix(prefix.count))
            else { return nil }
            restCount += edit.key.count - prefix.count
        }
        var writer = LeafWriter(count: count, prefixCount: prefix.count, restCount: restCount)
        writer.writePrefix(prefix)
        for piece in pieces {
            switch piece {
            case .run(let view, let slots): writer.append(slots, of: view)
            case .row(let edit):
                let rest = edit.key.lowerBound + prefix.count..<edit.key.upperBound
                writer.append(UnsafeRawBufferPointer(rebasing: keys[rest]), edit.id)
            }
        }
        return writer.finish()
    }

    /// Builds a leaf from any pieces through their complete keys.
    private func leaf(_ pieces: [Piece]) -> OrderLeaf {
        var bytes: [UInt8] = []
        var ends: [Int] = []
        var ids: [RowID] = []
        for piece in pieces {
            switch piece {
            case .run(let view, let slots):
                for slot in slots {
                    bytes.append(contentsOf: view.key(slot))
                    ends.append(bytes.count)
                    ids.append(view.ids[slot])
                }
            case .row(let edit):
                bytes.append(contentsOf: keys[edit.key])
                ends.append(bytes.count)
                ids.append(edit.id)
            }
        }
        return bytes.withUnsafeBytes { bytes in
            ends.withUnsafeBufferPointer { ends in
                ids.withUnsafeBufferPointer { .make(keys: bytes, ends: ends, ids: $0) }
            }
        }
    }
}
