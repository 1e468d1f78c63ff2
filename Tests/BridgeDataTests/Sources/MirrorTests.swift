import BridgeData
import BridgeTesting
import DataSources
import Foundation
import JavaScriptBridge
import Stores
import Synchronization
import TestSupport
import Testing

@Suite struct MirrorTests {
    private struct Person: Decodable, Sendable, Equatable {
        var id: Int
        var name: String
    }

    private static let million = """
        globalThis.offset = 0; globalThis.count = 1000000; globalThis.calls = 0;
        globalThis.handle = bridge.registerDataSource("people", {
            numberOfItems: () => count,
            window: (section, from, to) => {
                calls++;
                const rows = [];
                for (let index = from; index < to; index++) rows.push({ id: index + offset, name: "person " + (index + offset) });
                return rows;
            },
        });
        """

    private func make(_ script: String = MirrorTests.million) async throws -> Bridge {
        let bridge = try Bridge(configuration: .patient, data: DataConfiguration(stores: [:]))
        try await bridge.load(.text(script, name: "people.js"))
        return bridge
    }

    @Test("J1 scrolling through a mirror of a million rows keeps a bounded number of rows in memory")
    func scrolling() async throws {
        let bridge = try await make()
        let mirror = try await bridge.mirrorDataSource("people", of: Person.self)
        #expect(mirror.numberOfSections == 1)
        #expect(mirror.numberOfItems(in: 0) == 1_000_000)
        for frame in 0..<500 {
            let from = frame * 1_999
            let rows = try await mirror.window(section: 0, from..<from + 60)
            #expect(rows.count == min(60, 1_000_000 - from))
            #expect(rows.first == Person(id: from, name: "person \(from)"))
            #expect(mirror.cachedItemCount <= 16 * 64)
        }
        let before = try await bridge.withContext { try $0.evaluate("calls").toDouble() }
        for frame in 0..<50 {
            let rows = try await mirror.window(section: 0, 500_000 + frame..<500_060 + frame)
            #expect(rows.last?.id == 500_059 + frame)
        }
        let after = try await bridge.withContext { try $0.evaluate("calls").toDouble() }
        // 110 rows in pages of 64, at an unfavorable position.
        #expect(after - before <= 3)
        #expect(try await mirror.window(section: 0, 999_990..<1_000_100).count == 10)
        #expect(try await mirror.window(section: 1, 0..<10).isEmpty)
    }

    @Test("J1 an item that is not cached is requested, and arrives")
    func placeholders() async throws {
        let bridge = try await make()
        let mirror = try await bridge.mirrorDataSource("people", of: Person.self)
        let arrived = Recorder<Bool>()
        mirror.itemsArrived = { arrived.add(true) }
        let path = IndexPath(item: 700_000, section: 0)
        #expect(mirror.item(at: path) == nil)
        #expect(mirror.item(at: path) == nil)
        await arrived.wait(for: 1)
        #expect(mirror.item(at: path) == Person(id: 700_000, name: "person 700000"))
        #expect(mirror.item(at: IndexPath(item: 1_000_000, section: 0)) == nil)
        #expect(mirror.item(at: IndexPath(item: -1, section: 0)) == nil)
        #expect(try await bridge.withContext { try $0.evaluate("calls").toDouble() } == 1)
    }

    @Test(
        "J1 J6 a mirror goes to its next state when its owner processes changes, with the change set between them"
    )
    func changes() async throws {
        let bridge = try await make()
        let mirror = try await bridge.mirrorDataSource("people", of: Person.self)
        let notified = Recorder<Bool>()
        mirror.changesPending = { notified.add(true) }
        _ = try await mirror.window(section: 0, 0..<60)
        try await bridge.load(
            .text("offset = -1; count++; handle.reload([{ type: 'insert', to: [0, 0] }])", name: "a.js")
        )
        await notified.wait(for: 1)
        #expect(mirror.numberOfItems(in: 0) == 1_000_000)
        let error = await #expect(throws: BridgeError.self) { try await mirror.window(section: 0, 0..<60) }
        #expect(error?.code.rawValue == "source.changed")
        let insert = ChangeSet.some([.item(type: .insert(IndexPath(item: 0, section: 0)))])
        #expect(mirror.processPendingChanges() == insert)
        #expect(mirror.processPendingChanges() == nil)
        #expect(mirror.numberOfItems(in: 0) == 1_000_001)
        #expect(try await mirror.window(section: 0, 0..<2).map(\.id) == [-1, 0])
        // Two changes before a read are one change set.
        try await bridge.load(
            .text(
                "for (let n = 0; n < 2; n++) { count++; handle.reload([{ type: 'insert', to: [0, 0] }]) }",
                name: "b.js"
            )
        )
        let inserts = (0...1).map { Change.item(type: .insert(IndexPath(item: $0, section: 0))) }
        #expect(mirror.processPendingChanges() == .some(inserts))
        #expect(mirror.numberOfItems(in: 0) == 1_000_003)
        #expect(notified.elements.count == 2)
        #expect(mirror.lastError == nil)
        #expect(mirror.version == 2)
    }

    @Test(
        "X6 changes pending for a mirror's owner are one change set; changes that cannot be joined are `.all`"
    )
    func merged() async throws {
        let bridge = try await make(
            """
            const lists = [[1, 2, 3], [4, 5]];
            globalThis.handle = bridge.registerDataSource("people", {
                numberOfSections: () => lists.length, numberOfItems: section => lists[section].length,
                item: (section, item) => ({ id: lists[section][item], name: "x" }),
            });
            globalThis.edit = name => ({
                // A section comes, with its items unnamed, one of them goes to another section, and one is changed.
                come() { lists.unshift([8, 9]); handle.reload([{ kind: "section", type: "insert", to: 0 }]) },
                move() { lists[2].push(lists[0].pop()); handle.reload([{ type: "move", from: [0, 1], to: [2, 2] }]) },
                change() { handle.reload([{ type: "update", from: [1, 0] }]) },
                go() { lists.shift(); handle.reload([{ kind: "section", type: "delete", from: 0 }]) },
                section() { handle.reload([{ kind: "section", type: "update", from: 0 }]) },
            })[name]();
            """
        )
        let mirror = try await bridge.mirrorDataSource("people", of: Person.self)
        mirror.changesPending = {}
        func changes(_ names: String...) async throws -> ChangeSet? {
            for name in names { try await bridge.load(.text("edit('\(name)')", name: "edit.js")) }
            return mirror.processPendingChanges()
        }
        let path = { (section: Int, item: Int) in IndexPath(item: item, section: section) }
        #expect(
            try await changes("come", "move", "change")
                == .some([
                    .section(type: .insert(path(0, 0))), .item(type: .insert(path(0, 0))),
                    .item(type: .insert(path(2, 2))), .item(type: .update(path(0, 0))),
                ])
        )
        #expect(try await mirror.window(section: 2, 0..<3).map(\.id) == [4, 5, 9])
        #expect(
            try await changes("change", "go")
                == .some([
                    .section(type: .delete(path(0, 0))), .item(type: .delete(path(0, 0))),
                    .item(type: .update(path(1, 0))),
                ])
        )
        #expect(try await changes("change", "section") == .all)
        #expect(try await changes("section") == .some([.section(type: .update(path(0, 0)))]))
        #expect(mirror.lastError == nil)
    }

    @Test(
        "J1 a mirror follows whatever source has the name: another one, none, and that of a reloaded script"
    )
    func replaced() async throws {
        let bridge = try await make()
        let mirror = try await bridge.mirrorDataSource("people", of: Person.self)
        try await bridge.load(
            .text(
                "globalThis.other = bridge.registerDataSource('people', { numberOfItems: 1, item: () => ({ id: 7, name: 'other' }) })",
                name: "other.js"
            )
        )
        #expect(mirror.processPendingChanges() == .all)
        #expect(try await mirror.window(section: 0, 0..<10) == [Person(id: 7, name: "other")])
        try await bridge.load(.text("other.remove()", name: "remove.js"))
        #expect(mirror.processPendingChanges() == .all)
        #expect(mirror.numberOfSections == 0)
        #expect(mirror.lastError?.code == .handlerNotFound)
    }

    @Test("J1 a released mirror does not follow its source any more")
    func lifetime() async throws {
        let bridge = try await make()
        weak var weakMirror: DataSourceMirror<Person>?
        do {
            let mirror = try await bridge.mirrorDataSource("people", of: Person.self)
            weakMirror = mirror
        }
        #expect(await waitUntil { weakMirror == nil })
        try await bridge.load(.text("handle.reload()", name: "a.js"))
        await #expect(throws: BridgeError.self) { try await bridge.mirrorDataSource("none", of: Person.self) }
    }

    @Test("J1 a window larger than a mirror's cache is read whole, in one turn")
    func largeWindow() async throws {
        let bridge = try await make()
        let mirror = try await bridge.mirrorDataSource("people", of: Person.self, pageSize: 64, keptPages: 2)
        _ = try await mirror.window(section: 0, 128..<192)
        let rows = try await mirror.window(section: 0, 10..<1_010)
        #expect(rows.map(\.id) == Array(10..<1_010))
        #expect(mirror.cachedItemCount <= 128)
        #expect(try await bridge.withContext { try $0.evaluate("calls").toDouble() } <= 17)
    }

    @Test("J1 setters that a script puts on Object.prototype get nothing of a registered source")
    func hostilePrototype() async throws {
        let bridge = try await make(
            """
            globalThis.caught = [];
            const names = ["name", "number", "source", "followers", "nextFollower", "pruneAt", "places"];
            for (const name of names)
                Object.defineProperty(Object.prototype, name, { configurable: true, set(value) { caught.push(name) }, get() {} });
            bridge.registerDataSource("people", { numberOfItems: 2, item: (section, id) => ({ id, name: "" }) });
            for (const name of names) delete Object.prototype[name];
            """
        )
        let mirror = try await bridge.mirrorDataSource("people", of: Person.self)
        #expect(try await mirror.window(section: 0, 0..<9).map(\.id) == [0, 1])
        #expect(try await bridge.withContext { try $0.evaluate("caught.join()").toString() } == "")
    }
}
