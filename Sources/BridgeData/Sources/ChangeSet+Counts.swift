internal import DataSources
internal import Foundation
internal import JavaScriptBridge

extension ChangeSet {
    /// Checks that these changes can lead from some counts to others, by the rules of batch updates.
    ///
    /// No position may be out of range or named twice. In each section, the old count without the pendingDeletions and with
    /// the arrivals must equal the new count. Items of inserted or deleted sections need not be named.
    ///
    /// - Throws: ``BridgeError`` with the name of the source and the broken rule.
    /// - Complexity: O(c + s) in the changes and the sections.
    func requireCounts(from before: [Int], to after: [Int], of name: String) throws {
        guard case .some(let changes) = self else { return }
        var check = CountCheck(before: before, after: after)
        if let fault = check.fault(in: changes) {
            throw BridgeError(
                .invalidArgument,
                "the changes that the data source '\(name)' announced do not match its counts: \(fault)"
            )
        }
    }
}

/// A count of the sections and items that changes remove and add.
private struct CountCheck {
    let before: [Int]
    let after: [Int]
    private var goneSections: Set<Int> = []
    private var comeSections: Set<Int> = []
    private var movedSections: [Int: Int] = [:]
    private var left: Set<ItemPath> = []
    private var came: Set<ItemPath> = []
    private var updated: Set<ItemPath> = []
    private var leaving: [Int: Int] = [:]
    private var arriving: [Int: Int] = [:]

    init(before: [Int], after: [Int]) {
        self.before = before
        self.after = after
    }

    /// Returns what is wrong, in a sentence, or `nil` if the changes are right.
    mutating func fault(in changes: [Change]) -> String? {
        for change in changes {
            let fault =
                switch change {
                case .section(let type): take(section: type)
                case .item(let type): take(item: type)
                }
            if let fault { return "\(change): \(fault)" }
        }
        return sectionFault() ?? itemFault()
    }

    private mutating func take(section type: ChangeType) -> String? {
        if let old = type.oldPath?.section, !before.indices.contains(old) {
            return "there were \(before.count) sections"
        }
        if let new = type.newPath?.section, !after.indices.contains(new) {
            return "there are \(after.count) sections"
        }
        switch type {
        case .insert(let path):
            let isFirst = comeSections.insert(path.section).inserted
            return isFirst ? nil : "another one arrives at the same index"
        case .delete(let path):
            let isFirst = movedSections[path.section] == nil && goneSections.insert(path.section).inserted
            return isFirst ? nil : "it is already deleted or moved"
        case .move(let old, let new):
            guard !goneSections.contains(old.section),
                movedSections.updateValue(new.section, forKey: old.section) == nil
            else { return "it is already deleted or moved" }
            return comeSections.insert(new.section).inserted ? nil : "another one arrives at the same index"
        case .update: return nil
        }
    }

    private mutating func take(item type: ChangeType) -> String? {
        if let old = type.oldPath {
            guard before.indices.contains(old.section), (0..<before[old.section]).contains(old.item),
                let path = ItemPath(old)
            else { return "there was no such item" }
            if case .update = type { return updated.insert(path).inserted ? nil : "it is updated twice" }
            guard left.insert(path).inserted else { return "it is already deleted or moved" }
            leaving[old.section, default: 0] += 1
        }
        if let new = type.newPath {
            guard after.indices.contains(new.section), (0..<after[new.section]).contains(new.item),
                let path = ItemPath(new)
            else { return "there is no such item" }
            guard came.insert(path).inserted else { return "another one arrives at the same position" }
            arriving[new.section, default: 0] += 1
        }
        return nil
    }

    private func sectionFault() -> String? {
        let inserted = comeSections.count - movedSections.count
        guard before.count - goneSections.count + inserted != after.count else { return nil }
        return """
            \(before.count) sections before, \(goneSections.count) deleted and \(inserted) inserted, which makes \
            \(before.count - goneSections.count + inserted) and not \(after.count)
            """
    }

    private func itemFault() -> String? {
        // Staying sections fill the positions where none arrives, in their order.
        var free = after.indices.filter { !comeSections.contains($0) }.makeIterator()
        for old in before.indices where !goneSections.contains(old) {
            guard let new = movedSections[old] ?? free.next() else { continue }
            let count = before[old] - leaving[old, default: 0] + arriving[new, default: 0]
            guard count != after[new] else { continue }
            return """
                section \(old) had \(before[old]) items, \(leaving[old, default: 0]) left and \
                \(arriving[new, default: 0]) arrived, which makes \(count) and not \(after[new])
                """
        }
        return nil
    }
}
