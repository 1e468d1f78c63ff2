internal import BridgeValues
internal import Stores

/// The effect of a commit's changes on one order: which rows were in it, which are now, and their positions.
struct RowEdits: ~Copyable {
    /// One changed row.
    struct Row {
        let id: RowID
        /// The row's old side, or `nil` if it did not match.
        var old: Side?
        /// The row's new side, or `nil` if it does not match any more.
        var new: Side?
        /// A Boolean value that indicates whether its sort keys are unchanged, so that it stays at its position.
        var isInPlace = false
    }

    /// A row in one of the two states.
    struct Side {
        let key: Range<Int>
        let sectionCount: Int
        let place: OrderPlace
        /// The position in the whole order of this state.
        var position: Int

        var sectionKey: Range<Int> { key.lowerBound..<key.lowerBound + sectionCount }
    }

    /// The changes that these edits were created from.
    let changes: [TransactionChanges.RowChange]
    /// The buffer of keys; the rows' sides have ranges of it.
    private(set) var keys = OrderKeyBuffer()
    /// The rows that are in at least one of the two states.
    private(set) var rows: [Row] = []
    /// The rows that leave their position, in the order of positions, as indices into the rows.
    private(set) var leaving: [Int] = []
    /// The rows that arrive at a position, in their order, as indices into the rows.
    private(set) var arriving: [Int] = []
    private var leavingPositions: [Int] = []
    private var arrivingPositions: [Int] = []

    /// Creates edits, with the positions of changed rows.
    ///
    /// - Returns: `nil` if the order lacks a row at the position of its old values: it is not the order of the state
    ///   before these changes.
    /// - Throws: The error that stops the work of this thread.
    init?(_ changes: [TransactionChanges.RowChange], in content: borrowing FetchedContent) throws {
        self.changes = changes
        rows.reserveCapacity(changes.count)
        let plan = content.plan
        var meter = WorkMeter()
        for change in changes {
            try meter.step(plan.matchingSteps)
            let old = change.old.flatMap { plan.matches($0, id: change.id) ? $0 : nil }
            let new = change.new.flatMap { plan.matches($0, id: change.id) ? $0 : nil }
            guard old != nil || new != nil else { continue }
            var row = Row(id: change.id)
            if let old {
                guard let side = append(old, change.id, content), side.place.isFound else { return nil }
                row.old = side
                if let new, plan.format.areEqual(old, new) {
                    row.isInPlace = true
                    row.new = side
                }
            }
            if let new, !row.isInPlace {
                guard let side = append(new, change.id, content), !side.place.isFound else { return nil }
                row.new = side
            }
            if row.old != nil, !row.isInPlace { leaving.append(rows.count) }
            if row.new != nil, !row.isInPlace { arriving.append(rows.count) }
            rows.append(row)
        }
        sort()
        findNewPositions()
    }

    private mutating func append(
        _ values: [AttributeValue],
        _ id: RowID,
        _ content: borrowing FetchedContent
    ) -> Side? {
        let start = keys.count
        let sectionCount = content.plan.format.append(values, to: &keys)
        let bytes = UnsafeRawBufferPointer(rebasing: keys.bytes[start...])
        let place = content.order.place(of: bytes, id: id)
        return Side(
            key: start..<start + bytes.count,
            sectionCount: sectionCount,
            place: place,
            position: place.position
        )
    }

    private mutating func sort() {
        guard rows.count > 1 else {
            // Most commits have one changed row.
            if let index = leaving.first { leavingPositions = [Self.position(rows[index].old)] }
            if let index = arriving.first { arrivingPositions = [Self.position(rows[index].new)] }
            return
        }
        let rows = rows
        leaving.sort { Self.position(rows[$0].old) < Self.position(rows[$1].old) }
        let bytes = keys.bytes
        arriving.sort { left, right in
            guard let first = rows[left].new, let second = rows[right].new else { return false }
            // Rows that arrive between the same two neighbors are compared with each other.
            guard first.position == second.position else { return first.position < second.position }
            let order = OrderSections.compare(
                UnsafeRawBufferPointer(rebasing: bytes[first.key]),
                UnsafeRawBufferPointer(rebasing: bytes[second.key])
            )
            return order == 0 ? rows[left].id < rows[right].id : order < 0
        }
        leavingPositions = leaving.map { Self.position(rows[$0].old) }
        arrivingPositions = arriving.map { Self.position(rows[$0].new) }
    }

    private static func position(_ side: Side?) -> Int { side?.position ?? 0 }

    private mutating func findNewPositions() {
        for (number, index) in arriving.enumerated() {
            let position = arrivingPositions[number]
            let left = SectionMoves.count(in: leavingPositions, before: position)
            rows[index].new?.position = position - left + number
        }
        guard movesRows else { return }
        for index in rows.indices where rows[index].isInPlace {
            let position = newPosition(of: Self.position(rows[index].old))
            rows[index].new?.position = position
        }
    }

    /// Returns the new position of a row that no edit moves.
    func newPosition(of position: Int) -> Int {
        position - SectionMoves.count(in: leavingPositions, before: position)
            + SectionMoves.count(in: arrivingPositions, before: position + 1)
    }

    /// Returns whether the row at an old position leaves it.
    func isLeaving(_ position: Int) -> Bool {
        let place = SectionMoves.count(in: leavingPositions, before: position)
        return place < leavingPositions.count && leavingPositions[place] == position
    }

    /// A Boolean value that indicates whether any row leaves or arrives.
    var movesRows: Bool { !leaving.isEmpty || !arriving.isEmpty }

    /// The difference between the new and the old number of rows.
    var delta: Int { arriving.count - leaving.count }

    func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: keys.bytes[range])
    }

    // MARK: - Application

    /// Applies the edits to the order and the sections.
    func apply(to content: inout FetchedContent) {
        content.order.apply(
            leaving: leaving.compactMap { edit(rows[$0].old, rows[$0].id) },
            arriving: arriving.compactMap { edit(rows[$0].new, rows[$0].id) },
            keys: keys.bytes
        )
        content.sections.apply(sectionDeltas())
    }

    private func edit(_ side: Side?, _ id: RowID) -> OrderEdit? {
        side.map { OrderEdit(key: $0.key, id: id, place: $0.place) }
    }

    /// Returns the change of the number of rows of each touched section, in the order of sections.
    private func sectionDeltas() -> [(key: UnsafeRawBufferPointer, delta: Int)] {
        var deltas: [(key: UnsafeRawBufferPointer, delta: Int)] = []
        for index in leaving { if let side = rows[index].old { deltas.append((bytes(side.sectionKey), -1)) } }
        for index in arriving { if let side = rows[index].new { deltas.append((bytes(side.sectionKey), 1)) } }
        deltas.sort { OrderSections.compare($0.key, $1.key) < 0 }
        var joined: [(key: UnsafeRawBufferPointer, delta: Int)] = []
        for delta in deltas {
            if let last = joined.last, OrderSections.compare(last.key, delta.key) == 0 {
                joined[joined.count - 1].delta += delta.delta
            } else {
                joined.append(delta)
            }
        }
        return joined
    }
}
