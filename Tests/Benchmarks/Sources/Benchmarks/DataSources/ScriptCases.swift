import BenchmarkHarness
import BridgeData
import DataSources
import Foundation
import JavaScriptBridge
import Stores
import StoresSQLite

/// Data in scripts: live queries over a store, a script's own source, keys of a script.
@MainActor let scriptDataCases = [
    liveQueryCase(),
    changeSetCase(),
    windowCase("window.native.cold", wanted: 0.4, step: 7_919 * 60),
    windowCase("window.native.cached", wanted: 4, step: 0),
    scriptSourceCase(),
    slowestWindowCase(),
    firstRunCase("fetch.1M.js.keys.number", key: "row => row.age"),
    firstRunCase("fetch.1M.js.keys.text", key: "row => row.name"),
    sortCase("sort.js.keys.number", wanted: 4, comparator: "(a, b) => a.n - b.n", key: "object => object.n"),
    sortCase(
        "sort.js.keys.text",
        wanted: 2,
        comparator: "(a, b) => a.s < b.s ? -1 : a.s > b.s ? 1 : 0",
        key: "object => object.s"
    ),
]

/// Measures one changed row of a million, until a script's listener has the change set.
@MainActor
private func liveQueryCase() -> BenchmarkCase {
    BenchmarkCase(
        "fetch.1M.js",
        baseline: "the same UPDATE and commit by the bare C API, without capture of changes",
        wanted: 0.5
    ) {
        let people = try PeopleStore.people(1_000_000)
        let plain = try PlainSQLite(people.copy)
        let store = try SQLiteStore(location: .file(people.path))
        let bridge = try await makeBridge(
            store,
            """
            globalThis.received = 0;
            globalThis.query = bridge.store().fetch("person", { sectionBy: "country", sort: ["country", "name"] });
            query.onChange(changes => { received += changes.items.length > 0 ? 1 : 0 });
            """
        )
        var plainNames = Renaming(people.count, from: 500_009)
        var names = Renaming(people.count, from: 500_009)
        return Contest(
            plain: .synchronous { operations in
                for _ in 0..<operations { try plain.update(plainNames.next(1)) }
                return Outcome(Double(operations))
            },
            ours: .synchronous { operations in
                let before = try number(bridge, "received")
                for _ in 0..<operations {
                    let (id, name) = names.next(1)[0]
                    // The change set is delivered at the end of the turn that commits the change.
                    _ = try bridge.runtime.withContextAndWait { _ in
                        try store.write { try $0.update("person", id: id, ["name": .string(name)]) }
                    }
                }
                return Outcome(try number(bridge, "received") - before)
            },
            expected: { Double($0) }
        )
    }
}

/// Measures a change set of a thousand rows, unpacked by a script.
@MainActor
private func changeSetCase() -> BenchmarkCase {
    BenchmarkCase(
        "changes.1k.js",
        baseline:
            "none: a change set of 1,000 rows is inverted, crosses, and becomes 1,000 objects of a script",
        figure: .microseconds,
        wanted: 300
    ) {
        let store = try SQLiteStore(location: .memory)
        let bridge = try await makeBridge(
            store,
            """
            const store = bridge.store();
            store.createEntity("x", { n: "integer" });
            const query = store.fetch("x", { sort: "n" });
            query.onChange(changes => { globalThis.changes = changes; query.close(); });
            store.transaction(() => { for (let n = 0; n < 1000; n++) store.insert("x", { n }) });
            globalThis.unpack = operations => {
                let sum = 0;
                for (let operation = 0; operation < operations; operation++) sum += changes.inverse().items.length;
                return sum;
            };
            """
        )
        return Contest(
            plain: nil,
            ours: .synchronous { Outcome(try number(bridge, "unpack(\($0))")) },
            expected: { Double($0) * 1000 }
        )
    }
}

/// Measures sixty rows of a script's data source, read as a Swift type.
@MainActor
private func scriptSourceCase() -> BenchmarkCase {
    BenchmarkCase(
        "window.js",
        baseline: "JSON.stringify and JSONDecoder of the same 60 rows",
        wanted: 8
    ) {
        let bridge = try await makeBridge(try SQLiteStore(location: .memory), peopleScript)
        return Contest(
            plain: .synchronous { operations in
                Outcome(
                    try bridge.runtime.withContextAndWait { context in
                        let window = try context.globalObject.forProperty("jsonWindow")
                        let decoder = JSONDecoder()
                        var sum = 0
                        for frame in 0..<operations {
                            let from = JSValue(double: Double(frame % 16_000 * 60), in: context)
                            let text = try window.call(withArguments: [from]).toString()
                            let rows = try decoder.decode([Person].self, from: Data(text.utf8))
                            sum += rows.reduce(0) { $0 + $1.sum }
                        }
                        return Double(sum)
                    }
                )
            },
            ours: .synchronous { operations in
                try bridge.runtime.withContextAndWait { context in
                    let source = try context.dataSource(named: "people")
                    var sum = 0
                    var latencies: [Double] = []
                    latencies.reserveCapacity(operations)
                    var last = DispatchTime.now().uptimeNanoseconds
                    for frame in 0..<operations {
                        let from = frame % 16_000 * 60
                        let rows = try source.window(section: 0, from..<from + 60, as: Person.self)
                        sum += rows.reduce(0) { $0 + $1.sum }
                        let now = DispatchTime.now().uptimeNanoseconds
                        latencies.append(Double(now - last) / 1e9)
                        last = now
                    }
                    return Outcome(Double(sum), latencies: latencies)
                }
            },
            expected: { frames in
                var sum = 0
                for frame in 0..<frames {
                    let from = frame % 16_000 * 60
                    for index in from..<from + 60 { sum += index + "person \(index)".count + index % 90 + 2 }
                }
                return Double(sum)
            }
        )
    }
}

/// Measures the slowest of such windows: the ratio of the hundredth slowest of exactly 10,000 to the median.
@MainActor
private func slowestWindowCase() -> BenchmarkCase {
    BenchmarkCase(
        "window.js.p99",
        baseline:
            "what is counted: the 99th percentile of the times of exactly 10,000 windows, divided by their median",
        figure: .amount("times the median"),
        timeSource: .wall,
        wanted: 10
    ) {
        let bridge = try await makeBridge(try SQLiteStore(location: .memory), peopleScript)
        let frames = 10_000
        return Contest(
            plain: nil,
            ours: .synchronous { operations in
                try bridge.runtime.withContextAndWait { context in
                    let source = try context.dataSource(named: "people")
                    var (rows, ratio) = (0, 0.0)
                    for _ in 0..<operations {
                        var times: [UInt64] = []
                        times.reserveCapacity(frames)
                        for frame in 0..<frames {
                            let from = frame % 16_000 * 60
                            let start = DispatchTime.now().uptimeNanoseconds
                            rows += try source.window(section: 0, from..<from + 60, as: Person.self).count
                            times.append(DispatchTime.now().uptimeNanoseconds - start)
                        }
                        times.sort()
                        ratio = Double(times[frames * 99 / 100]) / Double(times[frames / 2])
                    }
                    return Outcome(Double(rows), amount: ratio)
                }
            },
            expected: { Double($0 * frames * 60) }
        )
    }
}

/// Measures the first creation of a live query of a million rows in the order of a script's function.
@MainActor
private func firstRunCase(_ name: String, key: String) -> BenchmarkCase {
    BenchmarkCase(
        name,
        baseline:
            "none: all rows go to a script's key function, are sorted by what it gives, and one window is read",
        figure: .microseconds
    ) {
        let people = try PeopleStore.people(1_000_000)
        let bridge = try await makeBridge(
            try SQLiteStore(location: .file(people.path)),
            """
            const store = bridge.store();
            globalThis.fetchByKey = () => {
                const query = store.fetch("person", { sort: \(key) });
                const count = query.count + query.window(0, 0, 60).length;
                query.close();
                return count;
            };
            """
        )
        return Contest(
            plain: nil,
            ours: .synchronous { operations in
                var sum = 0.0
                for _ in 0..<operations { sum += try number(bridge, "fetchByKey()") }
                return Outcome(sum)
            },
            expected: { Double($0) * 1_000_060 }
        )
    }
}

private struct Person: Decodable {
    var id: Int
    var name: String
    var age: Int
    var country: String

    var sum: Int { id + name.utf8.count + age + country.utf8.count }
}

private let peopleScript = """
    const list = [];
    for (let index = 0; index < 1000000; index++) {
        // Flat, like strings that were read from a file or a network.
        list.push({ id: index, name: JSON.parse('"person ' + index + '"'), age: index % 90, country: "NO" });
    }
    const window = (section, from, to) => list.slice(from, to);
    bridge.registerDataSource("people", { numberOfItems: () => list.length, window });
    globalThis.jsonWindow = from => JSON.stringify(window(0, from, from + 60));
    """

/// Creates a bridge with a store, and runs a script in it.
private func makeBridge(_ store: SQLiteStore, _ script: String) async throws -> Bridge {
    let bridge = try Bridge(data: DataConfiguration(stores: ["default": store]))
    try await bridge.load(.text(script, name: "benchmark.js"))
    return bridge
}

private func number(_ bridge: Bridge, _ script: String) throws -> Double {
    try bridge.runtime.withContextAndWait { try $0.evaluate(script).toDouble() }
}

/// Measures sixty rows of a live query of a million, with all their values read by a script.
@MainActor
private func windowCase(_ name: String, wanted: Double, step: Int) -> BenchmarkCase {
    BenchmarkCase(
        name,
        baseline: "the bare prepared SELECT of the 60 primary keys, all columns read",
        wanted: wanted
    ) {
        let people = try PeopleStore.people(1_000_000)
        let plain = try PlainSQLite(people.copy)
        let store = try SQLiteStore(location: .file(people.path))
        // The same rows on both sides, even if a previous case has renamed some.
        let controller = try FetchedResultsController(
            fetchRequest: FetchRequest(
                entityName: "person",
                sortDescriptors: [FetchRequest.SortDescriptor("age"), FetchRequest.SortDescriptor("note")]
            ),
            store: store
        )
        try controller.performFetch()
        let ids = controller.fetchedObjectIDs ?? []
        let bridge = try await makeBridge(
            store,
            """
            const query = bridge.store().fetch("person", { sort: ["age", "note"] });
            globalThis.read = (operations, step) => {
                let sum = 0, from = 0;
                for (let operation = 0; operation < operations; operation++) {
                    const rows = query.window(0, from, from + 60);
                    for (let index = 0; index < 60; index++) {
                        const row = rows[index];
                        sum += row.$id + row.country.length + row.age + row.note.length + (row.name.length > 0 ? 1 : 0);
                    }
                    from = (from + step) % 999900;
                }
                return sum;
            };
            """
        )
        return Contest(
            plain: .synchronous { operations in
                var sum = 0.0
                var from = 0
                for _ in 0..<operations {
                    sum += try plain.readWindow(ids[from..<from + 60])
                    from = (from + step) % 999_900
                }
                return Outcome(sum)
            },
            ours: .synchronous { operations in
                Outcome(
                    try bridge.runtime.withContextAndWait { context in
                        let read = try context.globalObject.forProperty("read")
                        let arguments = [operations, step].map { JSValue(double: Double($0), in: context) }
                        return try read.call(withArguments: arguments).toDouble()
                    }
                )
            },
            expected: { operations in
                var sum = 0
                var from = 0
                for _ in 0..<operations {
                    for id in ids[from..<from + 60] {
                        let number = Int(id) - 1
                        sum +=
                            Int(id) + PeopleStore.country(number).utf8.count + number % 90
                            + "A note on person \(number)".utf8.count + 1
                    }
                    from = (from + step) % 999_900
                }
                return Double(sum)
            }
        )
    }
}

/// Measures sorting a million objects of a script by a key.
@MainActor
private func sortCase(_ name: String, wanted: Double, comparator: String, key: String) -> BenchmarkCase {
    BenchmarkCase(
        name,
        baseline: "a comparator sort of the same 1,000,000 objects by the engine",
        wanted: wanted
    ) {
        let bridge = try await makeBridge(
            try SQLiteStore(location: .memory),
            """
            const syllables = [];
            for (const consonant of "bdfgklmnprst") for (const vowel of "aeiou") syllables.push(consonant + vowel);
            const objects = [];
            for (let index = 0; index < 1000000; index++) {
                let hash = Math.imul(index + 1, 0x9E3779B1) >>> 0, s = "";
                for (let part = 0; part < 5; part++) { s += syllables[hash % 60]; hash = Math.imul(hash ^ hash >>> 15, 0x85EBCA6B) >>> 0; if (part === 2) s += " " }
                // Flat, like strings that were read from a file or a network.
                objects.push({ n: index * 7919 % 1000000 * 0.5, s: JSON.parse(JSON.stringify(s)) });
            }
            const count = (sorted, key) => {
                let right = 1;
                for (let index = 1; index < sorted.length; index++) if (!(key(sorted[index]) < key(sorted[index - 1]))) right++;
                return right;
            };
            const key = \(key);
            globalThis.plain = () => count([...objects].sort(\(comparator)), key);
            globalThis.ours = () => {
                const order = bridge.order(objects, key), sorted = [];
                for (let index = 0; index < order.length; index++) sorted.push(objects[order[index]]);
                return count(sorted, key);
            };
            """
        )
        func work(_ function: String) -> Work {
            .synchronous { operations in
                var sum = 0.0
                for _ in 0..<operations { sum += try number(bridge, "\(function)()") }
                return Outcome(sum)
            }
        }
        return Contest(plain: work("plain"), ours: work("ours"), expected: { Double($0) * 1_000_000 })
    }
}
