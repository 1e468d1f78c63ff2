internal import CollectionViews
internal import DataSources
internal import Foundation

/// A line that is typed in the place of the status line.
struct BrowserPrompt {
    enum Kind: Hashable {
        case search
        case filter
        case goToRow

        /// The characters before the line.
        var label: String {
            switch self {
            case .search: "/"
            case .filter: "filter: "
            case .goToRow: ":"
            }
        }
    }

    let kind: Kind
    var editor: LineEditor
    /// The state to return to.
    let origin: (path: ItemPath?, offset: Double, query: String)
}

extension TerminalBrowser {
    func openPrompt(_ kind: BrowserPrompt.Kind) {
        let query = kind == .search ? content.search : kind == .filter ? content.filter : ""
        let origin = (path: focusedPath, offset: view.contentOffset, query: query)
        mode = .prompt(
            BrowserPrompt(kind: kind, editor: LineEditor(kind == .filter ? query : ""), origin: origin)
        )
    }

    func handlePrompt(_ press: KeyPress) {
        guard case .prompt(var prompt) = mode else { return }
        switch (press.key, press.modifiers) {
        case (.enter, _): acceptPrompt(prompt)
        case (.escape, _), (.character("c"), .control): cancelPrompt(prompt)
        case (.character("z"), .control): perform(.suspend)
        case (.character("l"), .control): perform(.repaint)
        case (.backspace, []) where prompt.editor.string.isEmpty: cancelPrompt(prompt)
        case (.down, _), (.up, _):
            if prompt.kind != .goToRow { moveFocus(by: press.key == .down ? 1 : -1) }
        default:
            let old = prompt.editor.string
            guard prompt.editor.apply(press) else { return }
            mode = .prompt(prompt)
            if prompt.editor.string != old { promptChanged(prompt) }
        }
    }

    /// Searches or filters by what is typed so far.
    func promptChanged(_ prompt: BrowserPrompt) {
        switch prompt.kind {
        case .search:
            content.search = prompt.editor.string
            showMatch(for: prompt)
        case .filter: content.filter = prompt.editor.string
        case .goToRow: break
        }
    }

    /// Moves the focus to the first match from the place where the search began, if one is known.
    func showMatch(for prompt: BrowserPrompt) {
        guard !content.search.isEmpty else { return }
        let start = prompt.origin.path.map { ItemPath(section: $0.section, item: max(0, $0.item)).indexPath }
        if let match = content.match(from: start, forward: true, includingStart: true).flatMap(ItemPath.init)
        {
            focus(match)
        }
    }

    private func acceptPrompt(_ prompt: BrowserPrompt) {
        mode = .rows
        let string = prompt.editor.string
        switch prompt.kind {
        case .search:
            // An empty line repeats the search before it.
            if string.isEmpty { content.search = prompt.origin.query }
        case .filter: break
        case .goToRow:
            guard let number = Int(string.filter { $0 != "," && $0 != " " }) else {
                if !string.isEmpty { message = "'\(string)' is not a row number" }
                return
            }
            focusRow(number)
        }
    }

    private func cancelPrompt(_ prompt: BrowserPrompt) {
        mode = .rows
        switch prompt.kind {
        case .search:
            content.search = prompt.origin.query
            if let path = prompt.origin.path { focus(path) }
            view.contentOffset = prompt.origin.offset
        case .filter: content.filter = prompt.origin.query
        case .goToRow: break
        }
    }

    /// Gives the focus to a row by its number from 1, or to the nearest one.
    private func focusRow(_ number: Int) {
        if let path = view.itemIndex.path(at: max(1, number) - 1) { return focus(path) }
        focusLast()
        if number > 0 { message = "row \(Grouped.text(number)) does not exist" }
    }
}
