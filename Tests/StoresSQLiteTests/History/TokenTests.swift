import Foundation
import StoreTestSupport
import Stores
import StoresSQLite
import Testing

@Suite("F20 history tokens")
struct TokenTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("store.db")
    }

    private func persons(_ transactions: [StoreHistoryTransaction]?) -> [[String]]? {
        transactions?.map { $0.changes["person"]?.map(\.text) ?? [] }
    }

    @Test("F20 after a restart a saved token shows what each transaction changed, and its author")
    func restart() throws {
        var kept = Data()
        do {
            let store = try FollowedStore(path, author: "app").store
            try store.addPerson("before")
            kept = try JSONEncoder().encode(store.currentHistoryToken())
            try store.addPerson("Ada", age: 1)
        }
        do {
            let importer = try FollowedStore(path, author: "import").store
            try importer.write { transaction in
                try transaction.update("person", id: 2, ["age": .integer(2)])
                try transaction.insert(into: "person", ["name": .string("Bob")])
            }
            try PlainProgram(path).run("UPDATE person SET age = 5 WHERE name = 'Ada'")
            try importer.addPerson("Cy")
        }
        let store = try FollowedStore(path, author: "app").store
        let token = try JSONDecoder().decode(StoreHistoryToken.self, from: kept)
        let all = try store.fetchHistory(after: token).transactions
        #expect(
            persons(all) == [["- > Ada 1"], ["Ada 1 > Ada 2", "- > Bob -"], ["Ada 2 > Ada 5"], ["- > Cy 0"]]
        )
        #expect(all?.map(\.author) == ["app", "import", nil, "import"])
        #expect(all?.map { $0.timestamp == nil } == [false, false, true, false])
        #expect(all?[1].processIdentifier == ProcessInfo.processInfo.processIdentifier)
        let others = try store.fetchHistory(after: token, excludingAuthor: "app").transactions
        #expect(others?.map(\.author) == ["import", nil, "import"])
        // Each transaction's own token continues from there.
        let second = try #require(all?[1].token)
        #expect(
            persons(try store.fetchHistory(after: second).transactions) == [["Ada 2 > Ada 5"], ["- > Cy 0"]]
        )
        let now = try store.currentHistoryToken()
        #expect(try store.fetchHistory(after: now).transactions?.isEmpty == true)
    }

    @Test(
        "F20 an unusable token is reported with its reason: pruned, of another store, or of a diverged copy"
    )
    func uselessTokens() throws {
        let store = try FollowedStore(path).store
        try store.addPerson("a")
        let old = try store.currentHistoryToken()
        try store.addPerson("b")
        let middle = try store.currentHistoryToken()
        try store.addPerson("c")
        let other = try FollowedStore(directory.file("other.db")).store
        #expect(try other.fetchHistory(after: old).missed == .otherStore)
        // A copy of the current file that diverges: the same numbers are different changes.
        let copy = directory.file("copy.db")
        try PlainProgram(path).run("VACUUM INTO '\(copy)'")
        try store.addPerson("d")
        let ahead = try store.currentHistoryToken()
        let copied = try FollowedStore(copy).store
        let missed = try copied.fetchHistory(after: ahead).missed
        #expect(missed == .otherHistory || missed == .schemaChanged)
        for name in ["x", "y", "z", "w"] { try copied.addPerson(name) }
        #expect(try copied.fetchHistory(after: ahead).missed == .otherHistory)
        try store.deleteHistory(before: middle)
        #expect(try store.fetchHistory(after: old).missed == .pruned)
        #expect(try store.fetchHistory(after: middle).transactions?.count == 2)
        #expect(
            storeError { try store.deleteHistory(before: other.currentHistoryToken()) }?.code
                == .invalidRequest
        )
    }

    @Test("F20 the history keeps its minimum number of changes and not many more, for any number of commits")
    func bound() throws {
        let reader = try FollowedStore(path, limit: 100)
        let store = reader.store
        let first = try store.currentHistoryToken()
        var tokens: [StoreHistoryToken] = []
        for number in 0..<400 {
            try store.addPerson("p\(number)")
            tokens.append(try store.currentHistoryToken())
            let kept = try PlainProgram(path).number("SELECT count(*) FROM \"$changes\"")
            #expect(kept <= 100 + 16 + 3)
        }
        #expect(try store.fetchHistory(after: first).missed == .pruned)
        // Two log rows per commit: the row, and the end of the commit.
        #expect(try store.fetchHistory(after: tokens[399 - 45]).transactions?.count == 45)
        #expect(try store.fetchHistory(after: tokens[250]).missed == .pruned)
    }

    @Test("F20 a process that falls behind the kept changes compares once, and continues from there")
    func behind() throws {
        let reader = try FollowedStore(path, limit: 50)
        let writer = try FollowedStore(path, limit: 50, author: "writer")
        for number in 0..<200 { try writer.store.addPerson("p\(number)") }
        #expect(try reader.merge().map(\.missedHistory) == [.pruned])
        try writer.store.addPerson("next")
        let received = try reader.merge()
        #expect(received.map(\.missedHistory) == [nil])
        #expect(received[0].changes["person"]?.map(\.text) == ["- > next 0"])
    }
}
