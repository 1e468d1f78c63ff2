import CTerminal
import CollectionViews
import DataSources
import Foundation
import TestSupport
import Testing

@testable import TerminalViews

@Suite("Rows that are not drawn again")
struct DrawnElementsTests {
    private static let fields = [
        "plain", "Zürich", "漢字かな", "e\u{301}", "👩\u{200D}👩\u{200D}👧", "❤\u{FE0F}", "tab\there",
        "\u{1B}]52;c;x",
        "a long field that is cut somewhere", "", "Ω and Я", "🇩🇪",
    ]
    private static let keys = [
        "j", "k", "\u{4}", "\u{15}", "g", "G", "h", "l", "$", "0", " ", "v", "*", "u", "_", "o", "b", "[",
        "]", "\t",
        "/odd\r", "/\u{1B}", "fname\r", "f\u{15}\r", "\u{1B}", "m", "\r", "n",
    ]

    private func field(_ numbers: inout SeededGenerator) -> String {
        Self.fields.randomElement(using: &numbers) ?? ""
    }

    private func row(_ number: Int, _ numbers: inout SeededGenerator) -> [String] {
        ["\(number)", "name \(field(&numbers))", number % 2 == 0 ? "even" : "odd", field(&numbers)]
    }

    /// Changes something that a frame depends on.
    private func step(_ run: BrowserRun, _ table: MemoryTable, _ numbers: inout SeededGenerator) throws {
        switch Int.random(in: 0..<12, using: &numbers) {
        case 0..<7: try run.send(Self.keys.randomElement(using: &numbers) ?? "j")
        case 7:
            let number = Int.random(in: 0..<60, using: &numbers)
            table.change(setting: [number: .some(row(number, &numbers))])
        case 8: table.change(inserting: [row(1_000, &numbers)])
        case 9: run.clock.advance(by: .milliseconds(Int.random(in: 0...500, using: &numbers)))
        case 10:
            let (columns, rows) = ([20, 41, 60, 90].randomElement(using: &numbers) ?? 60, [5, 10, 17])
            run.terminal.emulator.resize(
                columns: columns,
                rows: rows.randomElement(using: &numbers) ?? 10
            )
            try run.session.turn(.resized)
        default:
            run.browser.text.widths = ClusterWidths(
                measured: (0..<4).map { _ in Int.random(in: 1...4, using: &numbers) }
            )
            if Bool.random(using: &numbers) { run.browser.text.removeAll() }
        }
        if Bool.random(using: &numbers) { try run.settle() } else { try run.turn() }
    }

    @Test("T4 rows that are kept look as rows that are drawn again, after any change", arguments: 0..<12)
    func keptEqualsDrawn(part: Int) throws {
        var numbers = SeededGenerator.fromEnvironment()
        for _ in 0...part { _ = numbers.next() }
        let table = MemoryTable(
            columns: ["id", "name", "kind", "text"],
            rows: (0..<60).map { row($0, &numbers) }
        )
        let run = try BrowserRun(table, colors: .ansi)
        for number in 0..<repetitions(40, underStress: 120) {
            try step(run, table, &numbers)
            let kept = run.browser.makeScreen()
            run.browser.drawn = DrawnElements()
            #expect(kept == run.browser.makeScreen(), "step \(number), \(numbers.origin)")
        }
    }

    @Test("T4 a cell that a program changes is drawn again, and an equal one may be")
    func changedCell() throws {
        let run = try BrowserRun(count: 20)
        let cell = try #require(run.browser.view.cellForItem(at: IndexPath(item: 2, section: 0)))
        cell.content.text = "another text"
        try run.turn()
        #expect(run.names[2] == "another text")
        cell.content.accessories = [.label("label")]
        try run.turn()
        #expect(run.names[2] == "another text label")
    }

    @Test("T5 scrolling by a row draws the rows that are new or lose and get the focus, a page its rows")
    func drawnRows() throws {
        let run = try BrowserRun(MemoryTable(count: 1_000), columns: 120, rows: 40)
        try run.type(":500\r")
        let drawn = run.browser.drawn.drawnRows
        for _ in 0..<100 { try run.type("j") }
        #expect(run.browser.drawn.drawnRows - drawn <= 200)
        let before = run.browser.drawn.drawnRows
        try run.send("\u{C}")
        try run.send("\u{1B}[I")
        #expect(run.browser.drawn.drawnRows == before)
        try run.send("\u{6}")
        #expect(run.browser.drawn.drawnRows - before <= 40)
    }

    @Test("T8 the widths that need no library are those of the library")
    func widths() {
        for value in UInt32(0x20)..<0x1_0000 {
            guard let scalar = Unicode.Scalar(value), CodePointWidth.isCertain(scalar) else { continue }
            #expect(CodePointWidth.of(scalar) == Int(CTerminal_width(value)), "U+\(String(value, radix: 16))")
        }
    }

    @Test("T8 code points of certain width are clusters by themselves, in any order")
    func certainClusters() {
        var numbers = SeededGenerator.fromEnvironment()
        let certain = (UInt32(0x20)..<0x1_0000).compactMap(Unicode.Scalar.init)
            .filter(CodePointWidth.isCertain)
        for _ in 0..<2_000 {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<8 { scalars.append(certain.randomElement(using: &numbers) ?? " ") }
            #expect(String(scalars).count == 8, "\(scalars.map(\.value)) \(numbers.origin)")
        }
    }

    @Test("T9 a string is fitted as it would be cell by cell, ASCII or not")
    func fitting() {
        let text = TerminalText()
        for count in 0...7 {
            for cells in 0...7 {
                for alignment in [TerminalText.Alignment.leading, .trailing] {
                    // A letter of another script is not fitted as ASCII is.
                    let ascii = text.fitted(String(repeating: "x", count: count), to: cells, alignment)
                    let other = text.fitted(String(repeating: "Ω", count: count), to: cells, alignment)
                    #expect(ascii == other.replacing("Ω", with: "x"))
                    #expect(text.width(of: ascii) == cells)
                }
            }
        }
    }
}
