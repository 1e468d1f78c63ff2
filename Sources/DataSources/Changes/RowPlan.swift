internal import Foundation

/// The origin of each row of the new state, by the item changes of a change set.
struct RowPlan {
    enum Origin {
        /// A row of the old state, unchanged.
        case kept(ItemPath)
        /// A row that the old state does not have.
        case inserted
        /// A row of the old state with new content: moved or updated.
        case withNewContent(ItemPath, Change)
    }

    private enum Fate {
        case kept
        case deleted
        case moved(Change)
        case updated(Change)
        case movedAndUpdated
    }

    /// The origin of each row, by section of the new state.
    private(set) var origins: [[Origin]] = []

    private var fates: [[Fate]]
    private var arrivals: [[Origin?]]
    private var counts: [ChangeSetError.Counts]

    init(_ changes: [Change], _ sections: SectionPlan, old: [Int], new: [Int]) throws(ChangeSetError) {
        fates = old.map { Array(repeating: .kept, count: $0) }
        arrivals = new.map { Array(repeating: nil, count: $0) }
        var newSection = [Int?](repeating: nil, count: old.count)
        for (section, origin) in sections.origins.enumerated() { origin.map { newSection[$0] = section } }
        counts = zip(new.indices, sections.origins).map { section, origin in
            ChangeSetError.Counts(
                section: section,
                old: origin.map { old[$0] } ?? 0,
                inserted: 0,
                deleted: 0,
                movedIn: 0,
                movedOut: 0,
                new: new[section]
            )
        }
        for change in changes {
            guard case .item(let type) = change else { continue }
            let from = try type.oldPath.map { path throws(ChangeSetError) in
                try Self.check(path, in: old, change, "before")
            }
            let to = try type.newPath.map { path throws(ChangeSetError) in
                try Self.check(path, in: new, change, "after")
            }
            if let from { try leave(from, change, newSection: newSection[Int(from.section)]) }
            if let to { try arrive(to, from: from, change) }
        }
        for change in changes {
            guard case .item(.update(let path)) = change, newSection[path.section] == nil else { continue }
            guard case .movedAndUpdated = fates[path.section][path.item] else {
                throw ChangeSetError(.notDeletedAndUsed, change, "its section is deleted too")
            }
        }
        for section in counts where !section.addsUp { throw ChangeSetError(section) }
        origins = zip(arrivals, sections.origins).map { slots, origin in fill(slots, from: origin) }
    }

    private static func check(
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

    private mutating func leave(_ path: ItemPath, _ change: Change, newSection: Int?) throws(ChangeSetError) {
        let section = Int(path.section)
        let item = Int(path.item)
        switch (fates[section][item], change.type) {
        case (.kept, .delete): fates[section][item] = .deleted
        case (.kept, .move): fates[section][item] = .moved(change)
        case (.kept, .update): fates[section][item] = .updated(change)
        case (.moved, .update), (.updated, .move): fates[section][item] = .movedAndUpdated
        case (.deleted, .delete), (.moved, .move), (.updated, .update), (.movedAndUpdated, .move),
            (.movedAndUpdated, .update):
            throw ChangeSetError(.namedOnce, change, "the same row is named twice")
        default: throw ChangeSetError(.notDeletedAndUsed, change, "the row is deleted and used")
        }
        guard let newSection else { return }
        switch change.type {
        case .delete: counts[newSection].deleted += 1
        case .move: counts[newSection].movedOut += 1
        default: break
        }
    }

    private mutating func arrive(_ path: ItemPath, from: ItemPath?, _ change: Change) throws(ChangeSetError) {
        let section = Int(path.section)
        let item = Int(path.item)
        guard arrivals[section][item] == nil else {
            throw ChangeSetError(.namedOnce, change, "another row arrives at the same position")
        }
        if let from {
            arrivals[section][item] = .withNewContent(from, change)
            counts[section].movedIn += 1
        } else {
            arrivals[section][item] = .inserted
            counts[section].inserted += 1
        }
    }

    /// Fills the positions where nothing arrives with the staying rows, in their old order.
    private func fill(_ slots: [Origin?], from origin: Int?) -> [Origin] {
        var next = 0
        return slots.map { slot in
            if let slot { return slot }
            // The counts add up, so every free position has a row that stays.
            guard let origin else {
                preconditionFailure("an inserted section has a row without an insert")
            }
            while true {
                let path = ItemPath(section: origin, item: next)
                next += 1
                switch fates[origin][next - 1] {
                case .kept: return .kept(path)
                case .updated(let change): return .withNewContent(path, change)
                case .deleted, .moved, .movedAndUpdated: continue
                }
            }
        }
    }
}
