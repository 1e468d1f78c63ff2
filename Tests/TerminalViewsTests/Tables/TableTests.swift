import CollectionViews
import DataSources
import Foundation
import Stores
import StoresSQLite
import Synchronization
import TestSupport
import Testing

@testable import TerminalViews

@Suite("Tables")
struct TableTests {
    private func item(_ item: Int) -> IndexPath { IndexPath(item: item, section: 0) }

    @Test("T14 the first frame shows rows before the source has counted, and typing does not wait for work")
    func firstFrame() throws {
        let run = try BrowserRun(MemoryTable(count: 50_000), isLoaded: false)
        #expect(run.names.first == "0 name 0 even")
        #expect(run.status.contains("/64+"))
        try run.type("jj/name 4999")
        #expect(run.status.contains("/name 4999"))
        try run.send("\r")
        try run.type("G")
        #expect(run.focus == item(63))
        try run.settle()
        // The end was wanted before it was known.
        #expect(run.focus == item(49_999))
        #expect(run.status.contains("50,000/50,000"))
        #expect(run.content.matches?.count == 15)
        #expect(run.content.matches?.isComplete == true)
    }

    @Test("T14 rows that are found later change neither focus nor place")
    func growth() throws {
        let run = try BrowserRun(MemoryTable(count: 5_000), isLoaded: false)
        try run.type(":40\r")
        let before = (run.focus, run.focusedLine, run.names)
        try run.settle()
        #expect(run.focus == before.0)
        #expect(run.focusedLine == before.1)
        #expect(run.names == before.2)
    }

    @Test("T14 an order that is chosen while rows are found includes all of them")
    func sortWhileLoading() throws {
        let run = try BrowserRun(MemoryTable(count: 5_000), isLoaded: false)
        try run.type("oo")
        try run.settle()
        try run.type("g")
        #expect(run.names.first == "4999 name 4999 odd")
        #expect(run.status.contains("/5,000"))
    }

    @Test("T15 a sort ends although each commit comes before the end of one")
    func sortDuringCommits() throws {
        let table = MemoryTable(count: 300)
        let run = try BrowserRun(table)
        try run.type("oo")
        // The ascending order, which the second key has cancelled.
        run.work.runFirst()
        for round in 0..<20 {
            // The change is known before the work is done that was begun by the one before.
            table.change(
                inserting: [["\(1_000 + round)", "new \(round)", "odd"]],
                setting: [round: nil, 299 - round: ["\(2_000 + round)", "moved", "odd"]]
            )
            try run.turn()
            run.work.runFirst()
            try run.turn()
            try run.type("g")
            // The last sort saw all changes but this one at most, and no row of it is deleted.
            let first = Int(run.names.first?.prefix { $0 != " " } ?? "") ?? 0
            #expect(first >= 1_999 + round, "round \(round): \(run.names.first ?? "")")
            #expect(!(0..<run.content.rows.total).contains { run.content.fields(at: item($0)).isEmpty })
        }
        try run.settle()
        let numbers = (0..<run.content.rows.total).map { Int(run.content.fields(at: item($0))[0]) ?? 0 }
        #expect(numbers.count == 300)
        #expect(numbers == numbers.sorted(by: >))
    }

    @Test("T15 a search ends although each commit comes before the end of one, and keeps its matches")
    func searchDuringCommits() throws {
        let table = MemoryTable(count: 10_000)
        let run = try BrowserRun(table)
        try run.type("/odd\r")
        // The searches for one letter and for two, which were cancelled.
        for _ in 0..<2 { run.work.runFirst() }
        for round in 0..<20 {
            table.change(setting: [2 * round: ["\(2 * round)", "changed", "odd"]])
            try run.turn()
            run.work.runFirst()
            try run.turn()
            #expect(run.content.matches.map { $0.count >= 5_000 + round } == true, "round \(round)")
        }
        try run.settle()
        #expect(run.content.matches?.count == 5_020)
        #expect(run.content.matches?.isComplete == true)
        table.change(setting: [1: ["1", "changed", "even"]])
        try run.settle()
        #expect(run.content.matches?.count == 5_019)
    }

    @Test("T15 rows of a group that are deleted while rows are grouped are not shown, nor is an empty group")
    func deletionDuringGrouping() throws {
        let table = MemoryTable(columns: ["kind"], rows: [["a"], ["b"], ["a"], ["c"], ["b"]])
        let run = try BrowserRun(table)
        try run.type("b")
        table.change(setting: [0: nil, 3: nil])
        try run.turn()
        run.work.runFirst()
        try run.turn()
        #expect(run.content.rows.groups?.map(\.title) == ["a", "b"])
        #expect(run.content.rows.groups?.map(\.range) == [0..<1, 1..<3])
        #expect(run.content.rows.arrangement?.rows == [2, 1, 4])
    }

    @Test("T14 a new query cancels the one before")
    func cancelled() throws {
        let run = try BrowserRun(MemoryTable(count: 5_000))
        try run.type("fodd")
        try run.type("\u{15}even")
        try run.settle()
        #expect(run.names.first == "0 name 0 even")
        #expect(run.status.contains("/2,500"))
    }

    @Test("T15 new and changed rows are marked for 400 ms")
    func marks() throws {
        let table = MemoryTable(count: 5)
        let run = try BrowserRun(table, colors: .ansi)
        table.change(inserting: [["5", "name 5", "odd"]], setting: [2: ["2", "other", "even"]])
        try run.turn()
        #expect(run.lines[3].hasPrefix("~"))
        #expect(run.lines[3].contains("other"))
        #expect(run.lines[6].hasPrefix("+"))
        run.clock.advance(by: .milliseconds(399))
        try run.turn()
        #expect(run.lines[3].hasPrefix("~"))
        run.clock.advance(by: .milliseconds(1))
        try run.turn()
        #expect(!run.lines[3].hasPrefix("~"))
        #expect(!run.lines[6].hasPrefix("+"))
    }

    @Test("T15 without marks a change of one cell is a small frame")
    func still() throws {
        let table = MemoryTable(count: 500)
        let run = try BrowserRun(table, columns: 120, rows: 40, colors: .trueColor)
        run.content.marksChanges = false
        _ = run.terminal.takeWrites()
        table.change(setting: [2: ["2", "name X", "even"]])
        try run.turn()
        #expect(run.lines[3].contains("name X"))
        #expect(run.terminal.takeWrites().joined().count <= 60)
    }

    @Test("T15 changes never scroll the focused row away")
    func focusStays() throws {
        var numbers = SeededGenerator.fromEnvironment()
        for keys in ["", "o", "oo", "fname\r", "$b"] {
            let table = MemoryTable(count: 400)
            let run = try BrowserRun(table, colors: .ansi)
            try run.type(keys)
            try run.settle()
            try run.type(":200\rkkk")
            let number = try #require(run.focus.flatMap { run.content.number(at: $0) })
            let line = run.focusedLine
            for round in 0..<30 {
                var set: [Int: [String]?] = [:]
                for _ in 0..<5 {
                    let row = Int.random(in: 0..<400, using: &numbers)
                    if row != number {
                        set[row] = .some(round % 2 == 0 ? nil : ["\(row)", "name z\(row)", "odd"])
                    }
                }
                table.change(inserting: [["-\(round)", "name a\(round)", "even"]], setting: set)
                try run.settle()
                #expect(
                    run.focus.flatMap { run.content.number(at: $0) } == number,
                    "\(keys) \(numbers.origin)"
                )
                #expect(run.focusedLine == line, "\(keys) \(numbers.origin)")
            }
        }
    }

    @Test("T15 a row that is moved by keys is not lost by a change")
    func moveAndChange() throws {
        let table = MemoryTable(count: 10)
        let run = try BrowserRun(table)
        try run.type("mj")
        table.change(inserting: [["10", "name 10", "even"]])
        try run.turn()
        try run.send("\r")
        try run.turn()
        #expect(run.names.prefix(2) == ["1 name 1 odd", "0 name 0 even"])
        #expect(run.status.contains("/11"))
    }

    // MARK: - Files and stores

    private func withFile(
        _ content: String,
        encoding: String.Encoding = .utf8,
        _ body: (String) throws -> Void
    ) throws {
        let path = NSTemporaryDirectory() + "table-\(UUID().uuidString).csv"
        try content.write(toFile: path, atomically: true, encoding: encoding)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    @Test("T14 a file is read in any order, with quotes, line ends and blank lines in it")
    func file() throws {
        var content = "id,text\n"
        for number in 0..<1_000 {
            content += "\(number),\"line \(number)\r\nwith \"\"quotes\"\", and more\"\n"
            if number % 7 == 0 { content += "\n" }
        }
        try withFile(content) { path in
            let table = try CSVTable(path: path)
            #expect(table.firstRowCount == 64)
            #expect(try table.row(63)[0] == "63")
            var count = 0
            try table.load {
                count = $0.rowCount
                return true
            }
            #expect(count == 1_000)
            for number in [999, 0, 500, 64, 63, 128] {
                #expect(
                    try table.row(number) == ["\(number)", "line \(number)\r\nwith \"quotes\", and more"]
                )
            }
            var scanned: [Int] = []
            try table.scan(130..<135) { number, fields in
                scanned.append(number)
                #expect(fields.string(0) == "\(number)")
                return true
            }
            #expect(scanned == [130, 131, 132, 133, 134])
            #expect(try table.row(1_000).isEmpty)
        }
    }

    @Test("T14 malformed records are shown as they are, and the status says how many there are")
    func malformed() throws {
        try withFile("a;b\n1;2\nab\"c\"d;4\n5;\"unclosed\n6;7\n") { path in
            let table = try CSVTable(path: path)
            #expect(table.firstRowCount == 3)
            let run = try BrowserRun(table, columns: 200)
            try run.settle()
            #expect(run.names.prefix(2) == ["1 2", "ab\"c\"d 4"])
            #expect(try table.row(2) == ["5", "unclosed\n6;7\n"])
            #expect(run.status.contains("2 malformed records, first in line 3"))
            #expect(run.status.contains("/3"))
        }
        try withFile("a,b\n1,2\nM\u{FC}ller,3\n", encoding: .isoLatin1) { path in
            let run = try BrowserRun(try CSVTable(path: path), columns: 200)
            try run.settle()
            #expect(run.names == ["1 2", "M\u{FFFD}ller 3"])
            #expect(run.status.contains("1 malformed record, in line 3 (not UTF-8)"))
            try run.type("/ller")
            try run.settle()
            try run.type("\r")
            #expect(run.focus == item(1))
            try run.type("f\u{FFFD}\r")
            try run.settle()
            #expect(run.names == ["M\u{FFFD}ller 3"])
        }
        try withFile("a,b\n1,\"2\"\n") { path in
            let run = try BrowserRun(try CSVTable(path: path), columns: 200)
            try run.settle()
            #expect(!run.status.contains("malformed"))
        }
    }

    @Test(
        "T14 a file in UTF-16 with a byte order mark is read in any order",
        arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian]
    )
    func utf16(_ encoding: String.Encoding) throws {
        var content = "\u{FEFF}id\ttext\r\n"
        for number in 0..<3_000 {
            content += "\(number)\t\"Zürich 漢 😀\t\(number)\r\n\"\"x\"\"\"\r\n"
            if number % 7 == 0 { content += "\r\n" }
        }
        try withFile(content, encoding: encoding) { path in
            let table = try CSVTable(path: path)
            #expect(table.columns == [TableColumn("id"), TableColumn("text")])
            var last = TableLoad(rowCount: 0)
            try table.load {
                last = $0
                return true
            }
            #expect(last.rowCount == 3_000 && last.notice == nil)
            #expect(last.progress.map { $0 > 0.99 && $0 <= 1 } == true)
            for number in [2_999, 0, 500, 64, 63, 1_728] {
                #expect(try table.row(number) == ["\(number)", "Zürich 漢 😀\t\(number)\r\n\"x\""])
            }
            var scanned: [String] = []
            try table.scan(2_000..<2_003) { _, fields in
                scanned.append(fields.string(0))
                return true
            }
            #expect(scanned == ["2000", "2001", "2002"])
        }
    }

    @Test("T14 halves of pairs and of units of UTF-16 are shown as malformed records")
    func malformedUTF16() throws {
        let path = NSTemporaryDirectory() + "table-\(UUID().uuidString).csv"
        defer { try? FileManager.default.removeItem(atPath: path) }
        var units = Array("\u{FEFF}a\nx".utf16) + [0xD83D] + Array("y\n".utf16) + [0xDE00, 0x0A]
        units += Array("😀\nz".utf16) + [0xD83D]
        for rest in [[], [UInt8(7)]] {
            let bytes = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } + rest
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let run = try BrowserRun(try CSVTable(path: path), columns: 200)
            try run.settle()
            #expect(run.names == ["x\u{FFFD}y", "\u{FFFD}", "😀", "z\u{FFFD}"])
            #expect(run.status.contains("3 malformed records, first in line 2 (not UTF-16)"))
        }
    }

    @Test("T14 the rows of a file that has become shorter say so")
    func shorterFile() throws {
        try withFile("id\n" + (0..<200).map { "\($0)\n" }.joined()) { path in
            let table = try CSVTable(path: path)
            try table.load { _ in true }
            try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: 280)
            #expect(try table.row(70) == ["70"])
            for _ in 0..<2 {
                let error = #expect(throws: StoreError.self) { try table.row(100) }
                #expect(error?.message.hasSuffix("has become shorter since it was opened") == true)
            }
        }
    }

    @Test("T14 empty lines before the names are left out, and a column without a name has its number")
    func columnNames() throws {
        try withFile("\n\r\na;;a;\n1;2;3;4\n") { path in
            let run = try BrowserRun(try CSVTable(path: path), columns: 100)
            try run.settle()
            #expect(run.lines[0].split(separator: " ") == ["a", "column", "2", "a", "column", "4"])
            #expect(run.names == ["1 2 3 4"])
            try run.type("lo")
            try run.settle()
            #expect(run.status.contains("sorted by column 2"))
        }
        // The separator is that of the names, also after a byte order mark.
        try withFile("\u{FEFF}\n\na;b\n1;2\n") { path in
            let run = try BrowserRun(try CSVTable(path: path), columns: 100)
            try run.settle()
            #expect(run.lines[0].split(separator: " ") == ["a", "b"])
        }
    }

    @Test("T14 a file that is not a table is refused with the reason")
    func notATable() throws {
        func reason(_ content: String, _ encoding: String.Encoding = .utf8) throws -> String {
            var message = ""
            try withFile(content, encoding: encoding) { path in
                let error = #expect(throws: StoreError.self) { try CSVTable(path: path) }
                message = error?.message ?? ""
            }
            return message
        }
        #expect(try reason("\u{7F}ELF\0\0,\n").contains("it has bytes of value 0, like a binary file"))
        #expect(try reason("\u{FEFF}a,b\n1,2\n", .utf32LittleEndian).contains("like a binary file, UTF-32"))
        #expect(try reason("a,b\n1,2\n", .utf16LittleEndian).contains("or UTF-16 without a byte order mark"))
        #expect(try reason("").contains("it has no column names"))
        #expect(try reason("\u{FEFF}", .utf16BigEndian).contains("it has no column names"))
        #expect(try reason("\r\n\r\n").contains("it has no column names"))
        #expect(throws: StoreError.self) { try CSVTable(path: "/nowhere/file.csv") }
        #expect(throws: StoreError.self) { try CSVTable(path: "/") }
        try withFile("") { path in #expect(throws: StoreError.self) { try CSVTable(path: path) } }
        try withFile("only,names\n") { path in
            let run = try BrowserRun(try CSVTable(path: path))
            try run.type("jkGg /x\ro")
            #expect(run.lines[0].contains("only"))
        }
    }

    @Test("T14 T15 the rows of an entity, and commits while it is shown")
    func store() throws {
        let store = try SQLiteStore(location: .memory)
        try store.createEntity(
            EntityDescription(name: "person", attributes: [.init("name", .string), .init("age", .integer)])
        )
        var ids: [RowID] = []
        try store.write { transaction in
            for number in 0..<200 {
                ids.append(
                    try transaction.insert(
                        into: "person",
                        [
                            "name": .string("p\(number)"),
                            "age": number % 3 == 0 ? .null : .integer(Int64(number)),
                        ]
                    )
                )
            }
        }
        let run = try BrowserRun(try StoreTable(store: store, entityName: "person"), colors: .ansi)
        #expect(run.status.contains("1/200"))
        #expect(run.names.prefix(2) == ["p0", "p1 1"])
        try store.write { transaction in
            try transaction.update("person", id: ids[1], ["name": .string("changed")])
            _ = try transaction.delete(from: "person", id: ids[0])
            try transaction.insert(into: "person", ["name": .string("new")])
        }
        try run.settle()
        #expect(run.names.first == "changed 1")
        #expect(run.lines[1].hasPrefix("~"))
        try run.type("G")
        #expect(run.names.last == "new")
        #expect(run.status.contains("200/200"))
        #expect(throws: StoreError.self) { try StoreTable(store: store, entityName: "nobody") }
    }

    @Test(
        "T15 commits during the load and before the first observer are reported in order, rows are read meanwhile"
    )
    func commitsDuringLoad() throws {
        let path = NSTemporaryDirectory() + "store-\(UUID().uuidString).db"
        defer {
            for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
        }
        let store = try SQLiteStore(location: .file(path))
        try store.createEntity(EntityDescription(name: "n", attributes: [.init("value", .integer)]))
        var ids: [RowID] = []
        try store.write { transaction in
            for number in 0..<5_000 {
                ids.append(try transaction.insert(into: "n", ["value": .integer(Int64(number))]))
            }
        }
        let table = try StoreTable(store: store, entityName: "n")
        var isCommitted = false
        try table.load { load in
            guard !isCommitted else { return true }
            isCommitted = true
            // Another thread commits while the rows are found, and the rows found so far are read.
            let thread = Thread { [ids] in
                try? store.write { _ = try $0.delete(from: "n", id: ids[0]) }
                try? store.write { _ = try $0.update("n", id: ids[1], ["value": .integer(-1)]) }
            }
            thread.start()
            while !thread.isFinished { usleep(1_000) }
            var count = 0
            #expect(throws: Never.self) {
                try table.scan(4_000..<load.rowCount) { _, _ in
                    count += 1
                    return true
                }
            }
            #expect(count == load.rowCount - 4_000)
            return true
        }
        #expect(isCommitted)
        try store.write { try $0.insert(into: "n", ["value": .integer(7)]) }
        let changes = Mutex<[TableChange]>([])
        let observation = table.observe { change in changes.withLock { $0.append(change) } }
        try store.write { _ = try $0.delete(from: "n", id: ids[2]) }
        withExtendedLifetime(observation) {}
        #expect(
            changes.withLock { $0 } == [
                TableChange(rowCount: 5_000, deleted: [0]), TableChange(rowCount: 5_000, updated: [1]),
                TableChange(rowCount: 5_001, inserted: [5_000]), TableChange(rowCount: 5_001, deleted: [2]),
            ]
        )
        #expect(try table.row(1) == ["-1"])
    }

    @Test("T14 errors have texts for people")
    func errorTexts() {
        #expect((TerminalError("no terminal") as NSError).localizedDescription == "no terminal")
        #expect(throws: RecordingError("/nowhere/a.cast cannot be written: No such file or directory")) {
            try TerminalRecording(path: "/nowhere/a.cast")
        }
        #expect((RecordingError("not written") as NSError).localizedDescription == "not written")
    }

    @Test("T13 a query finds words in any order and case, in one column, and excludes others")
    func query() {
        let columns = ["name", "city"].map { TableColumn($0) }
        func matches(_ query: String, _ fields: [String]) -> Bool {
            RowQuery(query, columns: columns).matches(StringFields(strings: fields))
        }
        #expect(matches("par ada", ["Ada", "Paris"]))
        #expect(!matches("par bob", ["Ada", "Paris"]))
        #expect(!matches("PAR", ["Ada", "Paris"]))
        #expect(matches("Par", ["Ada", "Paris"]))
        #expect(matches("city:par", ["Ada", "Paris"]))
        #expect(!matches("name:par", ["Ada", "Paris"]))
        #expect(!matches("!ada", ["Ada", "Paris"]))
        #expect(matches("zür", ["x", "ZÜRICH"]))
        #expect(matches("", ["x", "y"]))
        #expect(matches("12:30", ["12:30", "y"]))
        #expect(!matches("name:x", []))
    }

    @Test("T13 marked words end at the ends of characters")
    func characterSpans() {
        func found(_ query: String, _ string: String) -> [String] {
            RowQuery(query, columns: []).spans(string, column: 0).map { String(string[$0]) }
        }
        #expect(found("e", "cafe\u{301}s").map { Array($0.unicodeScalars).count } == [2])
        #expect(found("👩", "a👩‍👩‍👧b").allSatisfy { $0 == "👩‍👩‍👧" })
        #expect(found("caf", "a caf\u{e9}") == ["caf"])
    }

    @Test("T13 the next match is that of a plain loop")
    func nextMatch() {
        var numbers = SeededGenerator.fromEnvironment()
        for _ in 0..<300 {
            let count = Int.random(in: 1..<300, using: &numbers)
            var rows = TableRows(count: count)
            if Bool.random(using: &numbers) {
                let order = (0..<count).filter { _ in Int.random(in: 0..<4, using: &numbers) > 0 }
                rows.arrange(TableArrangement(rows: order.map { Int32($0) }.shuffled(using: &numbers)))
            }
            var search = TableSearch("x", columns: [])
            let matching = (0..<count).filter { _ in Int.random(in: 0..<20, using: &numbers) == 0 }
            search.add(matching.map { Int32($0) }, end: count)
            let start = Int.random(in: 0..<count, using: &numbers)
            for forward in [true, false] {
                let total = rows.total
                let expected = (0..<total).lazy
                    .map { forward ? (start + $0) % total : (start - $0 + 2 * total) % total }
                    .first { matching.contains(rows.number(at: $0)) }
                #expect(
                    search.next(from: start, forward: forward, in: rows) == expected,
                    "\(numbers.origin)"
                )
            }
        }
    }
}
