internal import CollectionViews
internal import DataSources
internal import Foundation

extension TerminalBrowser {
    private static let bar = CellStyle(attributes: .reverse)

    /// Returns the screen of the present state.
    func makeScreen() -> TerminalScreen {
        var screen = TerminalScreen(size: size)
        updatePage()
        switch mode {
        case .page(let page): draw(page, into: &screen)
        case .menu(let menu): draw(menu, into: &screen)
        default: drawRows(into: &screen)
        }
        if size.rows >= 2 { drawStatus(into: &screen) }
        screen.rememberDigests()
        return screen
    }

    private func drawRows(into screen: inout TerminalScreen) {
        let renderer = TerminalRenderer(text: text)
        do {
            var frame = try view.makeFrame()
            if content.fitVisibleRows() { frame = try view.makeFrame() }
            lastFrame = frame
            frameError = nil
        } catch {
            frameError = error
            message = "the rows cannot be shown: \(error)"
        }
        // After an error the rows of before stay.
        if let lastFrame {
            let moving = view.interactivelyMovingIndexPath.flatMap(ItemPath.init)
            renderer.draw(
                lastFrame,
                into: &screen,
                rows: viewportRows,
                columns: viewportColumns,
                drawn: &drawn,
                decoration: { decoration($0, moving: moving) }
            )
        }
        // After the rows, by which columns may have become wider.
        if viewportRows.lowerBound > 0, let header = content.header {
            let style = CellStyle(attributes: [.bold, .underline])
            screen.fill(row: 0, 0..<size.columns, style: style)
            // Reversed, because a header is bold and underlined already.
            renderer.draw(
                header,
                style,
                matches: .reverse,
                0,
                TerminalRenderer.gutterWidth,
                viewportColumns,
                into: &screen
            )
        }
        if showsIndex { drawIndex(into: &screen) }
    }

    private func decoration(_ element: ViewFrame.Element, moving: ItemPath?) -> TerminalRenderer.Decoration {
        var look = TerminalRenderer.Decoration()
        let path = element.attributes.element.path
        guard element.attributes.element.category != .decorationView else { return look }
        guard element.attributes.element.category == .cell else {
            look.isFolded = content.isFolded(section: Int(path.section))
            look.isFocused = focusedSection == Int(path.section)
            look.style.foreground = .cyan
            return look
        }
        if moving == path {
            look.gutter = "↕"
            look.style.attributes.insert(.reverse)
        } else if let mark = content.changeMark(at: path.indexPath) {
            look.gutter = mark == .inserted ? "+" : "~"
            look.style.foreground = mark == .inserted ? .green : .blue
        } else if element.isSelected {
            look.gutter = "*"
            look.style.foreground = .yellow
        } else if isInRange(path) {
            look.gutter = "|"
            look.style.foreground = .yellow
        }
        return look
    }

    private func isInRange(_ path: ItemPath) -> Bool {
        guard let start = rangeStart.flatMap(ItemPath.init), let end = focusedPath else { return false }
        return (min(start, end)...max(start, end)).contains(path)
    }

    private func drawIndex(into screen: inout TerminalScreen) {
        let column = size.columns - 1
        let top = viewportRows.lowerBound
        for (row, title) in indexRows.enumerated() {
            screen.draw(
                title.title.first.map { String($0) } ?? "·",
                row: top + row,
                column: column,
                within: column..<size.columns,
                style: CellStyle(foreground: .gray),
                text: text
            )
        }
    }

    /// Draws the actions of a row, with their numbers; one that cannot be performed is gray.
    private func draw(_ menu: BrowserMenu, into screen: inout TerminalScreen) {
        let page = BrowserPage(
            title: menu.title,
            lines: menu.items.enumerated().dropFirst(menu.top).map { number, item in
                let mark = number == menu.selection ? "> " : "  "
                let name = number < 9 ? "\(number + 1)  " : "   "
                return StyledText(spans: [
                    .init(mark + name, style: .strong),
                    .init(item.title, style: item.isDisabled ? .secondary : .plain),
                ])
            }
        )
        draw(page, into: &screen)
    }

    private func draw(_ page: BrowserPage, into screen: inout TerminalScreen) {
        let renderer = TerminalRenderer(text: text)
        let columns = 0..<size.columns
        if viewportRows.lowerBound > 0 {
            screen.draw(
                page.title,
                row: 0,
                column: 0,
                within: columns,
                style: CellStyle(attributes: [.bold, .underline]),
                text: text
            )
        }
        for (index, row) in viewportRows.enumerated() where page.lines.indices.contains(page.top + index) {
            renderer.draw(page.lines[page.top + index], .plain, row, 0, columns, into: &screen)
        }
    }

    // MARK: - Status line

    private func drawStatus(into screen: inout TerminalScreen) {
        let row = size.rows - 1
        let columns = 0..<size.columns
        screen.fill(row: row, columns, style: Self.bar)
        let right = " \(position) "
        let width = text.width(of: right)
        let start = size.columns - width
        if case .prompt(let prompt) = mode {
            drawPrompt(prompt, row: row, end: start > 20 ? start : size.columns, into: &screen)
        } else {
            let left = " \(leftStatus)"
            screen.draw(left, row: row, column: 0, within: columns, style: Self.bar, text: text)
        }
        if start > 20 {
            screen.fill(row: row, max(0, start - 1)..<start, style: Self.bar)
            screen.draw(right, row: row, column: start, within: columns, style: Self.bar, text: text)
        }
    }

    private var leftStatus: String {
        if !message.isEmpty { return message }
        if case .page = mode { return "q or Escape closes this page" }
        if case .menu = mode { return "a number or Enter performs an action, Escape closes" }
        if case .moving = mode { return "moving a row: Enter drops it, Escape cancels" }
        if rangeStart != nil { return "range: Space or v marks it, Escape cancels" }
        let status = content.status
        // A long name leaves room for its status.
        let isLong = !status.isEmpty && text.width(of: content.title) > 24
        let title = isLong ? text.fitted(content.title, to: 24) : content.title
        let parts = [title, status, matchStatus, content.charts.isEmpty ? "" : "c charts"].filter {
            !$0.isEmpty
        }
        return parts.joined(separator: "  ")
    }

    private var matchStatus: String {
        guard let matches = content.matches else { return "" }
        let count = matches.count == 1 ? "1 match" : "\(Grouped.text(matches.count)) matches"
        return "/\(content.search)  \(count)\(matches.isComplete ? "" : " so far")"
    }

    /// The number of the row with the focus, and the number of rows.
    private var position: String {
        let count = view.itemIndex.itemCount
        let total = Grouped.text(count) + (content.isComplete ? "" : "+")
        let marks = view.markCount
        let hidden = content.hiddenMarkCount
        let marked = (marks.isOfUnselectedItems ? count - marks.count : marks.count) + hidden
        let hiddenText = hidden > 0 ? " (\(Grouped.text(hidden)) hidden)" : ""
        let markText = marked > 0 ? "\(Grouped.text(marked)) marked\(hiddenText)  " : ""
        guard let path = focusedPath, path.item >= 0 else { return "\(markText)\(total) rows  ? help" }
        return "\(markText)\(Grouped.text(rowNumber(path)))/\(total)  ? help"
    }

    private func drawPrompt(_ prompt: BrowserPrompt, row: Int, end: Int, into screen: inout TerminalScreen) {
        let matches = prompt.kind == .search ? content.matches : nil
        let count = matches.map { "  \(Grouped.text($0.count))\($0.isComplete ? "" : "+") matches" } ?? ""
        let label = prompt.kind.label
        let before = String(prompt.editor.characters[..<prompt.editor.position])
        let after = String(prompt.editor.characters[prompt.editor.position...])
        let room = max(1, end - text.width(of: label) - 1)
        // The end of what is before the cursor, as much as there is room for.
        var shown = before[...]
        while text.width(of: String(shown)) >= room, !shown.isEmpty { shown = shown.dropFirst() }
        let columns = 0..<end
        var column = screen.draw(label, row: row, column: 0, within: columns, style: Self.bar, text: text)
        column = screen.draw(
            String(shown),
            row: row,
            column: column,
            within: columns,
            style: Self.bar,
            text: text
        )
        let cursor = after.isEmpty ? " " : String(after.prefix(1))
        let style = CellStyle(attributes: [.bold])
        column = screen.draw(cursor, row: row, column: column, within: columns, style: style, text: text)
        column = screen.draw(
            String(after.dropFirst()),
            row: row,
            column: column,
            within: columns,
            style: Self.bar,
            text: text
        )
        screen.draw(count, row: row, column: column, within: columns, style: Self.bar, text: text)
    }
}
