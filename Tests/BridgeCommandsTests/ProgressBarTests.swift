import BridgeTesting
import CollectionViews
import Testing

@testable import BridgeCommands

@Suite struct ProgressBarTests {
    private let half = ProgressBar.State(label: "list.csv", done: 50, total: 100, rows: 1234)

    @Test("a bar shows name, part, percentage and rows, and leaves the last column free")
    func line() {
        let line = ProgressBar.line(half, columns: 60)
        #expect(line == "list.csv  [#############.............]  50%  1,234 rows")
        for columns in 0...200 {
            #expect(ProgressBar.line(half, columns: columns).count <= max(0, columns - 1))
        }
    }

    @Test("a bar keeps its length while the count of rows grows")
    func steady() {
        let lengths = [0, 1, 999, 28_298, 1_234_567].map { rows in
            let state = ProgressBar.State(label: "list.csv", done: rows, total: 2_000_000, rows: rows)
            return ProgressBar.line(state, columns: 60).count { "#.".contains($0) }
        }
        #expect(Set(lengths).count == 1)
    }

    @Test(
        "a narrow terminal drops the rows first, then the bar, letters of the name, and the percentage last"
    )
    func narrow() {
        #expect(ProgressBar.line(half, columns: 40) == "list.csv  [###########...........]  50%")
        #expect(ProgressBar.line(half, columns: 25) == "list.csv  50%")
        #expect(ProgressBar.line(half, columns: 12) == "lis...  50%")
        #expect(ProgressBar.line(half, columns: 6) == "  50%")
        #expect(ProgressBar.line(half, columns: 4) == "50%")
        #expect(ProgressBar.line(half, columns: 1).isEmpty)
    }

    @Test("a name is cut by its width on the terminal, not by its number of characters")
    func width() {
        let wide = ProgressBar.State(label: "空港一覧表.csv", done: 1, total: 2, rows: 5)
        #expect(ProgressBar.line(wide, columns: 80).hasPrefix("空港一覧表.csv  ["))
        #expect(ProgressBar.line(wide, columns: 15) == "空港一...  50%")
    }

    @Test("the percentage is 100 only at the end, and a file without a known size shows its rows")
    func percentage() {
        func line(_ done: Int, _ total: Int?) -> String {
            ProgressBar.line(ProgressBar.State(label: "x", done: done, total: total, rows: 7), columns: 80)
        }
        #expect(line(0, 1000).contains("]   0%  7 rows"))
        #expect(line(999, 1000).contains("]  99%  7 rows"))
        #expect(line(1000, 1000).contains("#] 100%  7 rows"))
        #expect(line(1001, 1000).contains("#] 100%  7 rows"))
        #expect(line(10, nil) == "x  7 rows")
        #expect(line(10, 0) == "x  7 rows")
    }

    @Test("a bar is drawn at most 20 times a second")
    func rate() {
        var bar = ProgressBar()
        let drawings = (0..<1000).compactMap { bar.drawing(of: half, columns: 80, at: .milliseconds($0)) }
        #expect(drawings.count == 20)
        #expect(drawings.allSatisfy { $0.hasPrefix("\r\u{1B}[K") && !$0.contains("\n") })
    }

    @Test(
        "counts have commas between thousands",
        arguments: [
            (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (28_298, "28,298"), (1_000_000, "1,000,000"),
            (-1234, "-1,234"),
        ]
    )
    func grouping(number: Int, text: String) {
        #expect(Grouped.text(number) == text)
    }

    private func output(
        _ record: WrittenText,
        columns: Int?,
        _ clock: ManualClock = ManualClock()
    ) -> CommandOutput {
        CommandOutput(
            output: TestOutput(stream: .output, record: record, terminalColumns: nil),
            errorOutput: TestOutput(stream: .error, record: record, terminalColumns: columns),
            clock: clock
        )
    }

    @Test("a bar is erased before other lines, and at the end of the import")
    func erasing() throws {
        let record = WrittenText()
        let clock = ManualClock()
        let output = output(record, columns: 60, clock)
        output.showImport(half)
        try output.print("a line")
        clock.advance(by: .milliseconds(50))
        output.showImport(half)
        output.showImport(half, end: .done)
        output.printError("the end")
        let line = ProgressBar.line(half, columns: 60)
        #expect(
            record.writes.map(\.text) == [
                "\r\u{1B}[K" + line, "\r\u{1B}[K", "a line\n", "\r\u{1B}[K" + line, "\r\u{1B}[K", "the end\n",
            ]
        )
        #expect(record.writes.map(\.stream) == [.error, .error, .output, .error, .error, .error])
    }

    @Test("without a terminal an import writes one line when it succeeds, and none when it fails")
    func plain() {
        let record = WrittenText()
        let clock = ManualClock()
        let output = output(record, columns: nil, clock)
        output.showImport(half)
        clock.advance(by: .milliseconds(1250))
        output.showImport(half)
        output.showImport(half, end: .done)
        output.showImport(half)
        output.showImport(half, end: .failed)
        #expect(record.writes.map(\.text) == ["list.csv: 1,234 rows in 1.25 s\n"])
    }
}
