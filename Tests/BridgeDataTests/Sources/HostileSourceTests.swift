import BridgeData
import DataSources
import Foundation
import JavaScriptBridge
import Stores
import Testing

/// An invalid answer of a script, and the expected error.
struct HostileSource: Sendable, CustomTestStringConvertible {
    let name: String
    let script: String
    let message: String

    var testDescription: String { name }

    static let all = [
        HostileSource(
            name: "a negative count",
            script: "{ numberOfItems: -1, item: () => 1 }",
            message: "answered numberOfItems with -1, not with a count"
        ),
        HostileSource(
            name: "a fractional count",
            script: "{ numberOfItems: () => 1.5, item: () => 1 }",
            message: "answered numberOfItems with 1.5, not with a count"
        ),
        HostileSource(
            name: "NaN",
            script: "{ numberOfItems: NaN, item: () => 1 }",
            message: "answered numberOfItems with NaN, not with a count"
        ),
        HostileSource(
            name: "a count beyond paths",
            script: "{ numberOfItems: 1e15, item: () => 1 }",
            message: "answered numberOfItems with 1000000000000000, not with a count up to 2147483647"
        ),
        HostileSource(
            name: "an infinite count",
            script: "{ numberOfItems: Infinity, item: () => 1 }",
            message: "answered numberOfItems with Infinity, not with a count"
        ),
        HostileSource(
            name: "a text for a count",
            script: "{ numberOfItems: '3', item: () => 1 }",
            message: "answered numberOfItems with the string '3', not with a count"
        ),
        HostileSource(
            name: "an object that turns into a number",
            script: "{ numberOfItems: () => ({ valueOf: () => 3 }), item: () => 1 }",
            message: "answered numberOfItems with an object, not with a count"
        ),
        HostileSource(
            name: "a negative number of sections",
            script: "{ numberOfSections: -2, numberOfItems: 1, item: () => 1 }",
            message: "answered numberOfSections with -2, not with a count"
        ),
        HostileSource(
            name: "a getter that throws",
            script: "{ get numberOfItems() { throw new RangeError('mine') } }",
            message: "failed in numberOfItems"
        ),
        HostileSource(
            name: "a method that throws a value that is not an error",
            script: "{ numberOfItems: () => { throw null }, item: () => 1 }",
            message: "failed in numberOfItems"
        ),
        HostileSource(
            name: "a proxy that throws at everything",
            script: "new Proxy({}, { get() { throw new Error('trap') } })",
            message: "failed in"
        ),
        HostileSource(
            name: "a revoked proxy",
            script: "(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()",
            message: "failed in"
        ),
        HostileSource(
            name: "a window that is too short",
            script: "{ numberOfItems: 3, window: () => [1] }",
            message: "answered window with an array of 1, not with an array of 3 items"
        ),
        HostileSource(
            name: "a window that is too long",
            script: "{ numberOfItems: 3, window: () => [1, 2, 3, 4] }",
            message: "answered window with an array of 4, not with an array of 3 items"
        ),
        HostileSource(
            name: "a window that is not a list",
            script: "{ numberOfItems: 3, window: () => ({ length: 3 }) }",
            message: "answered window with an object, not with an array of 3 items"
        ),
        HostileSource(
            name: "a window that is a proxy of a list with another length",
            script:
                "{ numberOfItems: 3, window: () => new Proxy([1, 2, 3], { get: (list, key) => key === 'length' ? 1e9 : list[key] }) }",
            message: "answered window with an array of 1000000000, not with an array of 3 items"
        ),
        HostileSource(
            name: "a window whose length changes while it is read",
            script:
                "{ numberOfItems: 3, window: () => { let asked = 0; return new Proxy([1, 2, 3], { get: (list, key) => key === 'length' ? (asked++ ? 2e6 : 3) : list[key] }) } }",
            message: "returned invalid items: data[3]: undefined is not a whole number"
        ),
        HostileSource(
            name: "a promise of a count",
            script: "{ numberOfItems: async () => 3, item: () => 1 }",
            message:
                "answered numberOfItems with a promise: numberOfItems must return its value, not a promise"
        ),
        HostileSource(
            name: "promises of items",
            script: "{ numberOfItems: 3, item: async () => 1 }",
            message: "answered item with a promise: item must return its value, not a promise"
        ),
        HostileSource(
            name: "a promise of a window",
            script: "{ numberOfItems: 3, window: async () => [1, 2, 3] }",
            message: "answered window with a promise: window must return its value, not a promise"
        ),
        HostileSource(
            name: "a window of promises",
            script: "{ numberOfItems: 3, window: () => [1, 2, 3].map(async item => item) }",
            message: "answered window with an array of promises: window must return its value, not a promise"
        ),
        HostileSource(
            name: "no way to its items",
            script: "{ numberOfItems: 3 }",
            message: "has neither window(section, from, to) nor item(section, item)"
        ),
        HostileSource(
            name: "items of another type",
            script: "{ numberOfItems: 3, window: () => [1, 'two', 3] }",
            message: "returned invalid items"
        ),
    ]
}

@Suite struct HostileSourceTests {
    private func make(_ source: String) async throws -> Bridge {
        let bridge = try Bridge(configuration: .patient, data: DataConfiguration(stores: [:]))
        try await bridge.load(
            .text("globalThis.handle = bridge.registerDataSource('bad', \(source));", name: "bad.js")
        )
        return bridge
    }

    @Test(
        "J1 an invalid answer is an error with the source and the answer, here and in a mirror",
        arguments: HostileSource.all
    )
    func wrongAnswers(hostile: HostileSource) async throws {
        let bridge = try await make(hostile.script)
        try await bridge.withDataSource("bad") { source in
            let sections = source.numberOfSections
            let items = source.numberOfItems(in: 0)
            #expect((0...3).contains(sections) && (0...3).contains(items))
            #expect(source.numberOfItems(in: -1) == 0)
            #expect(source.item(at: IndexPath(item: -1, section: 0)) == nil)
            let error = #expect(throws: BridgeError.self) {
                _ = try source.counts()
                _ = try source.window(section: 0, 0..<10, as: Int.self)
            }
            #expect(error?.message.contains("the data source 'bad' ") == true, "\(String(describing: error))")
            #expect(error?.message.contains(hostile.message) == true, "\(String(describing: error))")
        }
        let error = await #expect(throws: BridgeError.self) {
            let mirror = try await bridge.mirrorDataSource("bad", of: Int.self)
            _ = try await mirror.window(section: 0, 0..<10)
        }
        #expect(error?.message.contains(hostile.message) == true, "\(String(describing: error))")
    }

    @Test(
        "J1 changes that do not match the counts are reported as all, with an error",
        arguments: [
            ("[]", "3 before + 0 inserted - 0 deleted + 0 moved in - 0 moved out is not 4 after"),
            ("[{ type: 'delete', from: [0, 0] }]", "1 deleted + 0 moved in - 0 moved out is not 4 after"),
            ("[{ type: 'insert', to: [0, 9] }]", "section 0 has 4 rows after"),
            ("[{ type: 'insert', to: [0, 3] }, { type: 'insert', to: [0, 3] }]", "at the same position"),
            ("[{ type: 'delete', from: [0, 3] }]", "section 0 has 3 rows before"),
            ("[{ type: 'move', from: [7, 0], to: [0, 0] }]", "there are 1 sections before"),
            ("[{ kind: 'section', type: 'insert', to: 1 }]", "there are 1 sections after"),
            ("[{ kind: 'section', type: 'delete', from: 0 }]", "sections: 1 before + 0 inserted - 1 deleted"),
            ("[{ type: 'update', from: [0, 0] }, { type: 'update', from: [0, 0] }]", "named twice"),
        ]
    )
    func lyingChanges(changes: String, message: String) async throws {
        let bridge = try await make(
            "{ numberOfItems: () => list.length, window: (s, from, to) => list.slice(from, to) }"
        )
        try await bridge.load(.text("globalThis.list = [1, 2, 3]", name: "list.js"))
        let mirror = try await bridge.mirrorDataSource("bad", of: Int.self)
        try await bridge.withContext { context in
            let source = try context.dataSource(named: "bad")
            var received: [ChangeSet] = []
            source.reloadBlock = { received.append($0) }
            try context.evaluate("list.push(4); handle.reload(\(changes))")
            #expect(received == [.all])
            #expect(
                source.lastError?.message.contains(message) == true,
                "\(String(describing: source.lastError))"
            )
            // A valid change is accepted again.
            try context.evaluate("list.push(5); handle.reload([{ type: 'insert', to: [0, 4] }])")
            #expect(received.last == .some([.item(type: .insert(IndexPath(item: 4, section: 0)))]))
        }
        #expect(mirror.lastError?.message.contains(message) == true)
        #expect(mirror.processPendingChanges() == .all)
        #expect(try await mirror.window(section: 0, 0..<9) == [1, 2, 3, 4, 5])
    }

    @Test(
        "J1 a source that changes while its items are read gives an error or items of its counts, never fewer"
    )
    func changingAnswers() async throws {
        let bridge = try await make(
            "{ numberOfItems: () => calls++ % 3, window: (s, from, to) => Array.from({ length: to - from }, (_, index) => index) }"
        )
        try await bridge.load(.text("globalThis.calls = 2", name: "calls.js"))
        let mirror = try await bridge.mirrorDataSource("bad", of: Int.self)
        for _ in 0..<50 {
            let count = mirror.numberOfItems(in: 0)
            do {
                let items = try await mirror.window(section: 0, 0..<10)
                #expect(items.count == mirror.numberOfItems(in: 0))
            } catch let error as BridgeError {
                #expect(error.message.contains("without announcing it") || error.code == .overloaded)
            }
            #expect((0...2).contains(count))
        }
    }

    @Test("J1 an endless answer is stopped by the time limit")
    func neverEnding() async throws {
        var configuration = BridgeConfiguration.patient
        configuration.executionLimits.processorTime = .milliseconds(50)
        let bridge = try Bridge(configuration: configuration, data: DataConfiguration(stores: [:]))
        try await bridge.load(
            .text(
                "bridge.registerDataSource('bad', { numberOfItems: () => { for (;;) {} }, item: () => 1 })",
                name: "a.js"
            )
        )
        await #expect(throws: (any Error).self) { try await bridge.mirrorDataSource("bad", of: Int.self) }
        await #expect(throws: (any Error).self) {
            try await bridge.withDataSource("bad") { source in _ = try source.window(section: 0, 0..<1) }
        }
    }

    @Test("J1 the counts of endless sections are not read one by one")
    func manySections() async throws {
        let bridge = try await make("{ numberOfSections: 2000000000, numberOfItems: 1, item: () => 1 }")
        let error = await #expect(throws: BridgeError.self) {
            try await bridge.mirrorDataSource("bad", of: Int.self)
        }
        #expect(error?.message.contains("not with a count up to 100000") == true)
    }

    @Test("R7 names of data sources are any well-formed string; one with a lone surrogate is an error")
    func names() async throws {
        let bridge = try Bridge(configuration: .patient, data: DataConfiguration(stores: [:]))
        for name in ["", " ", "__proto__", "a\u{0}b", String(repeating: "x", count: 10_000)] {
            try await bridge.withContext { context in
                try context.globalObject.setValue(.string(name), forProperty: "name")
                try context.evaluate(
                    "bridge.registerDataSource(name, { numberOfItems: 1, item: () => name.length }); 0"
                )
            }
            let mirror = try await bridge.mirrorDataSource(name, of: Int.self)
            #expect(try await mirror.window(section: 0, 0..<1) == [name.utf16.count])
        }
        for name in ["'\\ud800'", "'a\\udc00b'"] {
            let error = await #expect(throws: JSException.self) {
                try await bridge.load(
                    .text(
                        "bridge.registerDataSource(\(name), { numberOfItems: 0, item: () => 1 })",
                        name: "n.js"
                    )
                )
            }
            #expect(error?.message.contains("a lone surrogate") == true)
        }
    }
}
