import BridgeData
import BridgeProtocol
import BridgeTesting
import DataSources
import Foundation
import JavaScriptBridge
import Stores
import StoresSQLite
import Testing

/// The journal of all that scripts do with stores is complete: a replay has no store.
// Waiting for a report that never comes would not end.
@Suite("Replay: data", .serialized, .timeLimit(.minutes(10)))
struct DataJournalTests {
    private static let cities = """
        const store = bridge.store();
        store.createEntity("city", { name: { type: "string", unique: true, optional: false }, country: "string", people: "integer",
            area: "double", founded: "date", flag: "data", isCapital: "boolean" });
        store.transaction(() => {
            for (const [name, country, people] of [["Oslo", "NO", 7], ["Bergen", "NO", 3], ["Kraków", "PL", 8], ["Łódź", "PL", 6], ["東京", "JP", 140]])
                store.insert("city", { name, country, people, area: people / 3, founded: new Date(1000 * people),
                    flag: new Uint8Array([people, 1, 2]), isCapital: name === "Oslo" });
        });
        const byCountry = store.fetch("city", { sectionBy: "country", sort: ["country", "name"] });

        """

    /// Scripts that use the whole data API, each with its number of reports.
    private static let scripts: [(name: String, text: String, reports: Int)] = [
        (
            "rows",
            """
            report([byCountry.count, byCountry.numberOfSections, [0, 1, 2, 3, -1].map(s => byCountry.numberOfItems(s))]);
            report(byCountry.section(1));
            for (const row of byCountry) report({ ...row });
            report(byCountry.window(2, 0, 10).map(row => [row.name, row.flag, row.founded, row.area, row.isCapital]));
            report([byCountry.item(9, 0) === undefined, byCountry.indexOf(byCountry.item(2, 1)), Object.keys(byCountry.item(0, 0))]);
            report(store.entities);
            report(store.fetch("city", { where: { or: [{ name: { contains: "ó" } }, { country: { in: ["JP"] } }] }, sort: "name" }).rows.map(r => r.name));
            """, 10
        ),
        (
            "listeners",
            """
            const other = store.fetch("city", { sort: "people" });
            const before = byCountry.snapshot();
            byCountry.onChange(changes => {
                report([changes.toString(), changes.sections, changes.items, changes.packed, changes.ids]);
                const fresh = store.fetch("city", { sectionBy: "country", sort: ["country", "name"] }).snapshot();
                report([before.applying(changes).equals(fresh), fresh.applying(changes.inverse()).equals(before)]);
                Promise.resolve().then(() => report("after " + other.count));
                if (byCountry.count < 8) store.insert("city", { name: "More " + byCountry.count, country: "XX", people: 1 });
                else byCountry.close();
            });
            other.onChange(changes => { report(other.window(0, 0, 3).map(r => r.name)); if (other.count > 6) throw new Error("mine"); }),
            store.transaction(() => {
                store.insert("city", { name: "Nice", country: "FR", people: 3 });
                store.delete("city", byCountry.item(0, 0));
                store.update("city", byCountry.item(1, 1), { people: 8 });
                store.update("city", byCountry.item(2, 0), { name: "Żory" });
            });
            report(["after the transaction", byCountry.count]);
            setTimeout(() => { store.upsert("city", "name", { name: "Oslo", people: 700 }); other.close(); }, 0);
            """, 8
        ),
        (
            "transactions",
            """
            const mine = new Error("mine");
            try { store.transaction(() => { store.insert("city", { name: "A" }); throw mine }) } catch (e) { report(e === mine) }
            try { store.transaction(() => { throw 5 }) } catch (e) { report(e) }
            store.transaction(() => {
                store.insert("city", { name: "B" });
                try { store.transaction(() => { store.insert("city", { name: "C" }); throw mine }) } catch (e) { report(e === mine) }
            });
            try { store.transaction(async () => { store.insert("city", { name: "D" }) }) } catch (e) { report(e.message) }
            report(store.fetch("city", { where: { name: { in: ["A", "B", "C", "D"] } }, sort: "name" }).rows.map(r => r.name));
            try { store.insert("city", { name: "Oslo" }) } catch (e) { report([e.code, e.message, e instanceof Error, e.name]) }
            try { store.insert("city", { name: 5 }) } catch (e) { report([e.code, e.message]) }
            try { store.insert("city", { nam: "x" }) } catch (e) { report(e.code) }
            try { bridge.store("none") } catch (e) { report(e.code) }
            try { store.insert("city", { get name() { throw mine } }) } catch (e) { report(e === mine) }
            let reads = 0;
            store.insert("city", { get name() { return "read " + ++reads } });
            report([reads, store.transaction(() => 42)]);
            report({ "@": 1, list: [{ "@": ["host", 1] }] });
            """, 12
        ),
        (
            "key functions",
            """
            let calls = 0;
            const byLength = store.fetch("city", { filter: row => row.people < 100, sort: [{ key: row => { calls++; return row.name.length }, ascending: false }, "name"] });
            report([byLength.rows.map(r => r.name), calls]);
            byLength.onChange(changes => { report([changes.items, byLength.rows.map(r => r.name), calls]); byLength.close() });
            store.transaction(() => { store.insert("city", { name: "Nowy Targ", people: 2 }); store.insert("city", { name: "Paris", people: 200 }) });
            const bad = new Error("bad");
            try { store.fetch("city", { sort: () => { throw bad } }).count } catch (e) { report(e === bad) }
            report(Array.from(bridge.order(["b", "c", "a"], (x) => x)));
            report(Array.from(bridge.order([3, 1, 2], (x) => x, { ascending: false })));
            report(bridge.difference([1, 2, 3], [3, 1, 4]).items);
            report(bridge.difference(new Int32Array([1, 2]), new Int32Array([2])).packed);
            """, 7
        ),
        (
            "state",
            """
            const view = { height: 2, offset: 1, selection: [{ section: 0, item: 0 }], values: { filter: "x" } };
            const state = byCountry.saveState(view);
            delete state.time;
            report(state);
            report(byCountry.restoreState(JSON.stringify(state), view));
            try { byCountry.restoreState("{}") } catch (e) { report(e.code) }
            """, 3
        ),
    ]

    private func record(_ script: String, reports: Int) async throws -> Journal {
        let run = try RecordedRun()
        try await run.run(Self.cities + script)
        await run.results.expect(reports)
        #expect(
            !run.results.elements.contains { $0.stringValue?.hasPrefix("uncaught") == true }
                || script.contains("\"mine\""),
            "\(run.results.elements)"
        )
        return try await run.end()
    }

    @Test("The data calls of a script replay without the store, bit for bit", arguments: 0..<5)
    func replays(number: Int) async throws {
        let script = Self.scripts[number]
        let journal = try await record(script.text, reports: script.reports)
        for _ in 0..<2 {
            let report = try await JournalReplay(journal).run()
            #expect(report.divergence == nil, "\(script.name): \(report)")
            #expect(report.entryCount == journal.entries.count)
        }
        #expect(try Journal(journal.text) == journal)
    }

    @Test("A recorded script gets the same results as one that is not recorded", arguments: 0..<4)
    func changesNothing(number: Int) async throws {
        let script = Self.scripts[number]
        let recorded = try RecordedRun()
        try await recorded.run(Self.cities + script.text)
        await recorded.results.expect(script.reports)
        let plain = try ScriptRun()
        try await plain.run(Self.cities + script.text)
        await plain.results.expect(script.reports)
        #expect(recorded.results.elements == plain.results.elements)
        _ = try await recorded.end()
    }

    @Test("A changed script diverges at its first different call of the store")
    func divergence() async throws {
        let journal = try await record(Self.scripts[0].text, reports: 10)
        let changed = try Journal(journal.text.replacing("people / 3", with: "people / 4"))
        let found = try #require(try await JournalReplay(changed).run().divergence)
        guard case .dataCall("insert", let actual)? = found.actual else {
            return #expect(Bool(false), "\(found)")
        }
        #expect(actual.last?["area"] == .double(1.75))
        #expect("\(found)".contains("\"function\":\"insert\""))
        // Another result of the store shows where the script uses it differently.
        let title = "\"indexTitle\":\"N\""
        let answer = try #require(journal.text.range(of: title))
        let forged = try Journal(journal.text.replacingCharacters(in: answer, with: "\"indexTitle\":\"S\""))
        guard case .received? = try await JournalReplay(forged).run().divergence?.actual else {
            return #expect(Bool(false), "the forged answer was not found")
        }
    }

    @Test(
        "A journal that was cut anywhere replays up to that point, also in the middle of a call",
        arguments: [1, 2, 3]
    )
    func cut(number: Int) async throws {
        let script = Self.scripts[number]
        let whole = try await record(script.text, reports: script.reports)
        for count in stride(from: 2, to: whole.entries.count - 1, by: 7) {
            let part = Journal(header: whole.header, entries: Array(whole.entries[..<count]))
            let report = try await JournalReplay(part).run()
            #expect(report.divergence == nil, "\(count) of \(whole.entries.count): \(report)")
        }
        for count in stride(from: 1, to: whole.entries.count, by: 13) {
            let report = try await JournalReplay(whole).run(first: count)
            #expect(report.divergence == nil && report.entryCount >= count, "\(count): \(report)")
        }
    }

    @Test("Two contexts of one run have separate data; native objects are numbered again")
    func reload() async throws {
        let run = try RecordedRun()
        try await run.run(
            Self.cities
                + "report(byCountry.count); byCountry.onChange(() => report('old')); byCountry.unref()"
        )
        await run.results.expect(1)
        try await run.bridge.reload()
        try await run.run(
            "const store = bridge.store(); const all = store.fetch('city', { sort: 'name' }); report(all.rows.map(r => r.name)); all.onChange(c => { report(c.items); all.close() }); store.insert('city', { name: 'Zermatt' })"
        )
        await run.results.expect(3)
        let journal = try await run.end()
        let report = try await JournalReplay(journal).run()
        #expect(report.divergence == nil && report.entryCount == journal.entries.count, "\(report)")
    }

    @Test("Commits of others reach a script in the same order as when it was recorded")
    func otherCommits() async throws {
        let run = try RecordedRun()
        try await run.run(
            Self.cities
                + "byCountry.onChange(c => report([c.toString(), byCountry.count])); byCountry.unref()"
        )
        for number in 0..<5 {
            _ = try run.store.write { transaction in
                try transaction.insert(
                    into: "city",
                    ["name": .string("Other \(number)"), "country": .string("NO")]
                )
            }
            await run.results.expect(number + 1)
        }
        let journal = try await run.end()
        let report = try await JournalReplay(journal).run()
        #expect(report.divergence == nil && report.entryCount == journal.entries.count, "\(report)")
    }

    @Test("A journal with data shrinks to the calls that its failure needs, and still replays")
    func shrinking() async throws {
        let run = try RecordedRun()
        try await run.run(
            Self.cities
                + "bridge.registerHandler('add', ({ name }) => store.insert('city', { name, people: 1 }))"
        )
        for number in 0..<12 {
            let name = number == 7 ? "Oslo" : "City \(number)"
            _ = try? await run.bridge.callHandler("add", with: ["name": name], returning: Int.self)
        }
        let journal = try await run.end()
        let shrunk = try #require(try await JournalReplay(journal).shrink(.errorCode("store.notUnique")))
        #expect(shrunk.entries.count < journal.entries.count)
        let calls = shrunk.entries.count {
            if case .sent(let message) = $0 { message.handlerName == "add" } else { false }
        }
        #expect(calls == 1, "\(shrunk.text)")
        let report = try await JournalReplay(shrunk).run()
        #expect(report.divergence == nil && report.errorCodes.contains("store.notUnique"), "\(report)")
        #expect(try Journal(shrunk.text) == shrunk)
        // The same for a journal that diverges.
        let forged = try Journal(
            journal.text.replacing(
                "\"name\":\"City 9\",\"people\":1",
                with: "\"name\":\"City 9\",\"people\":2"
            )
        )
        let small = try #require(try await JournalReplay(forged).shrink(.divergence))
        #expect(small.entries.count < forged.entries.count)
        #expect(try await JournalReplay(small).run().divergence != nil)
    }

    @Test(
        "R30 faults of messages leave the data intact and nothing behind, and the same faults give the same report",
        .noLeaks
    )
    func faults() async throws {
        let run = try RecordedRun()
        try await run.run(
            Self.cities
                + "byCountry.onChange(c => report(c.items)); byCountry.unref(); bridge.registerHandler('add', ({ name }) => store.insert('city', { name, people: 1 }))"
        )
        for number in 0..<6 {
            _ = try await run.bridge.callHandler("add", with: ["name": "City \(number)"], returning: Int.self)
        }
        let replay = JournalReplay(try await run.end())
        let faults = [
            Fault(.drop, at: 3), Fault(.duplicate, at: 5), Fault(.reload, at: 9), Fault(.corrupt, at: 11),
        ]
        let report = try await replay.run(with: faults)
        #expect(report.faults == faults && report.answers, "\(report)")
        #expect(try await replay.run(with: faults) == report)
    }

    @Test(
        "R38 secrets of rows are not in a journal, in objects or in columns, and it replays",
        arguments: [true, false]
    )
    func secrets(redacts: Bool) async throws {
        struct Account: Codable, Sendable {
            var secretWord: Secret<String>
            var secretCode: Secret<Int>
        }
        let run = try RecordedRun(redactsSecrets: redacts)
        try run.bridge.registerHandler("account") { (_: Account) in }
        // Built at run time, so that the code of the script does not contain it.
        try await run.run(
            """
            const store = bridge.store(), word = ["can", "ary"].join("") + 17;
            store.createEntity("account", { user: "string", secretWord: "string", secretCode: "integer" });
            const id = store.insert("account", { user: "ann", secretWord: word, secretCode: 4711 * 1009 });
            store.update("account", id, { secretWord: word + "!" });
            const all = store.fetch("account", { sort: "user" });
            report(all.rows.map(row => row.user));
            const byWord = store.fetch("account", { filter: row => row.secretWord !== "", sort: row => row.user });
            report(byWord.count);
            // What a script's functions make of a secret, and what rows are grouped by.
            report([...store.fetch("account", { sort: row => row.secretWord + row.secretCode })].length);
            const grouped = store.fetch("account", { sectionBy: "secretWord" });
            report(grouped.section(0).count);
            report(grouped.snapshot().sections.length);
            const computed = store.fetch("account", { sectionBy: row => "by " + row.secretWord });
            report(computed.section(0).count);
            report(bridge.order([...all], row => row.secretWord).length);
            report(bridge.order([...all], row => row.secretCode).length);
            report(bridge.difference(Float64Array.from(all, row => row.secretCode), new Float64Array([1])).items.length);
            // A group that is none stays as it is.
            report(store.fetch("account", { sectionBy: "user" }).section(0).name);
            store.transaction(() => {
                const rows = all.window(0, 0, 5);
                store.delete("account", id);
                report([rows[0].user, all.window(0, 0, 5)[0] === undefined]);
            });
            """
        )
        await run.results.expect(11)
        let journal = try await run.end()
        let text = journal.text
        #expect(text.contains("canary17") != redacts && text.contains("\(4711 * 1009)") != redacts)
        #expect(text.contains(#""name":"ann""#))
        #expect(text.contains("[secret]") == redacts)
        // Columns of numbers are bytes in a journal.
        let code = withUnsafeBytes(of: Double(4711 * 1009).bitPattern.littleEndian) { Data($0) }
        let cells = journal.entries.flatMap(\.bytes)
        #expect(!cells.isEmpty && cells.contains { $0.range(of: code) != nil } != redacts)
        let report = try await JournalReplay(journal).run()
        #expect(report.divergence == nil, "\(report)")
    }

    @Test("A journal with data that was edited by hand ends in a divergence or an error, never in a crash")
    func forged() async throws {
        let journal = try await record(Self.scripts[3].text, reports: 7)
        let lines = journal.text.split(separator: "\n").map(String.init)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20 {
            var changed = lines
            let index = Int.random(in: 2..<lines.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: changed.remove(at: index)
            case 1: changed.insert(lines[Int.random(in: 1..<lines.count, using: &generator)], at: index)
            case 2: changed[index] = changed[index].replacing("\"@\":[\"", with: "\"@\":[\"x")
            default: changed[index] = changed[index].replacing("1", with: "7")
            }
            guard let forged = try? Journal(changed.joined(separator: "\n") + "\n") else { continue }
            var replay = JournalReplay(forged)
            // A changed count makes a script loop until it is stopped.
            replay.timeLimit = .milliseconds(200)
            _ = try? await replay.run()
        }
    }
}

extension JournalEntry {
    /// The bytes of all typed arrays in the journal.
    fileprivate var bytes: [Data] {
        switch self {
        case .dataReturn(.success(let value)): value.bytesInside
        case .dataCall(_, let arguments), .dataCallback(_, _, let arguments): arguments.flatMap(\.bytesInside)
        default: []
        }
    }
}

extension Value {
    fileprivate var bytesInside: [Data] {
        switch self {
        case .bytes(let data): [data]
        case .array(let elements): elements.flatMap(\.bytesInside)
        case .object(let object): object.members.flatMap(\.value.bytesInside)
        default: []
        }
    }
}
