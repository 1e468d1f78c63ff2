internal import Stores

extension Difference {
    /// Creates the difference of two contents by comparing all displayed rows, for a case in which the changes are
    /// unknown.
    ///
    /// - Throws: The error that stops the work of this thread; ``StoreError`` if the store returned a row twice.
    /// - Complexity: O(n) in the rows of both.
    init(from old: FetchedContent, to new: FetchedContent, changed: Set<RowID>?) throws {
        let oldIDs = old.order.ids(in: old.window)
        let newIDs = new.order.ids(in: new.window)
        let (oldSections, newSections) = Self.sectionNumbers(old, new)
        let isChanged: ((Int, Int) -> Bool)? =
            changed?.isEmpty == true ? nil : { position, _ in changed?.contains(oldIDs[position]) ?? true }
        do {
            self = try KeyedDiff.limitedDifference(
                from: SectionedKeys(
                    sectionKeys: oldSections,
                    rowCounts: Self.counts(old),
                    rowKeys: oldIDs
                ),
                to: SectionedKeys(
                    sectionKeys: newSections,
                    rowCounts: Self.counts(new),
                    rowKeys: newIDs
                ),
                isChanged: isChanged
            )
        } catch let error as DuplicateKeyError {
            throw StoreError(.failed, "the store returned a duplicate row: \(error)")
        }
        let first = old.shownSections.lowerBound
        let firstNew = new.shownSections.lowerBound
        var rows = Rows(of: self, before: { Self.id($0, old) }, after: { Self.id($0, new) })
        rows.deletedSectionKeys = sectionDeletes.map { old.sectionValues(first + Int($0)) }
        rows.insertedSectionKeys = sectionInserts.map { new.sectionValues(firstNew + Int($0)) }
        rows.query = new.plan.origin
        rows.oldVersions = old.versions
        rows.newVersions = new.versions
        self.rows = rows
    }

    private static func id(_ path: ItemPath, _ content: FetchedContent) -> RowID? {
        content.position(of: path).map(content.order.id(at:))
    }

    private static func counts(_ content: FetchedContent) -> [Int] {
        (0..<content.shownSections.count).map { content.range(ofShown: $0)?.count ?? 0 }
    }

    /// Numbers the sections of two contents, so that equal values of the same keys have the same number.
    private static func sectionNumbers(
        _ old: FetchedContent,
        _ new: FetchedContent
    ) -> (old: [Int64], new: [Int64]) {
        guard old.plan.hasSections, new.plan.hasSections else {
            // The single section of a request without keys equals that of another such request, and of no other.
            return (
                numbers(old, from: 0),
                numbers(new, from: old.plan.hasSections == new.plan.hasSections ? 0 : .max / 2)
            )
        }
        guard old.plan.request.sectionKeys == new.plan.request.sectionKeys else {
            return (numbers(old, from: 0), numbers(new, from: .max / 2))
        }
        var numbers: [[AttributeValue]: Int64] = [:]
        func number(_ content: FetchedContent) -> [Int64] {
            content.shownSections.map { section in
                let next = Int64(numbers.count)
                let values = content.sectionValues(section)
                if let number = numbers[values] { return number }
                numbers[values] = next
                return next
            }
        }
        return (number(old), number(new))
    }

    private static func numbers(_ content: FetchedContent, from first: Int64) -> [Int64] {
        content.shownSections.indices.map { first + Int64($0 - content.shownSections.lowerBound) }
    }
}
