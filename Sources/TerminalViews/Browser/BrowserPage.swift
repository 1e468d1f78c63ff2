internal import CollectionViews

/// Lines that cover the rows until they are closed: the help, a row completely, or charts.
struct BrowserPage {
    let title: String
    var lines: [StyledText]
    /// A Boolean value that indicates whether the lines are those of the content's charts, which may change.
    var followsCharts = false
    /// The first visible line.
    private(set) var top = 0

    init(title: String, lines: [StyledText]) {
        self.title = title
        self.lines = lines
    }

    /// Scrolls by an action, and returns whether the page stays open.
    mutating func apply(_ action: BrowserAction?, height: Int) -> Bool {
        switch action {
        case .down: top += 1
        case .up: top -= 1
        case .halfPageDown: top += max(1, height / 2)
        case .halfPageUp: top -= max(1, height / 2)
        case .pageDown, .mark: top += height
        case .pageUp: top -= height
        case .first: top = 0
        case .last: top = lines.count
        case .quit, .cancel, .open, .help, .charts: return false
        default: break
        }
        top = max(0, min(top, lines.count - height))
        return true
    }

    /// Returns the page of charts, as wide as the screen.
    static func charts(_ charts: [BarChart], width: Int, _ text: TerminalText) -> BrowserPage {
        let lines = charts.map { $0.lines(width: width, text: text) }.joined(separator: [""])
        var page = BrowserPage(title: charts.count == 1 ? "Chart" : "Charts", lines: Array(lines))
        page.followsCharts = true
        return page
    }

    /// The page of all keys.
    static let help: BrowserPage = {
        let rows = KeyBindings.all.map(\.help) + KeyBindings.mouseHelp
        let width = rows.map(\.keys.count).max() ?? 0
        let lines = rows.map { row in
            StyledText(spans: [
                .init(row.keys + String(repeating: " ", count: width - row.keys.count + 2), style: .strong),
                .init(row.text),
            ])
        }
        let query = [
            "", "A search or filter finds rows that contain all its words, without regard to case if it has",
            "no capital letter. 'column:word' looks in one column, '!word' excludes.",
        ]
        return BrowserPage(title: "Keys", lines: lines + query.map { StyledText($0) })
    }()
}
