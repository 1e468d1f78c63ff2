internal import CollectionViews
internal import DataSources
internal import Foundation

/// The marks of rows by keys and clicks.
extension PageSession {
    /// The maximum number of rows of a range.
    static let maximumRange = 100_000

    /// The number of marked rows.
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

    /// Marks rows as the user asks, or removes their marks: the delegate is asked about each row, and notified.
    ///
    /// It ends when the delegate changes the data, after which the indices may be those of other rows.
    private func setMarks(_ isMarked: Bool, _ indices: some Sequence<Int>) throws {
        let version = view.version
        for index in indices {
            guard view.version == version else { return }
            guard let path = rows.path(at: index)?.indexPath, view.isItemSelected(at: path) != isMarked else {
                continue
            }
            try view.selectByUser(at: path)
        }
    }

    /// Marks all rows, none, or those that are not marked.
    func select(_ selection: PageInput.Selection) throws {
        interaction.range = nil
        guard selection == .none || view.allowsMultipleSelection else {
            throw PageInputError("only one row can be marked")
        }
        if view.delegate != nil, content.asksAboutSelection {
            try selectEach(selection)
        } else {
            switch selection {
            case .all: view.selectAllItems()
            case .none: view.deselectAllItems()
            case .invert: try invertMarks()
            }
        }
        if selection == .none { content.removeHiddenMarks() }
        // The rows on the screen say each for itself that they are marked.
        announcer.announce(markedCount == 0 ? "no row is marked" : "\(Grouped.text(markedCount)) marked")
    }

    /// Marks all rows, none, or the others, each as a click does.
    private func selectEach(_ selection: PageInput.Selection) throws {
        let count = rows.itemCount
        let changed =
            switch selection {
            case .all: count - markedCount
            case .none: markedCount
            case .invert: count
            }
        guard changed <= Self.maximumRange else {
            throw PageInputError(
                "\(changed) rows would be asked one by one whether they can be marked (limit \(Self.maximumRange))"
            )
        }
        switch selection {
        case .all: try setMarks(true, 0..<count)
        case .none: try setMarks(false, 0..<count)
        case .invert:
            let marked = Set(
                (0..<count).filter { rows.path(at: $0).map { view.isItemSelected(at: $0.indexPath) } == true }
            )
            let version = view.version
            try setMarks(true, (0..<count).filter { !marked.contains($0) })
            guard view.version == version else { return }
            try setMarks(false, marked.sorted())
        }
        // Rows that are inserted later are not marked either.
        if selection == .none, markedCount == 0 { view.deselectAllItems() }
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
