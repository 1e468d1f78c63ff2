import CollectionViews
import DataSources
import Foundation
import Testing

@testable import TerminalViews

@Suite("Browsers")
struct BrowserTests {
    private func item(_ item: Int, _ section: Int = 0) -> IndexPath {
        IndexPath(item: item, section: section)
    }

    @Test("T13 keys move the focus by rows, pages and to the ends")
    func motions() throws {
        let run = try BrowserRun(count: 100)
        let steps: [(String, Int)] = [
            ("j", 1), ("\u{1B}[B", 2), ("k", 1), ("\u{1B}OA", 0), ("k", 0), ("\u{6}", 7), ("\u{1B}[6~", 14),
            ("\u{4}", 17),
            ("\u{15}", 14), ("\u{2}", 7), ("\u{1B}[5~", 0), ("G", 99), ("j", 99), ("g", 0), ("\u{1B}[4~", 99),
            ("\u{1B}[1~", 0), ("\u{1B}[F", 99), ("\u{1B}[H", 0),
        ]
        for (keys, expected) in steps {
            try run.send(keys)
            #expect(run.focus == item(expected), "\(keys.debugDescription)")
            let line = try #require(run.focusedLine)
            #expect(run.lines[line].contains("name \(expected) "))
        }
    }

    @Test("T13 a colon goes to a row by its number")
    func goTo() throws {
        let run = try BrowserRun(count: 5_000)
        try run.type(":4,321\r")
        #expect(run.focus == item(4_320))
        try run.type(":99999\r")
        #expect(run.focus == item(4_999))
        #expect(run.status.contains("row 99,999 does not exist"))
        try run.type(":abc\r")
        #expect(run.status.contains("'abc' is not a row number"))
        try run.type(":-5\r")
        #expect(run.focus == item(0))
        try run.type("G:-9223372036854775808\r")
        #expect(run.focus == item(0))
        try run.type(":12")
        try run.escape()
        #expect(run.focus == item(0))
    }

    @Test("T13 a search moves while typing, shows matches and their number, and n and N continue it")
    func search() throws {
        let run = try BrowserRun(count: 200)
        try run.type("jj/name 15")
        try run.settle()
        #expect(run.focus == item(15))
        #expect(run.status.contains("12 matches"))
        let matched = run.terminal.emulator.cells[try #require(run.focusedLine)].filter {
            $0.style.contains("4")
        }
        #expect(matched.map(\.text).joined().contains("15"))
        try run.type("\rn")
        #expect(run.focus == item(115))
        try run.type("NN")
        #expect(run.focus == item(159))
        try run.type("n")
        #expect(run.focus == item(15))
        try run.escape()
        #expect(run.content.matches == nil)
    }

    @Test("T13 Escape returns to where the search began")
    func cancelSearch() throws {
        let run = try BrowserRun(count: 200)
        try run.type("jj/name 150")
        try run.settle()
        #expect(run.focus == item(150))
        try run.escape()
        #expect(run.focus == item(2))
        #expect(run.names.first == "0 name 0 even")
        #expect(run.content.search.isEmpty)
    }

    @Test("T13 Space marks, v marks a range, * inverts, u removes, and marks follow their rows")
    func marks() throws {
        let run = try BrowserRun(count: 20)
        try run.type("  jvjjv")
        #expect(run.browser.view.indexPathsForSelectedItems == [0, 1, 3, 4, 5].map { item($0) })
        try run.type("*")
        #expect(run.status.contains("15 marked"))
        try run.type("*")
        try run.type("oo")
        try run.settle()
        try run.type("o")
        try run.type("fodd\r")
        try run.settle()
        // Ascending rows were 0, 1, 3, 4 and 5; the odd ones of them stay visible, in the opposite order.
        #expect(run.status.contains("5 marked (2 hidden)"))
        try run.type("f\u{15}\r")
        try run.settle()
        let marked = Set(
            run.browser.view.indexPathsForSelectedItems.compactMap { run.content.number(at: $0) }
        )
        #expect(marked == [0, 1, 3, 4, 5])
        try run.type("fodd\r")
        try run.settle()
        try run.type("uf\u{15}\r")
        try run.settle()
        #expect(run.browser.view.indexPathsForSelectedItems.isEmpty)
    }

    @Test("T13 o sorts by the column: ascending, descending, not")
    func sort() throws {
        let run = try BrowserRun(count: 30)
        try run.type("lo")
        try run.settle()
        #expect(run.names.prefix(2) == ["0 name 0 even", "1 name 1 odd"])
        #expect(run.status.contains("sorted by name"))
        try run.type("og")
        try run.settle()
        #expect(run.status.contains("descending"))
        try run.type("g")
        #expect(run.names.first == "9 name 9 odd")
        try run.type("og")
        #expect(run.names.first == "0 name 0 even")
        // Numbers by their value, not by their characters.
        try run.type("hoG")
        try run.settle()
        try run.type("G")
        #expect(run.names.last == "29 name 29 odd")
    }

    @Test("T13 the focused row stays at its place when rows are sorted")
    func sortKeepsPlace() throws {
        let run = try BrowserRun(count: 1_000)
        try run.type(":500\rkk")
        let line = run.focusedLine
        try run.type("oo")
        try run.settle()
        #expect(run.focus == item(1_000 - 498))
        #expect(run.focusedLine == line)
    }

    @Test("T13 f shows the rows that match while typing, and Escape ends it")
    func filter() throws {
        let run = try BrowserRun(count: 100)
        try run.type("fodd")
        try run.settle()
        #expect(run.names.first == "1 name 1 odd")
        #expect(run.status.contains("/50"))
        try run.type(" !9\r")
        try run.settle()
        #expect(run.status.contains("/36"))
        try run.escape()
        #expect(run.status.contains("/100"))
        #expect(run.names.first == "1 name 1 odd" || run.names.first == "0 name 0 even")
        try run.type("fname:77\r")
        try run.settle()
        #expect(run.names == ["77 name 77 odd"])
        try run.type("fnothing\r")
        try run.settle()
        #expect(run.names.isEmpty)
    }

    @Test("T13 the column with the focus is visible without colors")
    func focusedColumn() throws {
        let run = try BrowserRun(count: 3)
        func reversed() -> String {
            run.terminal.emulator.cells[0].filter { $0.style.split(separator: ";").contains("7") }.map(\.text)
                .joined()
        }
        #expect(reversed().trimmingCharacters(in: .whitespaces) == "id")
        try run.type("l")
        #expect(reversed().trimmingCharacters(in: .whitespaces) == "name")
    }

    @Test("T13 a copy reads no rows beyond its limit")
    func copyLimit() throws {
        let rows = (0..<300).map { ["\($0)", String(repeating: "x", count: 1_000)] }
        let table = MemoryTable(columns: ["id", "text"], rows: rows)
        let run = try BrowserRun(table, columns: 100)
        let before = table.readCount
        let paths = (0..<300).map { item($0) }
        let limit = TerminalBrowser.maximumCopy
        let copied = run.content.copiedRows(at: paths, maximumByteCount: limit)
        #expect(copied.map { $0.tabSeparatedValues.utf8.count > limit } == true)
        #expect(table.readCount - before < 100)
        try run.type("*y")
        #expect(run.status.contains("the rows have more than 74,994 bytes: nothing was copied"))
        #expect(run.terminal.emulator.clipboard.isEmpty)
    }

    @Test("T13 b groups, brackets fold, Tab moves by sections, and headers stay at the edge")
    func groups() throws {
        let run = try BrowserRun(count: 100)
        try run.type("$b")
        try run.settle()
        #expect(run.lines[1].contains("▾ even  50"))
        #expect(run.focus == item(0))
        try run.type("jjjjjjjjjjjj")
        #expect(run.lines[1].contains("▾ even  50"))
        try run.type("[")
        #expect(run.lines[1].contains("▸ even  50"))
        #expect(run.lines[2].contains("▾ odd  50"))
        #expect(run.focusedLine == 1)
        try run.type("j")
        #expect(run.focus == item(0, 1))
        try run.type("k]")
        #expect(run.focus == item(0))
        try run.send("\t")
        #expect(run.focus == item(0, 1))
        try run.send("\u{1B}[Z")
        #expect(run.focus == item(0))
        try run.type("b")
        #expect(!run.lines.contains { $0.contains("▾") })
    }

    @Test("T13 a key adds up no sections, and a fold adds them up once, however many groups there are")
    func manyGroups() throws {
        let run = try BrowserRun(count: 2_000)
        try run.type("b")
        try run.settle()
        #expect(run.status.contains("1/2,000"))
        func work() -> [Int] {
            [run.browser.view.counters.indexedSections, run.content.rows.indexTitleCount]
        }
        let first = work()
        try run.type("jjkjg:1000\r")
        #expect(run.status.contains("1,000/2,000"))
        #expect(run.focus == item(0, 999))
        #expect(work() == first)
        try run.type("[")
        #expect(run.status.contains("1,999 rows"))
        #expect(work() == [first[0] + 2_000, first[1]])
        try run.type("k")
        #expect(run.status.contains("999/1,999"))
        #expect(work() == [first[0] + 2_000, first[1]])
    }

    @Test("T13 m moves a row by keys, Enter drops it, Escape cancels")
    func move() throws {
        let run = try BrowserRun(count: 20)
        try run.type("jmjj")
        #expect(run.names[3] == "1 name 1 odd")
        #expect(run.status.contains("moving"))
        try run.send("\r")
        #expect(run.names.prefix(4) == ["0 name 0 even", "2 name 2 even", "3 name 3 odd", "1 name 1 odd"])
        #expect(run.focus == item(3))
        try run.type("mG")
        try run.escape()
        #expect(run.names[0] == "1 name 1 odd")
        #expect(run.focus == item(3))
        try run.type("mg\r")
        #expect(run.names[0] == "1 name 1 odd")
        try run.type("o")
        try run.settle()
        try run.type("m")
        #expect(run.status.contains("cannot be moved"))
    }

    @Test("T13 m says why a row cannot be moved, and how to end that")
    func moveRefused() throws {
        let run = try BrowserRun(MemoryTable(count: 20), columns: 160)
        try run.type("o")
        try run.settle()
        try run.type("m")
        #expect(
            run.status.contains(
                "a row cannot be moved while rows are sorted by id: press o on the column to end it"
            )
        )
        try run.type("$bfodd\r")
        try run.settle()
        try run.type("m")
        #expect(
            run.status.contains(
                "while rows are sorted by id, filtered, grouped by kind: "
                    + "press o on the column, Escape, b on the column to end it"
            )
        )
    }

    @Test("T13 an order made by hand is back when a sort, a filter or groups end, with the rows of then")
    func moveAndSort() throws {
        let table = MemoryTable(count: 5)
        let run = try BrowserRun(table)
        func ids() -> [String] { run.names.compactMap { $0.split(separator: " ").first.map { String($0) } } }
        try run.type("mjjj\r")
        #expect(ids() == ["1", "2", "3", "0", "4"])
        for keys in ["ooo", "bb", "fodd\rf\u{15}\r"] {
            for key in keys {
                try run.type(String(key))
                try run.settle()
            }
            try run.type("g")
            #expect(ids() == ["1", "2", "3", "0", "4"], "\(keys)")
        }
        try run.type("o")
        try run.settle()
        table.change(inserting: [["5", "name 5", "odd"]], setting: [2: nil])
        try run.settle()
        try run.type("oog")
        #expect(ids() == ["1", "3", "0", "4", "5"])
        // The order of then is the one that is moved in.
        try run.type("mG\ro")
        try run.settle()
        table.change(inserting: [["6", "name 6", "even"]])
        try run.settle()
        try run.type("oog")
        #expect(ids() == ["3", "0", "4", "5", "1", "6"])
    }

    @Test("T13 y copies the marked rows, and their escape sequences stay data")
    func copy() throws {
        let table = MemoryTable(
            columns: ["a", "b"],
            rows: [["1", "x\ty"], ["2", "\u{1B}]52;c;!\u{7}"], ["3", "é"]]
        )
        let run = try BrowserRun(table)
        try run.type("  y")
        let copied = try #require(run.terminal.emulator.clipboard.first?.dropFirst("52;c;".count))
        let decoded = String(decoding: try #require(Data(base64Encoded: String(copied))), as: UTF8.self)
        #expect(decoded == "1\tx y\n2\t\u{1B}]52;c;!\u{7}")
        #expect(run.terminal.emulator.clipboard.count == 1)
        #expect(run.status.contains("copied 2 rows"))
    }

    @Test("T13 y copies the marked rows of folded groups, and says which ones a filter hides")
    func copyHidden() throws {
        let table = MemoryTable(
            columns: ["g", "n"],
            rows: [["x", "1"], ["x", "2"], ["y", "3"], ["y", "4"], ["z", "5"]]
        )
        let run = try BrowserRun(table, columns: 100)
        try run.type("b")
        try run.settle()
        try run.type("   ")
        #expect(run.status.contains("3 marked  "))
        try run.type("g[")
        #expect(run.status.contains("3 marked (2 hidden)"), "\(run.status)")
        func copied() throws -> String {
            try run.type("y")
            let last = try #require(run.terminal.emulator.clipboard.last?.dropFirst("52;c;".count))
            return String(decoding: try #require(Data(base64Encoded: String(last))), as: UTF8.self)
        }
        #expect(try copied() == "x\t1\nx\t2\ny\t3")
        #expect(run.status.contains("copied 3 rows"))
        // Of a folded group all rows but those that were marked are marked.
        try run.type("*")
        #expect(run.status.contains("2 marked  "))
        #expect(try copied() == "y\t4\nz\t5")
        try run.type("*")
        try run.type("]f3\r")
        try run.settle()
        #expect(try copied() == "y\t3")
        #expect(run.status.contains("copied 1 row; the filter hides 2 marked rows"))
        try run.type("u")
        #expect(!run.status.contains("marked"))
        // All rows of a folded group.
        try run.send("f\u{15}\r")
        try run.settle()
        try run.type("*g[")
        #expect(run.status.contains("5 marked (2 hidden)"), "\(run.status)")
        try run.type("y")
        #expect(run.status.contains("copied 5 rows"))
    }

    @Test("T13 the mark of a deleted row is gone, and is not one of the hidden marks")
    func deletedMark() throws {
        let table = MemoryTable(count: 5)
        let run = try BrowserRun(table)
        try run.type("  ")
        #expect(run.status.contains("2 marked  "))
        table.change(setting: [0: nil])
        try run.settle()
        #expect(run.status.contains("1 marked  "), "\(run.status)")
        // A search for all rows in another order reads the marks again.
        try run.type("o")
        try run.settle()
        #expect(run.status.contains("1 marked  "), "\(run.status)")
    }

    @Test("T13 Enter shows a row completely, and ? all keys")
    func pages() throws {
        let run = try BrowserRun(MemoryTable(columns: ["id", "text"], rows: [["1", "two\nlines"]]))
        try run.send("\r")
        #expect(run.lines.contains { $0.hasPrefix("text") && $0.hasSuffix("two") })
        #expect(run.lines.contains { $0.hasSuffix(" lines") })
        try run.type("q")
        #expect(run.names == ["1 two␊lines"])
        try run.type("?")
        #expect(run.lines.contains { $0.contains("next row") })
        for _ in 0..<10 { try run.type(" ") }
        #expect(run.lines.contains { $0.contains("'column:word'") })
        try run.escape()
        #expect(!run.session.isFinished)
        let helped = Set(KeyBindings.all.map(\.action))
        #expect(helped == Set(BrowserAction.allCases))
    }

    @Test("T13 wheel, click, click on a column title, and drag to reorder")
    func mouse() throws {
        let run = try BrowserRun(count: 100)
        try run.mouse(65, column: 5, row: 5)
        #expect(run.names.first == "3 name 3 odd")
        #expect(run.focus == item(3))
        try run.mouse(64, column: 5, row: 5)
        #expect(run.names.first == "0 name 0 even")
        try run.mouse(0, column: 5, row: 5)
        try run.mouse(0, column: 5, row: 5, isRelease: true)
        #expect(run.focus == item(4))
        try run.mouse(0, column: 5, row: 2)
        try run.mouse(32, column: 5, row: 3)
        try run.mouse(32, column: 5, row: 4)
        try run.mouse(0, column: 5, row: 4, isRelease: true)
        #expect(run.names.prefix(4) == ["0 name 0 even", "2 name 2 even", "3 name 3 odd", "1 name 1 odd"])
        try run.mouse(0, column: 8, row: 0)
        try run.settle()
        #expect(run.status.contains("sorted by name"))
    }

    @Test("T13 a click on a group folds it, and one on the index jumps to a group")
    func clickGroups() throws {
        let rows = (0..<60).map { ["\($0)", String(UnicodeScalar(UInt8(65 + $0 / 20)))] }
        let run = try BrowserRun(MemoryTable(columns: ["id", "letter"], rows: rows))
        try run.type("lb")
        try run.settle()
        #expect(run.lines[1].hasSuffix("A"))
        #expect(run.lines[2].hasSuffix("B"))
        try run.mouse(0, column: 59, row: 3)
        #expect(run.focus == item(0, 2))
        #expect(run.lines[1].contains("▾ C  20"))
        try run.mouse(0, column: 4, row: 1)
        #expect(run.lines.contains { $0.contains("▸ C  20") })
    }

    @Test("T10 a paste into a prompt is text, and elsewhere nothing")
    func paste() throws {
        let run = try BrowserRun(count: 20)
        try run.send("\u{1B}[200~qqq\r\u{1B}[201~")
        #expect(!run.session.isFinished)
        try run.type("f")
        try run.send("\u{1B}[200~odd\r\u{1B}[201~")
        try run.settle()
        #expect(run.content.filter == "odd ")
    }

    @Test("T9 a row with escape sequences, markup and controls reaches the screen as text")
    func evil() throws {
        let rows = [
            ["\u{1B}]52;c;ZXZpbA==\u{7}", "|"], ["\u{1B}[2J\u{1B}[31mred", "|"], ["<b>bold</b>", "|"],
            ["\u{202E}gnp", "|"],
            ["\u{301}mark", "|"], ["a\u{0}b\u{7F}\u{9B}c", "|"],
        ]
        let run = try BrowserRun(MemoryTable(columns: ["text", "end"], rows: rows))
        #expect(run.terminal.emulator.clipboard.isEmpty)
        #expect(run.terminal.emulator.unknown.isEmpty)
        #expect(run.lines[1].contains("␛]52;c;ZXZpbA==␇"))
        #expect(run.lines[3].contains("<b>bold</b>"))
        let columns = run.terminal.emulator.cells[1...6].map { row in row.lastIndex { $0.text == "|" } }
        #expect(Set(columns).count == 1)
    }

    @Test("T8 what follows any cluster is in one column, whatever the terminal joins", arguments: [1, 2])
    func aligned(joined: Int) throws {
        let clusters = [
            "a", "e\u{301}", "한", "\u{1112}\u{1161}\u{11AB}", "漢", "Ａ", "😀", "👩‍👩‍👧", "🇩🇪", "❤", "❤\u{FE0F}",
            "1\u{FE0F}\u{20E3}",
            "👍🏽", "กำ", "क्षि", "\u{200B}", "\u{AD}", "±", "─", "لا", "\u{7}", "\u{1FAE9}", "⌚",
        ]
        let profile =
            joined == 1
            ? ScreenEmulator.Profile() : ScreenEmulator.Profile(family: 2, skinTone: 2, heart: 2, flag: 2)
        let table = MemoryTable(columns: ["cluster", "end"], rows: clusters.map { [$0, "|"] })
        let run = try BrowserRun(table, rows: clusters.count + 2, profile: profile)
        let columns = run.terminal.emulator.cells[1...clusters.count].map { row in
            row.firstIndex { $0.text == "|" }
        }
        #expect(Set(columns).count == 1 && columns[0] != nil)
    }

    @Test("T5 scrolling by one row takes at most 700 bytes, and no change none")
    func bytes() throws {
        let rows = (0..<10_000).map { number in
            [
                "\(number)", "name \(number * 7_919 % 10_007)", "\(number * 31 % 977)",
                String(repeating: "lorem ipsum ", count: 9),
            ]
        }
        let table = MemoryTable(columns: ["id", "name", "value", "text"], rows: rows)
        let run = try BrowserRun(table, columns: 120, rows: 40, colors: .trueColor)
        try run.type(":5000\r")
        _ = run.terminal.takeWrites()
        for _ in 0..<20 {
            try run.type("j")
            let writes = run.terminal.takeWrites()
            #expect(writes.count == 1)
            #expect(writes.joined().count <= 700)
        }
        try run.mouse(65, column: 5, row: 5)
        #expect(run.terminal.takeWrites().joined().count <= 1_500)
        try run.turn()
        #expect(run.terminal.takeWrites().isEmpty)
    }

    @Test("T13 V18 marks and the focus of the user ask the delegate, in a view made elsewhere")
    func delegate() throws {
        final class Rows: CollectionViewDataSource, CollectionViewDelegate {
            var calls: [String] = []
            func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int
            { 5 }
            func collectionView(_ collectionView: CollectionView, cellForItemAt indexPath: IndexPath) throws
                -> Cell
            { try collectionView.dequeueReusableCell(withReuseIdentifier: "n", for: indexPath) }
            func collectionView(_ collectionView: CollectionView, shouldSelectItemAt indexPath: IndexPath)
                -> Bool
            { indexPath.item != 1 }
            func collectionView(_ collectionView: CollectionView, didSelectItemAt indexPath: IndexPath) {
                calls.append("+\(indexPath.item)")
            }
            func collectionView(_ collectionView: CollectionView, didDeselectItemAt indexPath: IndexPath) {
                calls.append("-\(indexPath.item)")
            }
            func collectionView(_ collectionView: CollectionView, canFocusItemAt indexPath: IndexPath) -> Bool
            { indexPath.item != 4 }
        }
        let rows = Rows()
        let view = CollectionView(frame: .zero, collectionViewLayout: ListLayout())
        view.register(Cell.self, forCellWithReuseIdentifier: "n")
        view.dataSource = rows
        view.delegate = rows
        let browser = TerminalBrowser(view: view, content: TitledContent(title: "rows"))
        let terminal = RecordedTerminal(columns: 70, rows: 8)
        let session = TerminalSession(browser, device: terminal, clock: TestClock(), colors: .none)
        try session.begin()
        func type(_ keys: String) throws {
            terminal.input += Array(keys.utf8)
            repeat { try session.turn([]) } while session.isWriting
        }
        // One row at a time, as in UIKit, and not the second one.
        try type("g   ")
        #expect(rows.calls == ["+0", "-0", "+2"])
        try type("*")
        #expect(terminal.emulator.lines[7].contains("only one row can be marked"))
        view.allowsMultipleSelection = true
        rows.calls = []
        try type("gvG")
        #expect(view.focusedIndexPath?.item == 0)
        try type("jjjv")
        #expect(rows.calls == ["+0", "+3"])
        rows.calls = []
        try type("*")
        #expect(rows.calls == ["+4", "-0", "-2", "-3"])
    }

    @Test("T13 a view made elsewhere is browsed without a table")
    func view() throws {
        final class Numbers: CollectionViewDataSource {
            func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int
            { 50 }
            func collectionView(_ collectionView: CollectionView, cellForItemAt indexPath: IndexPath) throws
                -> Cell
            {
                let cell = try collectionView.dequeueReusableCell(withReuseIdentifier: "n", for: indexPath)
                cell.content.text = StyledText("number \(indexPath.item)")
                cell.content.secondaryText = StyledText("right")
                return cell
            }
        }
        let numbers = Numbers()
        let view = CollectionView(frame: .zero, collectionViewLayout: ListLayout())
        view.register(Cell.self, forCellWithReuseIdentifier: "n")
        view.dataSource = numbers
        let browser = TerminalBrowser(view: view, content: TitledContent(title: "numbers"))
        let terminal = RecordedTerminal(columns: 40, rows: 6)
        let session = TerminalSession(browser, device: terminal, clock: TestClock(), colors: .none)
        try session.begin()
        terminal.input += Array("jjG o".utf8)
        try session.turn([])
        try session.turn([])
        #expect(terminal.emulator.lines[4].hasPrefix("* number 49"))
        #expect(terminal.emulator.lines[4].hasSuffix("right"))
        #expect(terminal.emulator.lines[5].contains("this view has no columns"))
    }

    @Test("a terminal shows the background of a view without rows, without the marks of a section")
    func background() throws {
        final class Numbers: CollectionViewDataSource {
            var count = 0
            func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { count }
            func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) throws -> Cell {
                let cell = try view.dequeueReusableCell(withReuseIdentifier: "n", for: path)
                cell.content.text = StyledText("number \(path.item)")
                return cell
            }
        }
        let numbers = Numbers()
        let view = CollectionView(frame: .zero, collectionViewLayout: ListLayout())
        view.register(Cell.self, forCellWithReuseIdentifier: "n")
        view.dataSource = numbers
        let label = ReusableView()
        label.content.text = "no rows"
        view.backgroundView = label
        let browser = TerminalBrowser(view: view, content: TitledContent(title: "numbers"))
        let terminal = RecordedTerminal(columns: 40, rows: 6)
        let session = TerminalSession(browser, device: terminal, clock: TestClock(), colors: .none)
        try session.begin()
        try session.turn([])
        #expect(terminal.emulator.lines.contains { $0.trimmingCharacters(in: .whitespaces) == "no rows" })
        numbers.count = 9
        view.reloadData()
        try session.turn([])
        #expect(terminal.emulator.lines.contains { $0.hasSuffix("number 0") })
        #expect(!terminal.emulator.lines.contains { $0.contains("no rows") })
    }
}
