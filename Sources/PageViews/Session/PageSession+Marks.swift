internal import CollectionViews
internal import DataSources
internal import Foundation

/// The marks of rows by keys and clicks.
extension PageSession {
    /// The maximum number of rows of a range.
    static let maximumRange = 100_000

    /// The number of marked rows, also of those that are not shown.
    var allMarkedCount: Int { markedCount + content.hiddenMarkCount }

    /// The number of marked rows that are shown.
    var markedCount: Int {
        let marked = view.markCount
        return marked.isOfUnselectedItems ? rows.itemCount - marked.count : marked.count
    }

    /// Marks the row with the focus, or removes its mark.
    func mark() throws {
        guard let path = focusedPath, path.item >= 0 else { return }
        try view.selectByUser(at: path.indexPath)
        beginRange(at: path)
    }

    /// Begins a range at a row, which Shift extends.
    func beginRange(at path: ItemPath) {
        let index = rows.index(of: path)
        interaction.range = PageInteraction.Range(version: view.version, anchor: index)
    }

    /// Extends the range by a number of rows from the focus.
    func extendRange(by distance: Int) throws {
        guard view.allowsMultipleSelection else { return try moveFocus(by: distance) }
        guard let start = focusedPath else { return try moveFocus(by: distance) }
        let target = path(from: start, by: distance)
        try markRange(from: start, to: target)
    }

    /// Marks the rows from the start of the range to a row, and removes the marks of those that are no longer in it.
    func markRange(from start: ItemPath?, to target: ItemPath) throws {
        guard target.item >= 0 else { return try focusByUser(target) }
        var range = interaction.range.flatMap { $0.version == view.version ? $0 : nil }
        if range == nil, let start {
            let index = rows.index(of: start)
            range = PageInteraction.Range(version: view.version, anchor: index)
        }
        let end = rows.index(of: target)
        var wanted = range ?? PageInteraction.Range(version: view.version, anchor: end)
        let new = min(wanted.anchor, end)...max(wanted.anchor, end)
        guard new.count <= Self.maximumRange else {
            throw PageInputError("a range has \(new.count) rows (limit \(Self.maximumRange))")
        }
        let anchor = rows.path(at: wanted.anchor) ?? target
        guard try view.beginMultipleSelectionInteraction(at: anchor.indexPath) else {
            return try focusByUser(target)
        }
        defer { view.endMultipleSelectionInteraction() }
        let old = wanted.marked
        interaction.range = nil
        let version = view.version
        try setMarks(false, (old ?? new).filter { !new.contains($0) })
        guard view.version == version else { return }
        try setMarks(true, new.filter { old?.contains($0) != true })
        guard view.version == version else { return }
        wanted.marked = new
        interaction.range = wanted
        try focusByUser(target)
    }

    /// Marks rows as the user asks, or removes their marks.
    private func setMarks(_ isMarked: Bool, _ indices: some Sequence<Int>) throws {
        try view.setSelectedByUser(
            isMarked,
            at: indices.lazy.compactMap { self.rows.path(at: $0)?.indexPath }
        )
    }

    /// Marks all rows, none, or those that are not marked.
    func select(_ selection: PageInput.Selection) throws {
        interaction.range = nil
        let items: CollectionView.ManyItems =
            switch selection {
            case .all: .all
            case .none: .none
            case .invert: .inverted
            }
        try view.selectByUser(items, asksDelegate: content.asksAboutSelection)
        // The marks of rows that are not shown are those of the rows that are not selected, if all others are.
        if selection != .invert { content.removeHiddenMarks() }
        // The rows on the screen say each for itself that they are marked.
        let count = allMarkedCount
        announcer.announce(count == 0 ? "no row is marked" : "\(Grouped.text(count)) marked")
    }
}
