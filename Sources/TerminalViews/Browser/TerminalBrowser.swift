internal import BridgeValues
public import CollectionViews
internal import DataSources
internal import Foundation

/// A browser of a collection view in a terminal: keys, mouse, search, marks, and a screen for each state.
///
/// The view's unit is one cell. The browser sets the size of the view, and owns its focus. It is used on the isolation
/// of the view, and knows no terminal: ``TerminalSession`` passes it events and draws its screens.
public final class TerminalBrowser {
    /// The rows.
    public let view: CollectionView
    /// The parts beside the rows.
    public let content: any BrowserContent

    /// The input that keys go to.
    enum Mode {
        case rows
        case prompt(BrowserPrompt)
        case page(BrowserPage)
        case menu(BrowserMenu)
        /// A row is moved; the program asks the view for it.
        case moving
    }

    var mode = Mode.rows
    /// The section whose header has the focus, which only sections without visible rows get.
    var focusedSection: Int?
    /// The first row of a range that is not marked yet.
    var rangeStart: IndexPath?
    /// A sentence about the last action.
    var message = ""
    /// The error of the last frame; `nil` if it was made.
    public internal(set) var frameError: (any Error)?
    /// A Boolean value that indicates whether the last row was requested before all rows were known.
    var wantsLast = false
    /// The saved state that waits until its rows are there.
    package var pendingState: ViewState?
    /// A Boolean value that indicates whether a saved state could not be used.
    package var hasRefusedState = false
    /// The item that was pressed by the mouse, and may be dragged.
    var pressed: IndexPath?
    /// The size of the terminal.
    var size = TerminalSize(columns: 80, rows: 24)
    let text = TerminalText()
    /// Requests for the session.
    var requests: [Request] = []
    /// The last frame of the view, by which clicks find elements.
    var lastFrame: ViewFrame?
    /// The rows as they were drawn last.
    var drawn = DrawnElements()

    /// A request for the owner of the terminal.
    enum Request: Hashable {
        case quit
        case suspend
        case repaint
        case copy(String)
    }

    /// Creates a browser of a view.
    ///
    /// - Parameters:
    ///   - view: The view, with its data source.
    ///   - content: What is shown beside the rows, and what can be done with them.
    public init(view: CollectionView, content: any BrowserContent) {
        self.view = view
        self.content = content
        content.changeHandler = { [weak self] in self?.contentChanged() }
    }

    // MARK: - Size

    /// The rows of the screen for the viewport: below the header and above the status line, if there is room.
    var viewportRows: Range<Int> {
        let top = size.rows >= 3 && content.header != nil ? 1 : 0
        return top..<max(top + 1, size.rows - (size.rows >= 2 ? 1 : 0))
    }

    /// The columns of the screen for the viewport.
    var viewportColumns: Range<Int> { 0..<max(1, size.columns - (showsIndex ? 2 : 0)) }

    var showsIndex: Bool { size.columns >= 20 && size.rows >= 5 && content.indexTitles.count > 1 }

    /// Adapts the view to a size.
    ///
    /// The row with the focus stays visible.
    func setSize(_ newSize: TerminalSize) {
        size = newSize
        layOut()
    }

    /// Adapts the page that covers the rows to the size, and to charts that have changed.
    func updatePage() {
        guard case .page(var page) = mode else { return }
        if page.followsCharts {
            page.lines = BrowserPage.charts(content.charts, width: size.columns, text).lines
        }
        _ = page.apply(nil, height: viewportRows.count)
        mode = .page(page)
    }

    /// Adapts the view and its content to the size and to the widths of characters.
    func layOut() {
        let width = max(0, viewportColumns.count - TerminalRenderer.gutterWidth)
        content.layOut(width: width, text: text)
        let frame = Rect(x: 0, y: 0, width: Double(width), height: Double(viewportRows.count))
        guard view.frame != frame || focusedPath == nil else { return }
        view.frame = frame
        if focusedPath == nil { focusFirst() }
        showFocus()
    }

    // MARK: - Events

    /// Handles an event of the terminal.
    func handle(_ event: TerminalEvent) {
        switch event {
        case .key(let press):
            // Quitting while the rows are found keeps the state.
            if ![.quit, .suspend, .repaint, .help].contains(KeyBindings.actions[press]) {
                pendingState = nil
            }
            handle(press)
        case .mouse(let event):
            pendingState = nil
            handle(event)
        case .paste(let string): paste(string)
        case .focus, .reply: break
        }
    }

    private func handle(_ press: KeyPress) {
        message = ""
        let action = KeyBindings.actions[press]
        if action != .last { wantsLast = false }
        switch mode {
        case .rows: if let action { perform(action) }
        case .prompt: handlePrompt(press)
        case .moving: handleMove(press, action)
        case .menu(var menu):
            switch menu.apply(action, digit: press.digit, height: viewportRows.count) {
            case .open: mode = .menu(menu)
            case .closed: mode = .rows
            case .chosen(let number):
                mode = .rows
                perform(menu.items[number], of: menu)
            }
            if action == .suspend || action == .repaint, let action { perform(action) }
        case .page(var page):
            let isOpen = page.apply(action, height: viewportRows.count)
            mode = isOpen ? .page(page) : .rows
            if action == .suspend || action == .repaint, let action { perform(action) }
        }
    }

    private func paste(_ string: String) {
        guard case .prompt(var prompt) = mode else {
            message = "pasted text is not used here: open a search with / first"
            return
        }
        prompt.editor.insert(string)
        mode = .prompt(prompt)
        promptChanged(prompt)
    }

    /// Applies what has arrived from other threads, and returns the time at which the browser has more to do.
    func update(at now: Duration) -> Duration? {
        let time = content.update(at: now)
        restorePendingState()
        return time
    }

    private func contentChanged() {
        if let text = content.takeMessage() { message = text }
        if case .prompt(let prompt) = mode, prompt.kind == .search { showMatch(for: prompt) }
        if wantsLast { focusLast() }
        if focusedPath == nil { focusFirst() }
    }
}
