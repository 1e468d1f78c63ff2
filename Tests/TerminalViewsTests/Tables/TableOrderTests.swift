import DataSources
import Foundation
import Testing

@testable import TerminalViews

@Suite("Order of tables")
struct TableOrderTests {
    /// Returns the values of a column, one row each, as they are shown.
    private func sorted(_ values: [String], isDescending: Bool = false) throws -> [String] {
        let table = MemoryTable(columns: ["value"], rows: values.map { [$0] })
        let order = TableOrder(sortColumn: 0, isDescending: isDescending)
        let made = try #require(
            try TableArrangement.make(order, of: table, count: values.count) { false }
        )
        return made.rows.map { values[Int($0)] }
    }

    @Test(
        "strings are sorted without regard to case and diacritics, equal ones by code point, empty ones last"
    )
    func strings() throws {
        let values = ["z", "B", "", "é", "a", "Z", "ä", "b", "A", "d"]
        #expect(try sorted(values) == ["A", "a", "ä", "B", "b", "d", "é", "Z", "z", ""])
        #expect(try sorted(values, isDescending: true) == ["z", "Z", "é", "d", "b", "B", "ä", "a", "A", ""])
        #expect(
            try sorted(["Zug", "Łódź", "ma", "straße", "Strasse", "Stras"]) == [
                "Łódź", "ma", "Stras", "Strasse", "straße", "Zug",
            ]
        )
        // Composed and decomposed letters, kana, and both Greek sigmas.
        #expect(try sorted(["f", "e\u{301}", "\u{E9}a", "E"]) == ["E", "e\u{301}", "\u{E9}a", "f"])
        #expect(try sorted(["き", "が", "か"]) == ["か", "が", "き"])
        #expect(try sorted(["ΛΟΓΟΣΑ", "λογος", "λογοσβ"]) == ["λογος", "ΛΟΓΟΣΑ", "λογοσβ"])
        let long = ["a long beginning", "A long beginning and x", "a long beginning and Y", "a long"]
        #expect(try sorted(long) == ["a long"] + long.prefix(3))
    }

    @Test("numbers come by value before other strings, if most values are numbers")
    func numbers() throws {
        let values = ["10", "9", "", "1,000", "NaN", "2", "-1", "1e3", "-inf"]
        #expect(try sorted(values) == ["-inf", "-1", "2", "9", "10", "1e3", "1,000", "NaN", ""])
        #expect(
            try sorted(values, isDescending: true) == [
                "NaN", "1,000", "1e3", "10", "9", "2", "-1", "-inf", "",
            ]
        )
        #expect(try sorted(["10", "9", "b", "a", "c"]) == ["10", "9", "a", "b", "c"])
        // Equal numbers keep the order of the source in both directions.
        #expect(try sorted(["1.0", "-0", "1", "0"]) == ["-0", "0", "1.0", "1"])
        #expect(try sorted(["1.0", "-0", "1", "0"], isDescending: true) == ["1.0", "1", "-0", "0"])
    }

    @Test(
        "groups are in the order of their column, which a sort by it reverses; another sort orders their rows"
    )
    func groups() throws {
        let rows = (1...24).map { ["\($0 % 12 + 1)", "\($0)"] } + [["", "x"], ["n/a", "x"]]
        let table = MemoryTable(columns: ["number", "value"], rows: rows)
        /// Returns the titles of the groups, and the values of the first two rows.
        func arranged(_ sortColumn: Int?, isDescending: Bool = false) throws -> [[String]] {
            let order = TableOrder(sortColumn: sortColumn, isDescending: isDescending, groupColumn: 0)
            let made = try #require(
                try TableArrangement.make(order, of: table, count: rows.count) { false }
            )
            let groups = try #require(made.groups)
            #expect(groups.map(\.range.count).reduce(0, +) == rows.count)
            for group in groups {
                #expect(made.rows[group.range].allSatisfy { rows[Int($0)][0] == group.title })
            }
            return [groups.map(\.title), made.rows.prefix(2).map { rows[Int($0)][1] }]
        }
        let numbers = (1...12).map { "\($0)" }
        let ascending = numbers + ["n/a", ""]
        #expect(try arranged(nil) == [ascending, ["12", "24"]])
        #expect(try arranged(0) == [ascending, ["12", "24"]])
        #expect(try arranged(0, isDescending: true) == [["n/a"] + numbers.reversed() + [""], ["x", "11"]])
        #expect(try arranged(1) == [ascending, ["12", "24"]])
        #expect(try arranged(1, isDescending: true) == [ascending, ["24", "12"]])
    }

    @Test("T13 o on the grouped column reverses the groups, and a restored state has the same order")
    func groupKeys() throws {
        let rows = (1...12).map { ["\($0)"] }
        func titles(_ run: BrowserRun) -> [String]? { run.content.rows.groups?.map(\.title) }
        let run = try BrowserRun(MemoryTable(columns: ["number"], rows: rows))
        try run.type("b")
        try run.settle()
        #expect(titles(run) == rows.map { $0[0] })
        try run.type("oo")
        try run.settle()
        #expect(titles(run) == rows.reversed().map { $0[0] })
        let state = try #require(try run.browser.savedState())
        let next = try BrowserRun(MemoryTable(columns: ["number"], rows: rows))
        #expect(next.browser.restore(state))
        try next.settle()
        #expect(titles(next) == rows.reversed().map { $0[0] })
        try next.type("o")
        try next.settle()
        #expect(titles(next) == rows.map { $0[0] })
    }
}
