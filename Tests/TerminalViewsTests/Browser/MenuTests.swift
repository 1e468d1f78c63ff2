import CollectionViews
import DataSources
import Foundation
import Testing

@testable import TerminalViews

/// Menus and primary actions of a browser's rows.
@Suite("Menus of rows")
struct MenuTests {
    /// Rows with two actions and a primary action.
    private final class Content: BrowserContent, CollectionViewDataSource, CollectionViewDelegate {
        let title = "rows"
        var changeHandler: (() -> Void)?
        let hasPrimaryAction = true
        var opened: [Int] = []
        var performed: [Int] = []
        let view = CollectionView(
            frame: Rect(x: 0, y: 0, width: 60, height: 8),
            collectionViewLayout: ListLayout()
        )

        init() {
            view.register(Cell.self, forCellWithReuseIdentifier: "row")
            view.dataSource = self
            view.delegate = self
        }

        func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int {
            30
        }

        func collectionView(_ collectionView: CollectionView, cellForItemAt indexPath: IndexPath) throws
            -> Cell
        {
            let cell = try collectionView.dequeueReusableCell(withReuseIdentifier: "row", for: indexPath)
            cell.content.text = StyledText("row \(indexPath.item)")
            return cell
        }

        func collectionView(
            _ collectionView: CollectionView,
            canPerformPrimaryActionForItemAt indexPath: IndexPath
        ) -> Bool { indexPath.item != 1 }

        func collectionView(
            _ collectionView: CollectionView,
            performPrimaryActionForItemAt indexPath: IndexPath
        ) { opened.append(indexPath.item) }

        func details(at indexPath: IndexPath) -> [StyledText] { [StyledText("details of \(indexPath.item)")] }

        func menu(at indexPath: IndexPath) throws -> [ViewMenuItem] {
            switch indexPath.item {
            case 5: []
            case 6: throw CollectionViewError.Code.invalidCount.asError
            default:
                [
                    ViewMenuItem(id: "0", title: "Copy"),
                    ViewMenuItem(id: "1", title: "Delete", isDisabled: true),
                ]
                    + (2..<20).map { ViewMenuItem(id: "\($0)", title: "Action \($0)") }
            }
        }

        func perform(_ id: String, at indexPath: IndexPath) throws -> String? {
            performed.append(Int(id) ?? -1)
            return "action \(id) is done"
        }
    }

    private let content = Content()
    private let browser: TerminalBrowser

    init() {
        browser = TerminalBrowser(view: content.view, content: content)
        browser.setSize(TerminalSize(columns: 60, rows: 10))
        _ = browser.makeScreen()
    }

    private func press(_ keys: KeyPress.Key...) {
        for key in keys { browser.handle(.key(KeyPress(key))) }
    }

    private var lines: [String] {
        let screen = browser.makeScreen()
        return (0..<screen.size.rows).map { row in
            String(
                String.UnicodeScalarView(screen.rows[row].cells.compactMap(\.glyph.scalar))
            )
        }
    }

    @Test("T13 a opens the menu of the row, whose actions are performed by number or with Enter")
    func menus() {
        press(.character("a"))
        #expect(lines[0].hasPrefix("> 1  Copy") && lines[1].hasPrefix("  2  Delete"))
        press(.character("1"))
        #expect(content.performed == [0])
        #expect(lines[0].contains("row 0") && lines[9].contains("action 0 is done"))
        press(.character("a"), .down, .enter)
        // The second one cannot be performed, and the menu stays open.
        #expect(content.performed == [0])
        press(.character("2"), .down, .enter)
        #expect(content.performed == [0, 2])
        press(.character("a"), .character("G"))
        #expect(lines.contains { $0.contains("> ") && $0.contains("Action 19") })
        press(.escape)
        #expect(lines[0].contains("row 0"))
    }

    @Test("T13 Enter performs the primary action, and shows the details of a row that has none")
    func primaryAction() {
        press(.enter)
        #expect(content.opened == [0])
        press(.down, .enter)
        #expect(content.opened == [0])
        #expect(lines[0].contains("details of 1"))
    }

    @Test("a row without actions, and a menu that fails, are said in a sentence")
    func noMenu() {
        press(.down, .down, .down, .down, .down, .character("a"))
        #expect(lines[9].contains("this row has no actions"))
        press(.down, .character("a"))
        #expect(lines[9].contains("the actions cannot be shown"))
    }
}

extension CollectionViewError.Code {
    fileprivate struct Failure: Error {}
    fileprivate var asError: any Error { Failure() }
}
