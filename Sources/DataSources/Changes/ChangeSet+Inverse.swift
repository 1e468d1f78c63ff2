internal import Foundation

extension ChangeSet {
    /// The inverse change set: applied to the new state it gives the old one.
    ///
    /// An update names the old path. Its inverse names the row's path in the new state, which follows from this change
    /// set alone. This change set must keep the rules of ``ChangeSetError``.
    ///
    /// - Complexity: O(c log c) in the changes.
    public var inverse: ChangeSet {
        guard case .some(let changes) = self else { return .all }
        let paths = PathMapping(changes)
        return .some(
            changes.map { change in
                switch change {
                case .section(.update(let path)):
                    let section = paths.newSection(of: path.section)
                    return .section(type: .update(IndexPath(item: 0, section: section)))
                case .item(.update(let path)):
                    return .item(type: .update(paths.newPath(of: path)))
                case .section(let type): return .section(type: type.inverse)
                case .item(let type): return .item(type: type.inverse)
                }
            }
        )
    }
}

extension ChangeType {
    fileprivate var inverse: ChangeType {
        switch self {
        case .insert(let path): .delete(path)
        case .delete(let path): .insert(path)
        case .move(let old, let new): .move(new, old)
        case .update: self
        }
    }
}

/// A mapping of surviving sections and rows from the old state to the new one, computed from a change set alone.
///
/// A row that no change names keeps its order and fills a position where nothing arrives: a row with r such rows before
/// it goes to the r-th free position.
struct PathMapping {
    private var movedSections: [Int: Int] = [:]
    private var leavingSections: [Int] = []
    private var arrivingSections: [Int] = []
    private var movedItems: [IndexPath: IndexPath] = [:]
    private var leavingItems: [Int: [Int]] = [:]
    private var arrivingItems: [Int: [Int]] = [:]

    init(_ changes: [Change]) {
        for change in changes {
            switch change {
            case .section(.update), .item(.update): break
            case .section(let type):
                if let old = type.oldPath?.section { leavingSections.append(old) }
                if let new = type.newPath?.section { arrivingSections.append(new) }
                if case .move(let old, let new) = type { movedSections[old.section] = new.section }
            case .item(let type):
                if let old = type.oldPath { leavingItems[old.section, default: []].append(old.item) }
                if let new = type.newPath { arrivingItems[new.section, default: []].append(new.item) }
                if case .move(let old, let new) = type { movedItems[old] = new }
            }
        }
        leavingSections.sort()
        arrivingSections.sort()
        for section in leavingItems.keys { leavingItems[section]?.sort() }
        for section in arrivingItems.keys { arrivingItems[section]?.sort() }
    }

    /// Returns the new index of a section that is not deleted.
    func newSection(of old: Int) -> Int {
        movedSections[old] ?? Self.place(of: old, leaving: leavingSections, arriving: arrivingSections)
    }

    /// Returns the new path of a row that is not deleted.
    func newPath(of old: IndexPath) -> IndexPath {
        if let new = movedItems[old] { return new }
        let section = newSection(of: old.section)
        let item = Self.place(
            of: old.item,
            leaving: leavingItems[old.section] ?? [],
            arriving: arrivingItems[section] ?? []
        )
        return IndexPath(item: item, section: section)
    }

    private static func place(of old: Int, leaving: [Int], arriving: [Int]) -> Int {
        let rank = old - firstIndex(in: leaving) { $0 >= old }
        // Before the arrival at index i there are arriving[i] - i free positions.
        return rank + firstIndex(in: arriving.indices) { arriving[$0] - $0 > rank }
    }

    private static func firstIndex<C: RandomAccessCollection>(
        in sorted: C,
        where isBehind: (C.Element) -> Bool
    ) -> Int {
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = (low + high) / 2
            if isBehind(sorted[sorted.index(sorted.startIndex, offsetBy: middle)]) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }
}
