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
}
