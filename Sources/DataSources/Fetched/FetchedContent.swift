internal import Stores

/// The fetched results at one version of the store: the whole order, and its part within the limit and the offset, in
/// sections.
///
/// This is a value: a copy does not change with the controller.
struct FetchedContent: Sendable {
    let plan: FetchPlan
    /// The store's version of the content.
    var version: Int
    /// The version since which the same rows are displayed, if it is not the present one.
    var shownSince: Int?
    /// All matching rows in order, without the limit and the offset.
    var order: OrderIndex
    /// The sections of all matching rows; a single one without a key if the request has no section keys.
    var sections: OrderSections
    /// The values from related rows for each matching row, if the request uses any.
    var related: [RowID: [AttributeValue]] = [:]

    /// The store's versions at which the same rows were displayed.
    var versions: ClosedRange<Int> { min(shownSince ?? version, version)...version }

    /// The positions within the limit and the offset.
    var window: Range<Int> { plan.window(of: order.count) }

    /// The sections that have rows within the limit and the offset, as indices into all sections.
    var shownSections: Range<Int> {
        let window = window
        guard plan.hasSections else { return 0..<1 }
        guard let last = window.last else { return 0..<0 }
        return sections.section(at: window.lowerBound)..<sections.section(at: last) + 1
    }

    /// Returns the positions of a displayed section's displayed rows, or `nil` for an index out of range.
    func range(ofShown index: Int) -> Range<Int>? {
        let shown = shownSections
        guard (0..<shown.count).contains(index) else { return nil }
        return plan.hasSections
            ? sections.range(of: shown.lowerBound + index).clamped(to: window) : window
    }

    /// Returns the path of a displayed position.
    func path(of position: Int) -> ItemPath {
        let window = window
        guard plan.hasSections else { return ItemPath(section: 0, item: position - window.lowerBound) }
        let section = sections.section(at: position)
        let first = window.lowerBound == 0 ? 0 : sections.section(at: window.lowerBound)
        let start = section == first ? window.lowerBound : sections.start(of: section)
        return ItemPath(section: section - first, item: position - start)
    }

    /// Returns the position of a path, or `nil` if there is none.
    func position(of path: ItemPath) -> Int? {
        guard let range = range(ofShown: Int(path.section)), path.item >= 0, path.item < range.count else {
            return nil
        }
        return range.lowerBound + Int(path.item)
    }

    /// Returns the key values of a section, by its index among all sections.
    func sectionValues(_ section: Int) -> [AttributeValue] {
        guard plan.hasSections else { return [] }
        return sections.withKey(of: section) { plan.format.sectionValues($0) }
    }

    /// The size of the order and the sections in bytes.
    var memory: Int { order.memory + sections.memory }
}
