internal import Stores

/// The effect of changed rows on the displayed rows, found from the changed rows alone in two steps around the change.
///
/// The first step reads the old content, the second the new one. Rows that no change names are never visited, except
/// those that enter or leave the limit and the offset.
struct FetchedTransition {
    /// A row that is displayed before or after, and differs between the two.
    struct Row {
        let id: RowID
        var old: ItemPath?
        var new: ItemPath?
        /// The position in the new order, if the row is displayed there.
        let newPosition: Int?
        /// A Boolean value that indicates whether it stays in its section.
        let staysInSection: Bool
        /// A Boolean value that indicates whether its sort keys changed.
        let isTouched: Bool
    }

    /// A section that may have been inserted or deleted.
    private struct Candidate {
        let key: [UInt8]
        /// The index before, if the section was displayed.
        let old: Int?

        func values(_ plan: FetchPlan) -> [AttributeValue] {
            key.withUnsafeBytes { plan.format.sectionValues($0) }
        }
    }

    private(set) var rows: [Row] = []
    private var candidates: [Candidate] = []

    /// A Boolean value that indicates whether no displayed row changes.
    var isEmpty: Bool { rows.isEmpty }

    /// Creates a transition from the old content.
    init(_ edits: borrowing RowEdits, old: borrowing FetchedContent) {
        let oldWindow = old.window
        let newWindow = old.plan.window(of: old.order.count + edits.delta)
        var sectionKeys: [[UInt8]] = []
        rows.reserveCapacity(edits.rows.count)
        for row in edits.rows {
            let from = row.old.flatMap { oldWindow.contains($0.position) ? $0 : nil }
            let to = row.new.flatMap { newWindow.contains($0.position) ? $0 : nil }
            guard from != nil || to != nil else { continue }
            var stays = false
            if let from, let to {
                stays =
                    row.isInPlace
                    || OrderSections.compare(edits.bytes(from.sectionKey), edits.bytes(to.sectionKey)) == 0
            }
            if !stays, old.plan.hasSections {
                if let from { sectionKeys.append(Array(edits.bytes(from.sectionKey))) }
                if let to { sectionKeys.append(Array(edits.bytes(to.sectionKey))) }
            }
            rows.append(
                Row(
                    id: row.id,
                    old: from.map { old.path(of: $0.position) },
                    new: nil,
                    newPosition: to?.position,
                    staysInSection: stays,
                    isTouched: !row.isInPlace
                )
            )
        }
        if oldWindow != 0..<old.order.count || newWindow != 0..<old.order.count + edits.delta {
            shiftEdges(edits, old, oldWindow, newWindow, &sectionKeys)
        }
        findCandidates(sectionKeys, old)
    }

    /// Adds the rows without a change that enter or leave the window because other rows did.
    private mutating func shiftEdges(
        _ edits: borrowing RowEdits,
        _ old: borrowing FetchedContent,
        _ oldWindow: Range<Int>,
        _ newWindow: Range<Int>,
        _ sectionKeys: inout [[UInt8]]
    ) {
        let inPlace = Set(edits.rows.lazy.filter(\.isInPlace).compactMap { $0.old?.position })
        // Untouched rows keep their order, so the rows that enter or leave are adjacent at the edges. Each walk begins
        // at an edge and ends at the first row that does neither.
        func walk(_ positions: some Sequence<Int>, while holds: (Int) -> Bool, visit: (Int, Int) -> Void) {
            for position in positions where !edits.isLeaving(position) {
                let new = edits.newPosition(of: position)
                guard holds(new) else { break }
                if !inPlace.contains(position) { visit(position, new) }
            }
        }
        var hidden: [Int] = []
        walk(oldWindow, while: { $0 < newWindow.lowerBound }, visit: { old, _ in hidden.append(old) })
        walk(
            oldWindow.reversed(),
            while: { $0 >= newWindow.upperBound },
            visit: { old, _ in hidden.append(old) }
        )
        for position in hidden {
            append(position, old, from: old.path(of: position), newPosition: nil, &sectionKeys)
        }
        var shown: [(old: Int, new: Int)] = []
        func show(_ old: Int, _ new: Int) { if newWindow.contains(new) { shown.append((old, new)) } }
        walk((0..<oldWindow.lowerBound).reversed(), while: { $0 >= newWindow.lowerBound }, visit: show)
        walk(oldWindow.upperBound..<old.order.count, while: { $0 < newWindow.upperBound }, visit: show)
        for position in shown {
            append(position.old, old, from: nil, newPosition: position.new, &sectionKeys)
        }
    }

    private mutating func append(
        _ position: Int,
        _ old: borrowing FetchedContent,
        from path: ItemPath?,
        newPosition: Int?,
        _ sectionKeys: inout [[UInt8]]
    ) {
        if old.plan.hasSections {
            sectionKeys.append(old.sections.key(of: old.sections.section(at: position)))
        }
        rows.append(
            Row(
                id: old.order.id(at: position),
                old: path,
                new: nil,
                newPosition: newPosition,
                staysInSection: false,
                isTouched: false
            )
        )
    }

    private mutating func findCandidates(_ keys: [[UInt8]], _ old: borrowing FetchedContent) {
        let shown = old.shownSections
        var last: [UInt8]?
        for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) where key != last {
            last = key
            let found = key.withUnsafeBytes { old.sections.find($0) }
            let isShown = found.isFound && shown.contains(found.section)
            candidates.append(Candidate(key: key, old: isShown ? found.section - shown.lowerBound : nil))
        }
    }

    /// Reads the new content, and returns all changes.
    mutating func finish(new: borrowing FetchedContent) -> Difference {
        for index in rows.indices { rows[index].new = rows[index].newPosition.map(new.path(of:)) }
        var result = Difference()
        var found = Difference.Rows()
        let shown = new.shownSections
        for candidate in candidates {
            let place = candidate.key.withUnsafeBytes { new.sections.find($0) }
            let isShown = place.isFound && shown.contains(place.section)
            if let old = candidate.old, !isShown {
                result.sectionDeletes.append(Int32(truncatingIfNeeded: old))
                found.deletedSectionKeys.append(candidate.values(new.plan))
            } else if candidate.old == nil, isShown {
                result.sectionInserts.append(Int32(truncatingIfNeeded: place.section - shown.lowerBound))
                found.insertedSectionKeys.append(candidate.values(new.plan))
            }
        }
        result.collect(rows, in: new, &found)
        found.query = new.plan.origin
        result.rows = found
        return result
    }
}
