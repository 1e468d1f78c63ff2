import DataSources
import Foundation

/// A check of a difference by plain means: dictionaries, sets, a quadratic table and edits of arrays.
///
/// It shares no code with the differ.
struct DifferenceOracle {
    private typealias Place = (path: ItemPath, section: Int, row: TestRow)

    let old: State
    let new: State
    private let oldPlaces: [Int64: Place]
    private let newPlaces: [Int64: Place]

    init(old: State, new: State) {
        self.old = old
        self.new = new
        oldPlaces = Self.places(old)
        newPlaces = Self.places(new)
    }

    /// Returns all errors of a difference; none if it is right and minimal.
    func violations(_ difference: Difference) -> [String] {
        var found = sectionViolations(difference)
        let deletes = oldPlaces.values.filter { newPlaces[$0.row.id] == nil }.map(\.path)
        let inserts = newPlaces.values.filter { oldPlaces[$0.row.id] == nil }.map(\.path)
        let updates = oldPlaces.values.compactMap { place -> Difference.PathPair? in
            guard let now = newPlaces[place.row.id], now.row.stamp != place.row.stamp else { return nil }
            return Difference.PathPair(old: place.path, new: now.path)
        }
        if difference.deletes != deletes.sorted() { found.append("X3 deletes \(difference.deletes)") }
        if difference.inserts != inserts.sorted() { found.append("X3 inserts \(difference.inserts)") }
        if difference.updates != updates.sorted(by: { $0.old < $1.old }) {
            found.append("X4 updates \(difference.updates), expected \(updates)")
        }
        for move in difference.moves {
            guard let id = row(at: move.old, in: old)?.id, row(at: move.new, in: new)?.id == id else {
                found.append("move \(move) does not name one row")
                continue
            }
        }
        let minimum = minimalMoves()
        if difference.moves.count != minimum {
            found.append("X3 \(difference.moves.count) moves, the minimum is \(minimum)")
        }
        guard found.isEmpty else { return found }
        if surgery(difference.changeSet) != new {
            found.append("X1 applied by hand it does not give the new state")
        }
        return found
    }

    // MARK: - Expected results

    private func sectionViolations(_ difference: Difference) -> [String] {
        let oldKeys = old.map(\.key)
        let newKeys = new.map(\.key)
        var found: [String] = []
        let deletes = oldKeys.indices.filter { !newKeys.contains(oldKeys[$0]) }.map(Int32.init)
        let inserts = newKeys.indices.filter { !oldKeys.contains(newKeys[$0]) }.map(Int32.init)
        if difference.sectionDeletes != deletes {
            found.append("section deletes \(difference.sectionDeletes)")
        }
        if difference.sectionInserts != inserts {
            found.append("section inserts \(difference.sectionInserts)")
        }
        let order = oldKeys.compactMap { newKeys.firstIndex(of: $0) }
        let minimum = order.count - Self.longestIncreasing(order)
        if difference.sectionMoves.count != minimum {
            found.append("\(difference.sectionMoves.count) section moves, the minimum is \(minimum)")
        }
        for move in difference.sectionMoves {
            let isRight =
                oldKeys.indices.contains(Int(move.old)) && newKeys.indices.contains(Int(move.new))
                && oldKeys[Int(move.old)] == newKeys[Int(move.new)]
            if !isRight { found.append("section move \(move) does not name one section") }
        }
        return found
    }

    func minimalMoves() -> Int {
        var moves = 0
        var staying: [Int: [Int]] = [:]
        for section in old {
            for row in section.items {
                guard let now = newPlaces[row.id] else { continue }
                if now.section == section.key {
                    staying[section.key, default: []].append(Int(now.path.item))
                } else {
                    moves += 1
                }
            }
        }
        return moves + staying.values.reduce(0) { $0 + $1.count - Self.longestIncreasing($1) }
    }

    /// Returns the length of the longest increasing subsequence, by the quadratic table.
    static func longestIncreasing(_ values: [Int]) -> Int {
        guard values.contains(where: { $0 != values[0] }), values != values.sorted() else {
            return values.count
        }
        var lengths = [Int](repeating: 1, count: values.count)
        values.withUnsafeBufferPointer { values in
            lengths.withUnsafeMutableBufferPointer { lengths in
                var i = 1
                while i < values.count {
                    var j = 0
                    var best = 0
                    while j < i {
                        if values[j] < values[i] && lengths[j] > best { best = lengths[j] }
                        j += 1
                    }
                    lengths[i] = best + 1
                    i += 1
                }
            }
        }
        return lengths.max() ?? 0
    }

    // MARK: - Applying by hand

    /// Applies a change set in the order of views.
    ///
    /// Item deletes from the back, section deletes from the back, section inserts from the front, item inserts from the
    /// front. Moved rows leave before and arrive after; only updated rows get new content. Returns `nil` if a path is
    /// out of range.
    func surgery(_ changeSet: ChangeSet) -> State? {
        guard case .some(let changes) = changeSet else { return new }
        var state = old
        var leavingRows: [IndexPath] = []
        var leavingSections: [Int] = []
        var arrivingRows: [(IndexPath, TestRow)] = []
        var arrivingSections: [(Int, SectionSnapshot<Int, TestRow>)] = []
        var movedRows: [(IndexPath, IndexPath)] = []
        var movedSections: [(Int, Int)] = []
        for change in changes {
            switch change {
            case .item(.update(let path)):
                guard state.indices.contains(path.section),
                    state[path.section].items.indices.contains(path.item)
                else { return nil }
                let id = state[path.section].items[path.item].id
                state[path.section].items[path.item].stamp = newPlaces[id]?.row.stamp ?? -1
            case .item(.delete(let path)): leavingRows.append(path)
            case .item(.insert(let path)):
                guard let row = ItemPath(path).flatMap({ row(at: $0, in: new) }) else { return nil }
                arrivingRows.append((path, row))
            case .item(.move(let from, let to)):
                leavingRows.append(from)
                movedRows.append((from, to))
            case .section(.delete(let path)): leavingSections.append(path.section)
            case .section(.insert(let path)):
                guard new.indices.contains(path.section) else { return nil }
                let section = SectionSnapshot(key: new[path.section].key, items: [TestRow]())
                arrivingSections.append((path.section, section))
            case .section(.move(let from, let to)):
                leavingSections.append(from.section)
                movedSections.append((from.section, to.section))
            case .section(.update): break
            }
        }
        for (from, to) in movedRows {
            guard let row = ItemPath(from).flatMap({ row(at: $0, in: state) }) else { return nil }
            arrivingRows.append((to, row))
        }
        for path in leavingRows.sorted(by: >) {
            guard state.indices.contains(path.section), state[path.section].items.indices.contains(path.item)
            else { return nil }
            state[path.section].items.remove(at: path.item)
        }
        for (from, to) in movedSections {
            guard state.indices.contains(from) else { return nil }
            arrivingSections.append((to, state[from]))
        }
        for section in leavingSections.sorted(by: >) {
            guard state.indices.contains(section) else { return nil }
            state.remove(at: section)
        }
        for (index, section) in arrivingSections.sorted(by: { $0.0 < $1.0 }) {
            guard index <= state.count else { return nil }
            state.insert(section, at: index)
        }
        for (path, row) in arrivingRows.sorted(by: { $0.0 < $1.0 }) {
            guard state.indices.contains(path.section), path.item <= state[path.section].items.count
            else { return nil }
            state[path.section].items.insert(row, at: path.item)
        }
        return state
    }

    private func row(at path: ItemPath, in state: State) -> TestRow? {
        let section = Int(path.section)
        let item = Int(path.item)
        guard state.indices.contains(section), state[section].items.indices.contains(item) else { return nil }
        return state[section].items[item]
    }

    private static func places(_ state: State) -> [Int64: Place] {
        var places: [Int64: Place] = [:]
        for (section, content) in state.enumerated() {
            for (item, row) in content.items.enumerated() {
                places[row.id] = (ItemPath(section: section, item: item), content.key, row)
            }
        }
        return places
    }
}

extension KeyedDiff {
    /// Returns the difference of two test states, by the packed keys.
    static func packed(_ old: State, _ new: State) throws -> Difference {
        let oldRows = old.flatMap(\.items)
        let newRows = new.flatMap(\.items)
        return try difference(from: keys(old), to: keys(new)) { oldRows[$0].stamp != newRows[$1].stamp }
    }

    private static func keys(_ state: State) -> SectionedKeys {
        SectionedKeys(
            sectionKeys: state.map { Int64($0.key) },
            rowCounts: state.map(\.items.count),
            rowKeys: state.flatMap(\.items).map(\.id)
        )
    }
}
