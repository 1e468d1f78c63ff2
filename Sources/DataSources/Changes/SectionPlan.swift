internal import Foundation

/// The origin of each section of the new state, by the section changes of a change set.
struct SectionPlan {
    /// The old index of each new section; `nil` for an inserted one.
    private(set) var origins: [Int?]
    /// A Boolean value that indicates whether the key of an old section must be read again.
    private(set) var isUpdated: [Bool]
    /// A Boolean value that indicates whether an old section is deleted.
    private(set) var isDeleted: [Bool]

    init(_ changes: [Change], oldCount: Int, newCount: Int) throws(ChangeSetError) {
        origins = Array(repeating: nil, count: newCount)
        isUpdated = Array(repeating: false, count: oldCount)
        isDeleted = Array(repeating: false, count: oldCount)
        var isMoved = isDeleted
        var isTaken = Array(repeating: false, count: newCount)
        var counts = ChangeSetError.Counts(
            section: nil,
            old: oldCount,
            inserted: 0,
            deleted: 0,
            movedIn: 0,
            movedOut: 0,
            new: newCount
        )
        for change in changes {
            guard case .section(let type) = change else { continue }
            if let old = type.oldPath?.section {
                guard isDeleted.indices.contains(old) else {
                    throw ChangeSetError(.pathInRange, change, "there were \(oldCount) sections before")
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
                guard isTaken.indices.contains(new) else {
                    throw ChangeSetError(.pathInRange, change, "there are \(newCount) sections after")
                }
                try Self.mark(&isTaken[new], change)
                origins[new] = type.oldPath?.section
            }
            counts.count(type)
        }
        guard counts.addsUp else { throw ChangeSetError(counts) }
        var staying = (0..<oldCount).lazy.filter { [isDeleted] in !isDeleted[$0] && !isMoved[$0] }
            .makeIterator()
        for new in 0..<newCount where !isTaken[new] { origins[new] = staying.next() }
    }

    private static func mark(_ flag: inout Bool, _ change: Change) throws(ChangeSetError) {
        guard !flag else { throw ChangeSetError(.namedOnce, change, "the same section is named twice") }
        flag = true
    }
}

extension ChangeSetError.Counts {
    var addsUp: Bool { old + inserted - deleted + movedIn - movedOut == new }

    mutating func count(_ type: ChangeType) {
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
