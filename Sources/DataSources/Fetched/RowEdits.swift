internal import BridgeValues
internal import Stores

/// The changes of a commit as they touch one order: which rows were in it, which are, and where.
struct RowEdits: ~Copyable {
    /// One changed row.
    struct Row {
        let id: RowID
        /// Where it was; `nil` if it did not match.
        var old: Side?
        /// Where it will be; `nil` if it does not match any more.
        var new: Side?
        /// Whether its sort keys are as they were, so that it stays where it is.
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

    /// The changes that this was made from.
    let changes: [TransactionChanges.RowChange]
    /// The keys that the rows' sides are ranges of.
    private(set) var keys = OrderKeyBuffer()
    /// Only rows that are in one of the states.
    private(set) var rows: [Row] = []
    /// The rows that leave their place, by position; indices into the rows.
    private(set) var leaving: [Int] = []
    /// The rows that arrive at a place, in their order; indices into the rows.
    private(set) var arriving: [Int] = []
    private var leavingPositions: [Int] = []
    private var arrivingPositions: [Int] = []

    /// Finds the places of changed rows.
    ///
    /// - Returns: `nil` where the order does not have a row where its old values say: it is not the order of
    ///   the state before these changes.
    /// - Throws: What ends work of this thread.
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
            // One changed row is what most commits have.
            if let index = leaving.first { leavingPositions = [Self.position(rows[index].old)] }
            if let index = arriving.first { arrivingPositions = [Self.position(rows[index].new)] }
            return
        }
        let rows = rows
        leaving.sort { Self.position(rows[$0].old) < Self.position(rows[$1].old) }
        let bytes = keys.bytes
        arriving.sort { left, right in
            guard let first = rows[left].new, let second = rows[right].new else { return false }
            // Rows that arrive between the same two neighbours are compared with each other.
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

    /// Where a row that no edit moves is afterwards.
    func newPosition(of position: Int) -> Int {
        position - SectionMoves.count(in: leavingPositions, before: position)
            + SectionMoves.count(in: arrivingPositions, before: position + 1)
    }

    /// Whether the row at an old position leaves its place.
    func isLeaving(_ position: Int) -> Bool {
        let place = SectionMoves.count(in: leavingPositions, before: position)
        return place < leavingPositions.count && leavingPositions[place] == position
    }

    /// Whether any row leaves or arrives.
    var movesRows: Bool { !leaving.isEmpty || !arriving.isEmpty }

    /// The number of rows more than before.
    var delta: Int { arriving.count - leaving.count }

    func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: keys.bytes[range])
    }

    // MARK: - Carrying out

    /// Changes the order and the sections.
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

    /// How many rows more each touched section has, in the order of sections.
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
