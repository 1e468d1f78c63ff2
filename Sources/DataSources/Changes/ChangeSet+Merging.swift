internal import Foundation

extension ChangeSet {
    /// Joins these changes with the ones that follow them, with as few moves as possible.
    ///
    /// Both change sets must agree with the counts by the rules of batch updates.
    ///
    /// - Parameters:
    ///   - next: The change set that follows this one.
    ///   - before: The number of items of each section before these changes.
    ///   - between: The number of items of each section between the two change sets.
    ///   - after: The number of items of each section after `next`.
    /// - Returns: The change set from the first state to the last. It is `.all` where one of the two is `.all`, updates
    ///   a whole section, or inserts or deletes sections with more than 100,000 items in total.
    /// - Complexity: O(c log c) in the changes of both, plus the items of inserted and deleted sections.
    package func merging(_ next: ChangeSet, counts before: [Int], _ between: [Int], _ after: [Int])
        -> ChangeSet
    {
        guard let first = Difference(self, from: before, to: between),
            let second = Difference(next, from: between, to: after)
        else { return .all }
        return first.merging(second).changeSet
    }
}

extension Difference {
    private static let mostImplied = 100_000

    /// Packs a change set between states with the given counts; returns `nil` if it lacks needed information.
    fileprivate init?(_ changes: ChangeSet, from before: [Int], to after: [Int]) {
        guard case .some(let changes) = changes else { return nil }
        self.init()
        var updated: [ItemPath] = []
        for change in changes {
            switch change {
            case .section(.insert(let path)): sectionInserts.append(Int32(path.section))
            case .section(.delete(let path)): sectionDeletes.append(Int32(path.section))
            case .section(.move(let old, let new)):
                sectionMoves.append(SectionPair(old: Int32(old.section), new: Int32(new.section)))
            case .section(.update): return nil
            case .item(.insert(let path)): ItemPath(path).map { inserts.append($0) }
            case .item(.delete(let path)): ItemPath(path).map { deletes.append($0) }
            case .item(.move(let old, let new)):
                if let old = ItemPath(old), let new = ItemPath(new) {
                    moves.append(PathPair(old: old, new: new))
                }
            case .item(.update(let path)): ItemPath(path).map { updated.append($0) }
            }
        }
        guard nameItems(from: before, to: after) else { return nil }
        sectionDeletes.sort()
        sectionInserts.sort()
        sectionMoves.sort { $0.old < $1.old }
        deletes.sort()
        inserts.sort()
        moves.sort { $0.old < $1.old }
        let tracking = PathTracking(self)
        for old in updated.sorted() {
            if let new = tracking.newPath(of: old) { updates.append(PathPair(old: old, new: new)) }
        }
    }

    /// Adds the items of inserted and deleted sections, which a change set may omit; returns false if there are too
    /// many.
    private mutating func nameItems(from before: [Int], to after: [Int]) -> Bool {
        let gone = sectionDeletes.reduce(0) { $0 + before[Int($1)] }
        let come = sectionInserts.reduce(0) { $0 + after[Int($1)] }
        guard gone + come <= Self.mostImplied else { return false }
        let leaving = Set(deletes).union(moves.map(\.old))
        for section in sectionDeletes.map(Int.init) {
            for item in 0..<before[section] {
                let path = ItemPath(section: section, item: item)
                if !leaving.contains(path) { deletes.append(path) }
            }
        }
        let arriving = Set(inserts).union(moves.map(\.new))
        for section in sectionInserts.map(Int.init) {
            for item in 0..<after[section] {
                let path = ItemPath(section: section, item: item)
                if !arriving.contains(path) { inserts.append(path) }
            }
        }
        return true
    }
}
