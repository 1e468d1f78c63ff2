internal import Foundation

extension ChangeSet {
    /// Checks that these changes can lead from some counts to others, by the rules of batch updates.
    ///
    /// Every path must exist in its state and may be named once, and the counts must add up. The rows of a deleted
    /// section need no changes of their own.
    ///
    /// - Parameters:
    ///   - before: The number of rows of each section before the changes.
    ///   - after: The number of rows of each section after the changes.
    ///   - namesInsertedRows: Whether the rows of inserted sections must be named. A view reads them together with their
    ///     section, so the author of a data source need not name them.
    /// - Throws: ``ChangeSetError`` with the broken rule.
    /// - Complexity: O(c + s) in the changes and the sections.
    package func check(
        from before: [Int],
        to after: [Int],
        namesInsertedRows: Bool
    ) throws(ChangeSetError) {
        guard case .some(let changes) = self else { return }
        var rules = BatchRules(before: before, after: after)
        try rules.takeSections(changes)
        try rules.takeRows(changes, namesInsertedRows: namesInsertedRows)
    }
}

/// The rules of batch updates, as a check of one change set.
private struct BatchRules {
    private enum Fate {
        case deleted
        case moved
        case updated
        case movedAndUpdated
    }

    private let before: [Int]
    private let after: [Int]
    /// The old index of each new section; `nil` for an inserted one.
    private var origins: [Int?]
    private var fates: [ItemPath: Fate] = [:]
    private var arrivals = DistinctPaths()

    init(before: [Int], after: [Int]) {
        self.before = before
        self.after = after
        origins = Array(repeating: nil, count: after.count)
    }

    // MARK: - Sections

    mutating func takeSections(_ changes: [Change]) throws(ChangeSetError) {
        var isDeleted = before.map { _ in false }
        var isMoved = isDeleted
        var isUpdated = isDeleted
        var isTaken = after.map { _ in false }
        var counts = ChangeSetError.Counts(old: before.count, new: after.count)
        for change in changes {
            guard case .section(let type) = change else { continue }
            if let old = type.oldPath?.section {
                guard before.indices.contains(old) else {
                    throw ChangeSetError(.pathInRange, change, "there were \(before.count) sections before")
                }
                switch type {
                case .delete: try Self.mark(&isDeleted[old], change)
                case .move: try Self.mark(&isMoved[old], change)
                default: try Self.mark(&isUpdated[old], change)
                }
                guard !isDeleted[old] || !(isMoved[old] || isUpdated[old]) else {
                    throw ChangeSetError(.notDeletedAndUsed, change, "the section is deleted too")
                }
            }
            if let new = type.newPath?.section {
                guard after.indices.contains(new) else {
                    throw ChangeSetError(.pathInRange, change, "there are \(after.count) sections after")
                }
                try Self.mark(&isTaken[new], change)
                origins[new] = type.oldPath?.section
            }
            counts.add(type)
        }
        guard counts.addsUp else { throw ChangeSetError(counts) }
        var staying = before.indices.filter { !isDeleted[$0] && !isMoved[$0] }.makeIterator()
        for new in after.indices where !isTaken[new] { origins[new] = staying.next() }
    }

    private static func mark(_ flag: inout Bool, _ change: Change) throws(ChangeSetError) {
        guard !flag else { throw ChangeSetError(.namedOnce, change, "the same section is named twice") }
        flag = true
    }

    // MARK: - Rows

    mutating func takeRows(_ changes: [Change], namesInsertedRows: Bool) throws(ChangeSetError) {
        var newSections = before.map { _ in Int?.none }
        for (section, origin) in origins.enumerated() { if let origin { newSections[origin] = section } }
        var counts = after.indices.map { section in
            ChangeSetError.Counts(
                section: section,
                old: origins[section].map { before[$0] } ?? 0,
                new: after[section]
            )
        }
        for change in changes {
            guard case .item(let type) = change else { continue }
            if let path = type.oldPath {
                try leave(Self.path(path, in: before, change, "before"), change)
                if let section = newSections[path.section] {
                    switch type {
                    case .delete: counts[section].deleted += 1
                    case .move: counts[section].movedOut += 1
                    default: break
                    }
                }
            }
            if let path = type.newPath {
                let path = try Self.path(path, in: after, change, "after")
                guard arrivals.insert(path) else {
                    throw ChangeSetError(.namedOnce, change, "another row arrives at the same position")
                }
                if type.oldPath == nil {
                    counts[Int(path.section)].inserted += 1
                } else {
                    counts[Int(path.section)].movedIn += 1
                }
            }
        }
        for change in changes {
            guard case .item(.update(let path)) = change, newSections[path.section] == nil else { continue }
            guard let path = ItemPath(path), case .movedAndUpdated = fates[path] else {
                throw ChangeSetError(.notDeletedAndUsed, change, "its section is deleted too")
            }
        }
        for (section, origin) in origins.enumerated() where namesInsertedRows || origin != nil {
            guard counts[section].addsUp else { throw ChangeSetError(counts[section]) }
        }
    }

    private static func path(
        _ path: IndexPath,
        in counts: [Int],
        _ change: Change,
        _ when: String
    ) throws(ChangeSetError) -> ItemPath {
        guard counts.indices.contains(path.section) else {
            throw ChangeSetError(.pathInRange, change, "there are \(counts.count) sections \(when)")
        }
        let count = counts[path.section]
        guard (0..<count).contains(path.item), let checked = ItemPath(path) else {
            throw ChangeSetError(.pathInRange, change, "section \(path.section) has \(count) rows \(when)")
        }
        return checked
    }

    private mutating func leave(_ path: ItemPath, _ change: Change) throws(ChangeSetError) {
        switch (fates[path], change.type) {
        case (nil, .delete): fates[path] = .deleted
        case (nil, .move): fates[path] = .moved
        case (nil, .update): fates[path] = .updated
        case (.moved, .update), (.updated, .move): fates[path] = .movedAndUpdated
        case (.deleted, .delete), (.moved, .move), (.updated, .update), (.movedAndUpdated, .move),
            (.movedAndUpdated, .update):
            throw ChangeSetError(.namedOnce, change, "the same row is named twice")
        default: throw ChangeSetError(.notDeletedAndUsed, change, "the row is deleted and used")
        }
    }
}

/// A set of paths that needs no hashing as long as the paths arrive in ascending order.
private struct DistinctPaths {
    private var ascending: [ItemPath] = []
    private var others: Set<ItemPath>?

    /// Adds a path, and returns whether it was not there.
    mutating func insert(_ path: ItemPath) -> Bool {
        if others == nil {
            guard let last = ascending.last, path <= last else {
                ascending.append(path)
                return true
            }
            others = Set(ascending)
        }
        return others?.insert(path).inserted == true
    }
}

extension ChangeSetError.Counts {
    fileprivate init(section: Int? = nil, old: Int, new: Int) {
        self.init(section: section, old: old, inserted: 0, deleted: 0, movedIn: 0, movedOut: 0, new: new)
    }

    fileprivate var addsUp: Bool { old + inserted - deleted + movedIn - movedOut == new }

    fileprivate mutating func add(_ type: ChangeType) {
        switch type {
        case .insert: inserted += 1
        case .delete: deleted += 1
        case .move:
            movedIn += 1
            movedOut += 1
        case .update: break
        }
    }
}
