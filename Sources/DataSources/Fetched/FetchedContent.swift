internal import Stores

/// Fetched results at one version of the store: the whole order, and the part of it that the limit and the
/// offset leave, in sections.
///
/// A value: a copy stays as it is while the controller goes on.
struct FetchedContent: Sendable {
    let plan: FetchPlan
    /// The store's version that the content has.
    var version: Int
    /// All rows that match, in order, the limit and the offset left aside.
    var order: OrderIndex
    /// The sections of all rows that match; one without a key where there are no section keys.
    var sections: OrderSections
    /// What related rows give to each row that matches, where the request looks at any.
    var related: [RowID: [AttributeValue]] = [:]

    /// The positions that are shown.
    var window: Range<Int> { plan.window(of: order.count) }

    /// The sections that are shown, among all.
    var shownSections: Range<Int> {
        let window = window
        guard plan.hasSections else { return 0..<1 }
        guard let last = window.last else { return 0..<0 }
        return sections.section(at: window.lowerBound)..<sections.section(at: last) + 1
    }

    /// The positions of a shown section's shown rows; `nil` where there is no such section.
    func range(ofShown index: Int) -> Range<Int>? {
        let shown = shownSections
        guard (0..<shown.count).contains(index) else { return nil }
        return plan.hasSections
            ? sections.range(of: shown.lowerBound + index).clamped(to: window) : window
    }

    /// The path of a position that is shown.
    func path(of position: Int) -> ItemPath {
        let window = window
        guard plan.hasSections else { return ItemPath(section: 0, item: position - window.lowerBound) }
        let section = sections.section(at: position)
        let first = window.lowerBound == 0 ? 0 : sections.section(at: window.lowerBound)
        let start = section == first ? window.lowerBound : sections.start(of: section)
        return ItemPath(section: section - first, item: position - start)
    }

    /// The position of a path, or `nil` where there is none.
    func position(of path: ItemPath) -> Int? {
        guard let range = range(ofShown: Int(path.section)), path.item >= 0, path.item < range.count else {
            return nil
        }
        return range.lowerBound + Int(path.item)
    }

    /// The values of a section's keys, among all sections.
    func sectionValues(_ section: Int) -> [AttributeValue] {
        guard plan.hasSections else { return [] }
        return sections.withKey(of: section) { plan.format.sectionValues($0) }
    }

    /// How many bytes the order and the sections take.
    var memory: Int { order.memory + sections.memory }
}
