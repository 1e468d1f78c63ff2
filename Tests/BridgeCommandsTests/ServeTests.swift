import BridgeValues
import CollectionViews
import DataSources
import Foundation
import Stores
import StoresSQLite
import Synchronization
import TestSupport
import Testing

@testable import BridgeCommands
@testable import PageViews
@testable import TerminalViews

@Suite("serve")
struct ServeTests {
    /// A table with the sessions of pages, on the queue of the table.
    private final class Served {
        let table: ServedTable
        private var sessions: [PageSession] = []

        init(_ source: any TableSource, group: Int? = nil) {
            table = ServedTable(source, clock: SystemClock())
            table.start(group: group)
        }

        /// Opens a page of 280 pixels in height, ten rows.
        func open() throws {
            try table.queue.sync {
                let page = try table.makePage()
                let session = PageSession(view: page.view, content: page.content)
                session.apply([.resize(width: 800, height: 280)])
                sessions.append(session)
            }
        }

        /// Uses a session on the queue.
        func use<Result>(_ index: Int, _ body: (PageSession) throws -> Result) rethrows -> Result {
            try table.queue.sync { try body(sessions[index]) }
        }

        /// Waits until a session fulfils a condition.
        func wait(_ index: Int, _ isSo: (PageSession) -> Bool) async -> Bool {
            await waitUntil { use(index, isSo) }
        }

        deinit { table.queue.sync { sessions = [] } }
    }

    private static func table(_ workplace: Workplace, rows: Int) throws -> CSVTable {
        let lines = (0..<rows).map { "\($0),name \($0),\($0 % 2 == 0 ? "even" : "odd")" }
        let path = try workplace.write((["id,name,kind"] + lines).joined(separator: "\n"), to: "t.csv")
        return try CSVTable(path: path)
    }

    @Test("rows cross with their columns, and the columns with their titles")
    func columns() async throws {
        let workplace = try Workplace()
        let served = Served(try Self.table(workplace, rows: 1_000))
        try served.open()
        #expect(await served.wait(0) { $0.content.isComplete })
        let update = try #require(served.use(0) { $0.makeUpdate() })
        #expect(
            update["info"]["header"][1] == [["name", "strong"]]
                || update["info"]["header"][1] == [["name", "plain"]]
        )
        #expect(update["info"]["rowCount"] == 1_000)
        #expect(update["info"]["role"] == "grid")
        #expect(
            update["elements"][3]["columns"] == [
                [["3", "plain"]], [["name 3", "plain"]], [["odd", "plain"]],
            ]
        )
        #expect(update["elements"][3]["frame"][3] == 28)
        #expect(update["elements"][3]["measured"] == .undefined)
    }

    @Test("V12 pages share order, filter and marks; position and focus are each one's own")
    func shared() async throws {
        let workplace = try Workplace()
        let served = Served(try Self.table(workplace, rows: 1_000))
        try served.open()
        try served.open()
        #expect(await served.wait(0) { $0.content.isComplete })
        served.use(0) { session in
            session.apply([.scroll(offset: 5_600, velocity: 0)])
            _ = session.makeUpdate()
            session.apply([.filter("even")])
        }
        #expect(await served.wait(1) { $0.rows.itemCount == 500 })
        // Row 200 is at the edge of the first page as before, and the second is at the start.
        #expect(served.use(0) { $0.makeUpdate() }?["content"]["offset"].number == 2_800)
        #expect(served.use(1) { $0.makeUpdate() }?["content"]["offset"].number == 0)
        served.use(1) {
            $0.apply([.key(PageKey(name: "j", modifiers: [])), .key(PageKey(name: " ", modifiers: []))])
        }
        let update = try #require(served.use(0) { $0.makeUpdate() })
        #expect(update["info"]["selectedCount"] == 1)
        #expect(served.use(0) { $0.view.focusedIndexPath } == nil)
    }

    @Test("groups are sections with index titles, folded by a click")
    func groups() async throws {
        let workplace = try Workplace()
        let served = Served(try Self.table(workplace, rows: 100), group: 2)
        try served.open()
        // A click on a header that the next rows replace would be refused.
        #expect(await served.wait(0) { $0.view.numberOfSections == 2 && $0.content.isSettled })
        let update = try #require(served.use(0) { $0.makeUpdate() })
        #expect(update["info"]["indexTitles"] == [["even", 0], ["odd", 1]])
        let header = try #require(update["elements"].array.first { $0["kind"] == "header" })
        #expect(header["folded"] == false)
        #expect(header["frame"][3] == 28 && header["pinned"][0] == 0)
        let number = try #require(header["n"].integer)
        served.use(0) { $0.apply([.fold(view: number, isFolded: true)]) }
        #expect(served.use(0) { $0.view.numberOfItems(inSection: 0) } == 0)
    }

    @Test("PG15 PG19 rows that are deleted above move nothing on the page, and are announced")
    func liveChanges() async throws {
        let workplace = try Workplace()
        let store = try SQLiteStore(location: .file(workplace.file("s.db")))
        try store.createEntity(EntityDescription(name: "item", attributes: [.init("name", .string)]))
        try store.write { transaction in
            for number in 0..<1_000 {
                try transaction.insert(into: "item", ["name": .string("row \(number)")])
            }
        }
        let served = Served(try StoreTable(store: store, entityName: "item"))
        try served.open()
        #expect(await served.wait(0) { $0.content.isComplete })
        served.use(0) { session in
            session.apply([.scroll(offset: 2_800, velocity: 0)])
            _ = session.makeUpdate()
        }
        let ids = try store.read { try $0.fetch(FetchRequest(entityName: "item")).prefix(10).map(\.id) }
        try store.write { transaction in
            for id in ids { _ = try transaction.delete(from: "item", id: id) }
        }
        #expect(await served.wait(0) { $0.rows.itemCount == 990 })
        let update = try #require(served.use(0) { $0.makeUpdate() })
        #expect(update["content"]["adjustment"].number == -280)
        #expect(update["announcement"] == "rows: 10 removed")
    }

    @Test("details have every field with its name, a copy has tabs")
    func details() async throws {
        let workplace = try Workplace()
        let served = Served(try Self.table(workplace, rows: 10))
        try served.open()
        #expect(await served.wait(0) { $0.content.isComplete })
        let update = try #require(served.use(0) { $0.makeUpdate() })
        let number = try #require(update["elements"][1]["n"].integer)
        let lines = try served.use(0) { try $0.details(ofView: number) }
        #expect(lines[1] == [["name", "secondary"], ["  ", "plain"], ["name 1", "plain"]])
        served.use(0) { $0.apply([.select(.all)]) }
        let copy = try served.use(0) { try $0.copy() }
        #expect(copy["tsv"].stringValue?.hasPrefix("0\tname 0\teven\n1\tname 1\todd\n") == true)
        #expect(copy["message"] == "copied 10 rows")
    }

    @Test("a row of thousands of columns has the first ones, and its details have all")
    func manyColumns() async throws {
        let workplace = try Workplace()
        let line = (1...3_000).map(String.init).joined(separator: ",") + "\n"
        let served = Served(try CSVTable(path: try workplace.write(line + line, to: "t.csv")))
        try served.open()
        #expect(await served.wait(0) { $0.content.isComplete })
        let update = try #require(served.use(0) { $0.makeUpdate() })
        #expect(update["info"]["header"].array.count == 256)
        #expect(update["elements"][0]["columns"].array.count == 256)
        #expect(update["info"]["status"] == "the first 256 of 3,000 columns")
        let number = try #require(update["elements"][0]["n"].integer)
        #expect(try served.use(0) { try $0.details(ofView: number) }.array.count == 3_000)
    }

    @Test("PG20 a copy has the marked rows of folded groups, and says which ones a filter hides")
    func copyHidden() async throws {
        let workplace = try Workplace()
        let served = Served(try Self.table(workplace, rows: 6), group: 2)
        try served.open()
        #expect(await served.wait(0) { $0.view.numberOfSections == 2 && $0.content.isSettled })
        let update = served.use(0) { session in
            session.apply([.select(.all), .key(PageKey(name: "j", modifiers: []))])
            session.content.setFolded(true, section: 0)
            return session.makeUpdate()
        }
        #expect(update?["counts"] == [0, 3, 6, 3])
        #expect(update?["info"]["selectedCount"] == 6)
        let all = try served.use(0) { try $0.copy() }
        #expect(all["text"].stringValue?.hasPrefix("0  name 0  even\n2  name 2  even\n") == true)
        #expect(all["message"] == "copied 6 rows")
        served.use(0) { session in
            session.apply([.select(.none)])
            session.content.setFolded(false, section: 0)
            session.apply([.select(.invert)])
            session.apply([.filter("name 1")])
        }
        #expect(await served.wait(0) { $0.rows.itemCount == 1 })
        // All rows but none are marked, so that a row that is not shown has no mark of its own.
        #expect(try served.use(0) { try $0.copy() }["message"] == "copied 1 row")
        served.use(0) {
            $0.apply([
                .select(.none), .key(PageKey(name: "j", modifiers: [])),
                .key(PageKey(name: " ", modifiers: [])),
            ])
        }
        served.use(0) { $0.apply([.filter("name 2")]) }
        #expect(await served.wait(0) { $0.rows.itemCount == 1 && $0.content.isSettled })
        let one = try served.use(0) { try $0.copy() }
        #expect(one["message"].stringValue?.hasSuffix("; the filter hides 1 marked row") == true)
    }

    @Test("the status has the malformed records of a file, and the message why a row cannot be moved")
    func notices() async throws {
        let workplace = try Workplace()
        let path = try workplace.write("id,name\n1,a\"b\n2,c\n", to: "t.csv")
        let served = Served(try CSVTable(path: path))
        try served.open()
        #expect(await served.wait(0) { $0.content.isComplete })
        served.use(0) { $0.apply([.sort(column: 0)]) }
        #expect(await served.wait(0) { $0.content.isSettled })
        let update = try #require(served.use(0) { $0.makeUpdate() })
        #expect(update["info"]["status"].stringValue?.contains("1 malformed record, in line 2") == true)
        served.use(0) { $0.apply(["j", "m"].map { .key(PageKey(name: $0, modifiers: [])) }) }
        #expect(served.use(0) { $0.message } == "a row cannot be moved while rows are sorted by id")
    }

    @Test("PG7 the saved state has order and filter, and waits until rows are in it")
    func state() async throws {
        let workplace = try Workplace()
        let source = try Self.table(workplace, rows: 1_000)
        let first = Served(source)
        try first.open()
        #expect(await first.wait(0) { $0.content.isComplete })
        first.use(0) { $0.apply([.sort(column: 0), .sort(column: 0)]) }
        #expect(await first.wait(0) { $0.content.isSettled })
        let saved = try first.use(0) { session in
            // The page sees the new order before it scrolls.
            let sequence = session.makeUpdate()?["sequence"].integerValue ?? 0
            session.apply([.seen(sequence: Int(sequence)), .scroll(offset: 14_000, velocity: 0)])
            _ = session.makeUpdate()
            return try session.savedState()
        }
        let second = Served(source)
        try second.open()
        second.use(0) { $0.restore(saved) }
        #expect(await second.wait(0) { $0.content.isSettled && $0.pendingState == nil })
        #expect(second.use(0) { $0.makeUpdate() }?["content"]["offset"].number == 14_000)
        #expect(second.use(0) { $0.content.sort } == ViewSort(column: 0, isDescending: true))
    }

    @Test("PG7 V12 the state of a page that was loaded again does not change what another page shows")
    func sharedState() async throws {
        let workplace = try Workplace()
        let source = try Self.table(workplace, rows: 1_000)
        let served = Served(source)
        try served.open()
        #expect(await served.wait(0) { $0.content.isComplete })
        let saved = try served.use(0) { session in
            session.apply([.filter("name 7")])
            return try session.savedState()
        }
        served.use(0) { $0.apply([.filter(""), .select(.all)]) }
        #expect(await served.wait(0) { $0.content.isSettled && $0.rows.itemCount == 1_000 })
        try served.open()
        served.use(1) { $0.restore(saved) }
        #expect(served.use(0) { $0.content.filter } == "")
        #expect(served.use(0) { $0.view.markCount.isOfUnselectedItems })
        // Another table whose rows have the same numbers.
        let path = try workplace.write("id,name\n1,a\n", to: "other.csv")
        let other = Served(try CSVTable(path: path))
        try other.open()
        other.use(0) { $0.restore(saved) }
        #expect(other.use(0) { $0.content.filter } == "")
    }

    @Test("V12 the marks that a page restores are those of all pages, also of later ones")
    func restoredMarks() async throws {
        let workplace = try Workplace()
        let source = try Self.table(workplace, rows: 100)
        let first = Served(source)
        try first.open()
        #expect(await first.wait(0) { $0.content.isComplete })
        let saved = try first.use(0) { session in
            session.apply([.key(PageKey(name: "j", modifiers: [])), .key(PageKey(name: " ", modifiers: []))])
            return try session.savedState()
        }
        let second = Served(source)
        try second.open()
        second.use(0) { $0.restore(saved) }
        #expect(await second.wait(0) { $0.content.isSettled && $0.pendingState == nil })
        try second.open()
        #expect(second.use(1) { $0.view.indexPathsForSelectedItems } == [IndexPath(item: 0, section: 0)])
    }

    @Test("V16 letters that are typed one by one lead to the row whose first column begins so")
    func typing() async throws {
        let workplace = try Workplace()
        let served = Served(try Self.table(workplace, rows: 1_000))
        try served.open()
        #expect(await served.wait(0) { $0.content.isComplete })
        for (letter, row) in [("8", 8), ("1", 81), ("2", 812)] {
            served.use(0) { $0.apply([.type(letter)]) }
            #expect(served.use(0) { $0.view.focusedIndexPath?.item } == row)
        }
    }

    @Test("V12 V18 an order that is asked for on one page ends a movement on another one")
    func movementOfAnother() async throws {
        let workplace = try Workplace()
        let served = Served(try Self.table(workplace, rows: 1_000))
        try served.open()
        try served.open()
        #expect(await served.wait(0) { $0.content.isComplete })
        served.use(0) {
            $0.apply([.key(PageKey(name: "j", modifiers: [])), .key(PageKey(name: "m", modifiers: []))])
        }
        #expect(served.use(0) { $0.view.interactivelyMovingIndexPath } != nil)
        served.use(1) { $0.apply([.filter("odd")]) }
        #expect(await served.wait(1) { $0.rows.itemCount == 500 })
        let update = served.use(0) { $0.makeUpdate() }
        #expect(update?["message"] == "the move has ended, because the rows have changed")
    }

    @Test("V18 changes that waited for the end of a movement are shown after it")
    func waitedChanges() async throws {
        let workplace = try Workplace()
        let store = try SQLiteStore(location: .file(workplace.file("s.db")))
        try store.createEntity(EntityDescription(name: "item", attributes: [.init("name", .string)]))
        try store.write { transaction in
            for number in 0..<10 { try transaction.insert(into: "item", ["name": .string("\(number)")]) }
        }
        let served = Served(try StoreTable(store: store, entityName: "item"))
        try served.open()
        #expect(await served.wait(0) { $0.content.isComplete })
        let press = { (name: String) in
            served.use(0) { $0.apply([.key(PageKey(name: name, modifiers: []))]) }
        }
        press("j")
        press("m")
        try store.write { _ = try $0.insert(into: "item", ["name": .string("new")]) }
        #expect(await served.wait(0) { _ in served.table.hasWaiting })
        press("Escape")
        _ = served.use(0) { $0.update(at: SystemClock().now) }
        #expect(await served.wait(0) { $0.rows.itemCount == 11 })
    }

    @Test("--open passes a file of the user's own to the browser, and never the address")
    func openedFile() async throws {
        let workplace = try Workplace()
        let table = try workplace.write("id,name\n1,a\n", to: "t.csv")
        let record = workplace.file("record")
        let tool = try workplace.write(
            "#!/bin/sh\nstat -c '%a' \"$1\" > '\(record).new'\necho \"$*\" >> '\(record).new'\n"
                + "cat \"$1\" >> '\(record).new'\nmv '\(record).new' '\(record)'\n",
            to: "xdg-open"
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool)
        let process = try RunningProcess(
            RunningProcess.built("jsbridge"),
            ["serve", "--open", table],
            in: workplace,
            environment: ["PATH": "\(workplace.path):/usr/bin:/bin"]
        )
        let address = await process.firstLine().trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(await waitUntil { workplace.exists("record") })
        process.terminate()
        _ = await process.end()
        let lines = try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n")
        #expect(lines[0] == "600")
        #expect(lines[1].hasSuffix("/open.html") && !lines[1].contains("token"))
        #expect(address.contains("#token="))
        #expect(lines.dropFirst(2).contains { $0.contains("0; url=\(address)") })
        #expect(workplace.leftovers.isEmpty)
    }

    @Test("the command prints the address, and errors in sentences")
    func command() async throws {
        let workplace = try Workplace()
        let file = try workplace.write("id,name\n1,a\n", to: "t.csv")
        let missing = await workplace.run(["serve", workplace.file("none.csv")])
        #expect(missing.status == 66)
        let wrong = await workplace.run(["serve", "--group", "nam", file])
        #expect(wrong.status == 2)
        #expect(wrong.errorOutput.contains("t.csv has no column 'nam' (did you mean 'name'?)"))
        let input = Array("id,name\n1,a\n".utf8)
        let piped = await workplace.run(["serve", "--group", "nam", "-"], input: input)
        #expect(piped.status == 2)
        #expect(piped.errorOutput.contains("standard input has no column 'nam' (did you mean 'name'?)"))
        #expect(workplace.leftovers.isEmpty)
    }
}

extension Value {
    fileprivate var integer: Int? {
        guard case .integer(let number) = self else { return nil }
        return Int(number)
    }
    fileprivate var number: Double {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: .nan
        }
    }
    fileprivate var array: [Value] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }
}
