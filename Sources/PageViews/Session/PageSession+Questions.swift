internal import BridgeValues
internal import CollectionViews
internal import DataSources
internal import Foundation

/// The questions of the page: details, copies and menus.
extension PageSession {
    /// The maximum number of rows that are copied.
    static let maximumCopiedRows = 100_000

    /// Returns the lines that show a row completely.
    ///
    /// - Parameters:
    ///   - number: The number of the row's view.
    ///   - seen: The last update that the page had applied; `nil` for the last one.
    /// - Returns: The lines, each as an array of spans.
    /// - Throws: ``PageInputError`` for a row that is no longer shown there, or that has too much text.
    func details(ofView number: Int, seen: Int? = nil) throws -> Value {
        let path = try path(ofView: number, seen: seen)
        guard path.item >= 0 else { return .array([]) }
        guard let source = sourcePath(path.indexPath) else { return .array([]) }
        var lines = content.details(at: source)
        // A cell may have more text than an update has room for.
        if lines.isEmpty { lines = cellText(at: path.indexPath) }
        try PageAnswer.check(lines.lazy.flatMap(\.spans).map(\.string), "the details of the row have")
        return .array(lines.map(PageEncoder.value))
    }

    /// Returns the texts of a cell, of which an answer has room for the first ones.
    private func cellText(at path: IndexPath) -> [StyledText] {
        guard let cell = view.cellForItem(at: path)?.content else { return [] }
        var room = PageAnswer.maximumByteCount - 1_024
        return (cell.columns.isEmpty ? [cell.text] : cell.columns).map { TextLimit.cut($0, &room) }
            + (cell.secondaryText.spans.isEmpty ? [] : [TextLimit.cut(cell.secondaryText, &room)])
    }

    /// Returns the marked rows, or the one with the focus, as text and with tabs, and a sentence about them.
    func copy() throws -> Value {
        let count = markedCount
        guard count <= Self.maximumCopiedRows else {
            throw PageInputError("\(count) rows are marked (limit of a copy: \(Self.maximumCopiedRows))")
        }
        let focus = focusedPath.flatMap { $0.item < 0 ? nil : $0.indexPath }
        let found = content.copiedRows(
            of: view,
            orFocused: focus,
            maximumByteCount: PageAnswer.maximumByteCount
        )
        let copied = found ?? shownRows(at: view.selectedPaths(orFocused: focus))
        var answer = try answer(copied)
        answer["message"] = .string(copied.summary)
        return .object(answer)
    }

    /// Returns rows for other programs as an answer.
    ///
    /// - Throws: ``PageInputError`` if they have too much text.
    func answer(_ copied: CopiedRows) throws(PageInputError) -> ValueObject {
        let (text, tsv) = (copied.text, copied.tabSeparatedValues)
        try PageAnswer.check([text, tsv], "the rows have")
        return ["text": .string(text), "tsv": .string(tsv)]
    }

    /// Returns the path of an item as the page has seen it at an update.
    func path(ofView number: Int, seen: Int?) throws -> ItemPath {
        sent.reference = seen
        defer { sent.reference = nil }
        return try path(ofView: number)
    }

    /// Returns the texts of the cells that are displayed, for a content that has no others.
    func shownRows(at paths: [IndexPath]) -> CopiedRows {
        let cells = paths.compactMap { view.cellForItem(at: $0)?.content }
        return CopiedRows(
            cells.map { cell in
                guard cell.columns.isEmpty else { return cell.columns.map(\.string) }
                return [cell.text.string, cell.secondaryText.string].filter { !$0.isEmpty }
            }
        )
    }

    /// Returns the actions on a row, and remembers the row, because its view may display another one when one is chosen.
    func menu(ofView number: Int, seen: Int? = nil) throws -> Value {
        let path = try path(ofView: number, seen: seen)
        interaction.menu = nil
        guard path.item >= 0 else { return .array([]) }
        let items = try sourcePath(path.indexPath).map(content.menu) ?? []
        interaction.menu = PageInteraction.Target(
            viewNumber: number,
            identity: identity(at: path.indexPath),
            path: path,
            version: view.version,
            items: items
        )
        return .array(
            items.map { item in
                var object: ValueObject = ["id": .string(item.id), "title": .string(item.title)]
                if item.isDestructive { object["isDestructive"] = .bool(true) }
                if item.isDisabled { object["isDisabled"] = .bool(true) }
                return .object(object)
            }
        )
    }

    /// Performs an action of the menu that was shown, and returns its message.
    ///
    /// The identifiers belong to that menu: in a newer one they may name other actions.
    func perform(_ id: String, ofView number: Int) throws -> String? {
        guard let menu = interaction.menu, menu.viewNumber == number else {
            throw PageInputError("the menu is no longer shown; nothing was done")
        }
        interaction.menu = nil
        guard let path = present(menu).flatMap(sourcePath) else {
            throw PageInputError("the row of the menu is gone; nothing was done")
        }
        guard menu.items.contains(where: { $0.id == id && !$0.isDisabled }) else {
            throw PageInputError("the row has no action '\(id.prefix(40))'")
        }
        isInfoStale = true
        defer { updateHandler?() }
        return try content.perform(id, at: path)
    }

    private func present(_ target: PageInteraction.Target) -> IndexPath? {
        if let identity = target.identity { return indexPath(of: identity) }
        return target.version == view.version ? target.path.indexPath : nil
    }

    // MARK: - Paths and identities

    /// Returns the path of a shown item in the data source, from which it differs while a row is moved.
    func sourcePath(_ path: IndexPath) -> IndexPath? {
        view.dataSourceIndexPath(forPresentationIndexPath: path)
    }

    /// Returns the identity of a shown item, if the view's data source has identities.
    func shownIdentity(at path: IndexPath) -> String? {
        guard let association = view.dataSource as? any DataSourceModelAssociation else { return nil }
        return sourcePath(path).flatMap { association.modelIdentifierForElement(at: $0, in: view) }
    }

    private var association: (any DataSourceModelAssociation)? {
        content.restorableSource ?? (view.dataSource as? any DataSourceModelAssociation)
    }

    private func identity(at path: IndexPath) -> String? {
        sourcePath(path)
            .flatMap { association?.modelIdentifierForElement(at: $0, in: view) }
    }

    private func indexPath(of identity: String) -> IndexPath? {
        association?.indexPathForElement(withModelIdentifier: identity, in: view)
            .flatMap { view.presentationIndexPath(forDataSourceIndexPath: $0) }
    }
}
