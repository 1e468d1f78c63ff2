internal import CollectionViews
internal import DataSources
internal import Foundation

/// The marks of rows by keys and clicks.
extension PageSession {
    /// The maximum number of rows of a range.
    static let maximumRange = 100_000

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
        for index in old ?? new where !new.contains(index) {
            if let path = rows.path(at: index) { try view.deselectItem(at: path.indexPath) }
        }
        for index in new where old?.contains(index) != true {
            if let path = rows.path(at: index) { try view.selectItem(at: path.indexPath) }
        }
        wanted.marked = new
        interaction.range = wanted
        try focusByUser(target)
    }

    /// Marks all rows, none, or those that are not marked.
    func select(_ selection: PageInput.Selection) throws {
        interaction.range = nil
        guard selection == .none || view.allowsMultipleSelection else {
            throw PageInputError("only one row can be marked")
        }
        switch selection {
        case .all: view.selectAllItems()
        case .none:
            view.deselectAllItems()
            content.removeHiddenMarks()
        case .invert: try invertMarks()
        }
    }

    private func invertMarks() throws {
        let marks = view.restorableMarks
        if marks.selectsAllExcept { view.deselectAllItems() } else { view.selectAllItems() }
        for path in marks.selection {
            if marks.selectsAllExcept {
                try view.selectItem(at: path)
            } else {
                try view.deselectItem(at: path)
            }
        }
    }
}
