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
    /// updates or deletes, or the same row twice. Rows of sections that a step inserts or deletes are not among its
    /// changes. Steps without changes are left out.
    ///
    /// - Parameters:
    ///   - old: The state before.
    ///   - new: The state after. The difference must be the one between these two states.
    /// - Returns: The steps in their order: the changes of each, and the state that the view's data source must return
    ///   once the step has begun.
    /// - Complexity: O(n) in the rows, for each step's state.
    public func staged<Key, Item>(
        from old: [SectionSnapshot<Key, Item>],
        to new: [SectionSnapshot<Key, Item>]
    ) -> [(changes: ChangeSet, state: [SectionSnapshot<Key, Item>])] {
        var stages: [(changes: ChangeSet, state: [SectionSnapshot<Key, Item>])] = []
        var state = old
        func add(_ step: Difference) {
            let changes = step.listedForViews
            if !changes.isEmpty { stages.append((.some(changes), state)) }
        }
        func arrange(by step: Difference) {
            let arranged = step.arranged(
                state,
                insertedKey: { new[Int($0)].key },
                arriving: { new[Int($0.section)].items[Int($0.item)] }
            )
            guard let arranged else {
                preconditionFailure("not the difference between the two states: \(self)")
            }
            state = arranged
        }

        var content = Difference()
        content.updates = updates.map { PathPair(old: $0.old, new: $0.old) }
        for pair in updates {
            state[Int(pair.old.section)].items[Int(pair.old.item)] =
                new[Int(pair.new.section)].items[Int(pair.new.item)]
        }
        add(content)

        let tracking = PathTracking(self)
        func isCrossing(_ move: PathPair) -> Bool {
            tracking.newSection(of: move.old.section) == nil
                || tracking.oldSection(of: move.new.section) == nil
        }
        let crossing = moves.filter(isCrossing)
        var departures = Difference()
        departures.sectionDeletes = sectionDeletes
        departures.deletes = (deletes + crossing.map(\.old)).sorted()
        arrange(by: departures)
        add(departures)

        // Each step names positions of the state that it begins with.
        let left = PathTracking(departures)
        var sections = Difference()
        sections.sectionInserts = sectionInserts
        sections.sectionMoves = sectionMoves.compactMap { move in
            left.newSection(of: move.old).map { SectionPair(old: $0, new: move.new) }
        }
        sections.inserts = sectionInserts.flatMap { section in
            new[Int(section)].items.indices.map { ItemPath(section: Int(section), item: $0) }
        }
        arrange(by: sections)
        add(sections)

        let placed = PathTracking(sections)
        var arrivals = Difference()
        arrivals.inserts = (inserts + crossing.map(\.new)).sorted()
            .filter { tracking.oldSection(of: $0.section) != nil }
        arrivals.moves = moves.compactMap { move in
            guard !isCrossing(move), let path = left.newPath(of: move.old).flatMap(placed.newPath) else {
                return nil
            }
            return PathPair(old: path, new: move.new)
        }
        state = new
        add(arrivals)
        return stages
    }

    /// The changes one by one, without the rows of inserted and deleted sections: a view takes those together with
    /// their section.
    private var listedForViews: [Change] {
        var step = self
        let (gone, come) = (Set(sectionDeletes), Set(sectionInserts))
        step.deletes.removeAll { gone.contains($0.section) }
        step.inserts.removeAll { come.contains($0.section) }
        return step.listed
    }
}
