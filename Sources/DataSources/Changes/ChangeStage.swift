internal import Foundation

/// One of several steps that bring a view to a new state if it cannot take all changes in one batch.
public struct ChangeStage<Key, Item> {
    /// The changes of this step.
    ///
    /// Rows of sections that this step inserts or deletes are not among them.
    public let changes: ChangeSet
    /// The state that the view's data source must return once the step has begun.
    public let state: [SectionSnapshot<Key, Item>]
}

extension ChangeStage: Sendable where Key: Sendable, Item: Sendable {}

extension Difference {
    /// Splits the difference into steps that `UICollectionView` and `UITableView` can take despite their known faults.
    ///
    /// 1. Content: surviving rows are updated at their positions.
    /// 2. Departures: rows and sections are deleted, including rows that move out of a deleted section or into an
    /// inserted one.
    /// 3. Sections: they are inserted, with all their rows, and moved.
    /// 4. Arrivals: rows are inserted and moved.
    ///
    /// No step has item changes inside sections that it inserts, deletes or moves. No step has moves together with
    /// updates or deletes, or the same row twice. Steps without changes are left out.
    ///
    /// - Parameters:
    ///   - old: The state before.
    ///   - new: The state after. The difference must be the one between these two states.
    /// - Returns: The steps in their order.
    /// - Complexity: O(n) in the rows, for each step's state.
    public func staged<Key, Item>(
        from old: [SectionSnapshot<Key, Item>],
        to new: [SectionSnapshot<Key, Item>]
    ) -> [ChangeStage<Key, Item>] {
        Staging(self, old, new).stages()
    }
}

/// The work of splitting one difference into steps.
private struct Staging<Key, Item> {
    private let difference: Difference
    private let old: [SectionSnapshot<Key, Item>]
    private let new: [SectionSnapshot<Key, Item>]
    private let tracking: PathTracking
    /// The moves out of a deleted section or into an inserted one.
    private let crossing: [Difference.PathPair]
    private let plain: [Difference.PathPair]
    /// The rows that step 2 deletes, by section of the old state, ascending.
    private var departing: [[Int]]

    init(
        _ difference: Difference,
        _ old: [SectionSnapshot<Key, Item>],
        _ new: [SectionSnapshot<Key, Item>]
    ) {
        self.difference = difference
        self.old = old
        self.new = new
        let tracking = PathTracking(difference)
        self.tracking = tracking
        func isCrossing(_ move: Difference.PathPair) -> Bool {
            tracking.newSection(of: move.old.section) == nil
                || tracking.oldSection(of: move.new.section) == nil
        }
        crossing = difference.moves.filter(isCrossing)
        plain = difference.moves.filter { !isCrossing($0) }
        departing = Array(repeating: [], count: old.count)
        for path in (difference.deletes + crossing.map(\.old)).sorted() {
            departing[Int(path.section)].append(Int(path.item))
        }
    }

    func stages() -> [ChangeStage<Key, Item>] {
        var stages: [ChangeStage<Key, Item>] = []
        func add(_ changes: [Change], _ state: [SectionSnapshot<Key, Item>]) {
            if !changes.isEmpty { stages.append(ChangeStage(changes: .some(changes), state: state)) }
        }
        let updated = updatedState()
        add(difference.updates.map { .item(type: .update($0.old.indexPath)) }, updated)
        let left = stateAfterDepartures(updated)
        add(pendingDeletions(), left.sections)
        let arranged = stateOfSections(left.byOldSection)
        add(sectionChanges(), arranged)
        add(arrivals(), new)
        return stages
    }

    private func updatedState() -> [SectionSnapshot<Key, Item>] {
        var state = old
        for pair in difference.updates {
            state[Int(pair.old.section)].items[Int(pair.old.item)] =
                new[Int(pair.new.section)].items[Int(pair.new.item)]
        }
        return state
    }

    private func pendingDeletions() -> [Change] {
        var changes = difference.sectionDeletes.map { Change.section(type: .delete(Self.path($0))) }
        for section in old.indices where tracking.newSection(of: Int32(section)) != nil {
            for item in departing[section] {
                changes.append(.item(type: .delete(ItemPath(section: section, item: item).indexPath)))
            }
        }
        return changes
    }

    private func stateAfterDepartures(
        _ state: [SectionSnapshot<Key, Item>]
    ) -> (sections: [SectionSnapshot<Key, Item>], byOldSection: [SectionSnapshot<Key, Item>?]) {
        let kept = state.indices.map { section -> SectionSnapshot<Key, Item>? in
            guard tracking.newSection(of: Int32(section)) != nil else { return nil }
            let going = Set(departing[section])
            let items = state[section].items.enumerated().filter { !going.contains($0.offset) }.map(\.element)
            return SectionSnapshot(key: state[section].key, items: items)
        }
        return (kept.compactMap { $0 }, kept)
    }

    private func sectionChanges() -> [Change] {
        // In the state that this step begins with, the deleted sections are already absent.
        let deleted = difference.sectionDeletes.map(Int.init)
        return difference.sectionInserts.map { .section(type: .insert(Self.path($0))) }
            + difference.sectionMoves.map { move in
                let old = Int(move.old) - SectionMoves.count(in: deleted, before: Int(move.old))
                return .section(type: .move(Self.path(Int32(old)), Self.path(move.new)))
            }
    }

    private func stateOfSections(
        _ left: [SectionSnapshot<Key, Item>?]
    ) -> [SectionSnapshot<Key, Item>] {
        new.indices.map { section in
            guard let origin = tracking.oldSection(of: Int32(section)), let kept = left[Int(origin)] else {
                return new[section]
            }
            return SectionSnapshot(key: new[section].key, items: kept.items)
        }
    }

    private func arrivals() -> [Change] {
        let arriving = (difference.inserts + crossing.map(\.new)).sorted()
            .filter { tracking.oldSection(of: $0.section) != nil }
        return arriving.map { .item(type: .insert($0.indexPath)) }
            + plain.compactMap { move in
                guard let section = tracking.newSection(of: move.old.section) else { return nil }
                let before = SectionMoves.count(
                    in: departing[Int(move.old.section)],
                    before: Int(move.old.item)
                )
                let old = ItemPath(section: Int(section), item: Int(move.old.item) - before)
                return .item(type: .move(old.indexPath, move.new.indexPath))
            }
    }

    private static func path(_ section: Int32) -> IndexPath { IndexPath(item: 0, section: Int(section)) }
}
