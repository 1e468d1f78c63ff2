internal import CollectionViews
internal import DataSources
internal import Foundation

extension TerminalBrowser {
    /// Does an action of the rows.
    func perform(_ action: BrowserAction) {
        switch action {
        case .down, .up, .halfPageDown, .halfPageUp, .pageDown, .pageUp, .first, .last, .nextSection,
            .previousSection:
            moveFocus(action)
        case .search, .filter:
            guard action == .search ? content.canSearch : content.canFilter else {
                message = "this view has no \(action == .search ? "search" : "filter")"
                return
            }
            openPrompt(action == .search ? .search : .filter)
        case .goToRow: openPrompt(.goToRow)
        case .nextMatch: moveToMatch(forward: true)
        case .previousMatch: moveToMatch(forward: false)
        case .mark: mark()
        case .range: range()
        case .invert: invertMarks()
        case .unmark:
            rangeStart = nil
            select { try view.selectByUser(.none, asksDelegate: content.asksAboutSelection) }
            content.removeHiddenMarks()
        case .fold, .unfold: setFolded(action == .fold)
        case .open: open()
        case .move: beginMove()
        case .menu: openMenu()
        case .copy: copy()
        case .help: mode = .page(.help)
        case .charts: showCharts()
        case .cancel: cancel()
        case .quit: requests.append(.quit)
        case .suspend: requests.append(.suspend)
        case .repaint: requests.append(.repaint)
        case .left, .right, .firstColumn, .lastColumn, .sort, .group, .widen:
            message =
                content.perform(action, at: focusedPath.flatMap { $0.item < 0 ? nil : $0.indexPath })
                ?? "this view has no columns"
        }
    }

    /// Moves the focus by an action.
    func moveFocus(_ action: BrowserAction) {
        let page = max(1, viewportRows.count - 1)
        switch action {
        case .down: moveFocus(by: 1)
        case .up: moveFocus(by: -1)
        case .halfPageDown: moveFocus(by: max(1, page / 2))
        case .halfPageUp: moveFocus(by: -max(1, page / 2))
        case .pageDown: moveFocus(by: page)
        case .pageUp: moveFocus(by: -page)
        case .first: focusFirst()
        case .last:
            wantsLast = !content.isComplete
            focusLast()
        case .nextSection: moveFocus(bySections: 1)
        case .previousSection: moveFocus(bySections: -1)
        default: break
        }
    }

    private func open() {
        guard let path = focusedPath else { return }
        if path.item < 0 { return setFolded(false) }
        do {
            if content.hasPrimaryAction, try view.performPrimaryAction(at: path.indexPath) { return }
        } catch {
            message = "\(error)"
            return
        }
        let lines = content.details(at: path.indexPath)
        guard !lines.isEmpty else {
            message = "there is nothing more to show of this row"
            return
        }
        mode = .page(BrowserPage(title: "\(content.title), \(rowName(path))", lines: lines))
    }

    private func openMenu() {
        guard let path = focusedPath, path.item >= 0 else { return }
        do {
            let items = try content.menu(at: path.indexPath)
            guard !items.isEmpty else {
                message = "this row has no actions"
                return
            }
            mode = .menu(
                BrowserMenu(title: "\(content.title), \(rowName(path))", path: path, items: items)
            )
        } catch {
            message = "the actions cannot be shown: \(error)"
        }
    }

    /// Performs an action of the menu, which is closed.
    func perform(_ item: ViewMenuItem, of menu: BrowserMenu) {
        do {
            if let text = try content.perform(item.id, at: menu.path.indexPath) { message = text }
        } catch {
            message = "the action failed: \(error)"
        }
    }

    private func cancel() {
        if rangeStart != nil {
            rangeStart = nil
        } else if !content.search.isEmpty {
            content.search = ""
        } else if !content.filter.isEmpty {
            content.filter = ""
        }
    }

    private func copy() {
        let copied = content.copiedRows(
            of: view,
            orFocused: focusedPath.flatMap { $0.item < 0 ? nil : $0.indexPath },
            maximumByteCount: Self.maximumCopy
        )
        guard let copied else {
            message = "this view has no text to copy"
            return
        }
        let text = copied.tabSeparatedValues
        // Terminals refuse longer ones, most without a word.
        guard text.utf8.count <= Self.maximumCopy else {
            // The content stops beyond the limit, so that the number of all bytes is not known.
            message = "the rows have more than \(Grouped.text(Self.maximumCopy)) bytes: nothing was copied"
            return
        }
        if !copied.text.isEmpty { requests.append(.copy(text)) }
        message = copied.summary
    }

    /// The maximum number of bytes that are sent to the clipboard of a terminal.
    static let maximumCopy = 74_994

    // MARK: - Sections

    /// Folds or unfolds the section with the focus.
    private func setFolded(_ isFolded: Bool) {
        guard let path = focusedPath, content.isFolded(section: Int(path.section)) != nil else {
            message = "there are no sections: group by a column first"
            return
        }
        setFolded(isFolded, section: Int(path.section))
    }

    func setFolded(_ isFolded: Bool, section: Int) {
        guard content.isFolded(section: section) != isFolded else { return }
        content.setFolded(isFolded, section: section)
        focus(ItemPath(section: section, item: view.numberOfItems(inSection: section) == 0 ? -1 : 0))
    }

    // MARK: - Marks

    /// Selects items as the user asks; a refusal is the message.
    private func select(_ body: () throws -> Void) {
        do { try body() } catch { message = "\(error)" }
    }

    private func mark() {
        if rangeStart != nil { return range() }
        guard let path = focusedPath, path.item >= 0 else { return }
        select { try view.selectByUser(at: path.indexPath) }
        moveFocus(by: 1)
    }

    private func range() {
        guard let path = focusedPath, path.item >= 0 else { return }
        guard let start = rangeStart.flatMap(ItemPath.init) else {
            guard view.allowsMultipleSelectionNow else {
                message = "only one row can be marked"
                return
            }
            rangeStart = path.indexPath
            return
        }
        rangeStart = nil
        let count = abs(rowNumber(path) - rowNumber(start)) + 1
        guard view.delegate == nil || !content.asksAboutSelection || count <= CollectionView.maximumAskedItems
        else {
            message =
                "a range has \(Grouped.text(count)) rows (limit \(Grouped.text(CollectionView.maximumAskedItems)))"
            return
        }
        select {
            guard try view.beginMultipleSelectionInteraction(at: start.indexPath) else { return }
            defer { view.endMultipleSelectionInteraction() }
            try view.updateMultipleSelectionInteraction(to: path.indexPath)
        }
    }

    private func invertMarks() {
        select { try view.selectByUser(.inverted, asksDelegate: content.asksAboutSelection) }
    }

    // MARK: - Matches

    private func moveToMatch(forward: Bool) {
        guard !content.search.isEmpty else {
            message = "there is no search: open one with /"
            return
        }
        let start = focusedPath.map { ItemPath(section: $0.section, item: max(0, $0.item)).indexPath }
        if let match = content.match(from: start, forward: forward, includingStart: false).flatMap(
            ItemPath.init
        ) {
            focus(match)
        } else {
            message = content.matches?.isComplete == true ? "no row matches" : "no match yet"
        }
    }

    // MARK: - Moving

    private func beginMove() {
        guard let path = focusedPath, path.item >= 0,
            (try? view.beginInteractiveMovementForItem(at: path.indexPath)) == true
        else {
            message = movementRefusal
            return
        }
        mode = .moving
    }

    /// The reason why a row cannot be moved, with the keys that change it.
    private var movementRefusal: String {
        guard let reason = content.movementRefusal else { return "this row cannot be moved" }
        var keys: [String] = []
        if content.sort != nil { keys.append("o on the column") }
        // Escape ends a search first.
        if !content.filter.isEmpty { keys.append("Escape") }
        if content.groupedColumn != nil { keys.append("b on the column") }
        return keys.isEmpty ? reason : "\(reason): press \(keys.joined(separator: ", ")) to end it"
    }

    func handleMove(_ press: KeyPress, _ action: BrowserAction?) {
        switch action {
        case .open, .move, .mark:
            try? view.endInteractiveMovement()
            mode = .rows
        case .cancel, .quit:
            view.cancelInteractiveMovement()
            mode = .rows
        case .suspend, .repaint: if let action { perform(action) }
        case .down, .up, .halfPageDown, .halfPageUp, .pageDown, .pageUp, .first, .last:
            guard let action, let current = view.interactivelyMovingIndexPath.flatMap(ItemPath.init) else {
                break
            }
            move(from: current, action)
            return
        default: break
        }
        if case .rows = mode { showFocus() }
    }

    private func move(from current: ItemPath, _ action: BrowserAction) {
        let count = view.numberOfItems(inSection: Int(current.section))
        let page = max(1, viewportRows.count - 1)
        let steps: [BrowserAction: Int] = [
            .down: 1, .up: -1, .halfPageDown: page / 2, .halfPageUp: -page / 2, .pageDown: page,
            .pageUp: -page,
            .first: -count, .last: count,
        ]
        let item = max(0, min(count - 1, Int(current.item) + (steps[action] ?? 0)))
        let target = IndexPath(item: item, section: Int(current.section))
        do {
            try view.updateInteractiveMovementTarget(target)
        } catch {
            message = "the row cannot be moved there"
        }
        if let moved = view.interactivelyMovingIndexPath { try? view.scrollToItem(at: moved, at: .nearest) }
    }

    // MARK: - Words

    /// Returns the name of a row for people, by its number from 1.
    func rowName(_ path: ItemPath) -> String { "row \(Grouped.text(rowNumber(path)))" }

    private func showCharts() {
        let charts = content.charts
        if charts.isEmpty {
            message = "there are no charts: a script draws one by console.chart()"
        } else {
            mode = .page(.charts(charts, width: size.columns, text))
        }
    }

    /// Returns the number of a row from 1, over all sections.
    func rowNumber(_ path: ItemPath) -> Int { view.itemIndex.index(of: path) + 1 }
}
