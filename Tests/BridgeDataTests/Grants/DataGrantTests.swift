import BridgeData
import BridgeTesting
import Foundation
import JavaScriptBridge
import Stores
import StoresSQLite
import Testing

/// Parts of entities: attributes, rows by a condition, and grants that change.
@Suite struct DataGrantTests {
    private static let callers: [GrantScene.Caller] = [.constrained, .trustedDenied]

    @Test(
        "R31 an attribute that is not granted is not read, sorted, compared, grouped or written",
        arguments: callers
    )
    func attributes(caller: GrantScene.Caller) async throws {
        var grants = BridgeGrants()
        grants.allow(.all, on: .entity("item", attributes: ["name", "n"]))
        let scene = try await GrantScene(caller, grants)
        let shown = try await scene.value(
            """
            const store = bridge.store(), query = store.fetch("item", { sort: "name" });
            const keys = [];
            store.fetch("item", { sort: row => { keys.push(Object.keys(row).join()); return row.n } });
            return { entities: Object.keys(store.entities.item), rows: query.window().map(row => ({ ...row })), keys,
                secret: query.item(0, 0).secret, json: JSON.stringify(query.window()) };
            """
        )["value"]
        #expect(shown["entities"] == ["name", "n"])
        #expect(shown["rows"][0]["n"] == 1 && shown["secret"] == .undefined)
        #expect(shown["keys"].arrayValue?.allSatisfy { !($0.stringValue ?? "").contains("secret") } == true)
        #expect(!(shown["json"].stringValue ?? "hidden").contains("hidden"))
        let forbidden = [
            "bridge.store().fetch('item', { sort: 'secret' })",
            "bridge.store().fetch('item', { sort: { key: 'secret', ascending: false } })",
            "bridge.store().fetch('item', { where: { secret: { beginsWith: 'h' } } })",
            "bridge.store().fetch('item', { where: { or: [{ not: { secret: 'x' } }] } })",
            "bridge.store().fetch('item', { sectionBy: 'secret' })",
            "bridge.store().insert('item', { name: 'z', secret: 'x' })",
            "bridge.store().update('item', 1, { secret: 'x' })",
            "bridge.store().upsert('item', 'name', { name: 'a', secret: 'x' })",
            "bridge.store().upsert('item', 'secret', { name: 'a' })",
            "bridge.store().fetch('item').update(1, { secret: 'x' })",
        ]
        for script in forbidden {
            let before = scene.denials.elements.count
            #expect(try await scene.outcome(script) == "denied", "\(script)")
            #expect(scene.denials.elements.count > before, "\(script)")
            #expect(scene.denials.elements.last?.reason == .attribute, "\(script)")
            // The errors for an existing and a missing attribute differ only in their names.
            let other = script.replacingOccurrences(of: "secret", with: "nosuch")
            #expect(
                try await scene.value(script)["message"].stringValue?.replacingOccurrences(
                    of: "secret",
                    with: "nosuch"
                )
                    == scene.value(other)["message"].stringValue
            )
        }
        let secrets = try scene.store.read {
            try $0.fetch(FetchRequest(entityName: "item")).map { $0["secret"] }
        }
        #expect(secrets == [.string("hidden-a"), .string("hidden-b"), .string("hidden-c")])
    }

    @Test(
        "R31 rows that are not granted are not read, counted, found or changed in any way",
        arguments: callers
    )
    func rows(caller: GrantScene.Caller) async throws {
        var grants = BridgeGrants()
        grants.allow(.all, on: .entity("item", rows: ["n": ["lt": 3]]))
        let scene = try await GrantScene(caller, grants)
        let seen = try await scene.value(
            """
            const store = bridge.store(), query = store.fetch("item", { sort: "n" }), names = [];
            store.fetch("item", { filter: row => { names.push(row.name); return true } });
            return [query.count, query.window().map(row => row.name), query.indexOf(3) === undefined, names.sort(),
                store.fetch("item", { where: { or: [{ n: 3 }, { n: { gt: 0 } }] } }).count,
                query.snapshot().sections[0].ids, store.update("item", 3, { name: "q" }), store.delete("item", 3)];
            """
        )["value"]
        #expect(seen == [2, ["a", "b"], true, ["a", "b"], 2, [1, 2], false, false])
        let refused = [
            "bridge.store().insert('item', { name: 'z', n: 5 })",
            "bridge.store().insert('item', { name: 'z' })",
            "bridge.store().update('item', 1, { n: 5 })",
            "bridge.store().upsert('item', 'name', { name: 'a', n: 7 })",
            "bridge.store().upsert('item', 'name', { name: 'c', n: 1 })",
            "bridge.store().transaction(() => { bridge.store().update('item', 1, { n: 9 }) })",
        ]
        for script in refused {
            #expect(try await scene.outcome(script) == "denied", "\(script)")
            #expect(scene.denials.elements.last?.reason == .row, "\(script)")
        }
        let content = try scene.store.read {
            try $0.fetch(FetchRequest(entityName: "item")).map { [$0["name"], $0["n"]] }
        }
        #expect(
            content == [
                [.string("a"), .integer(1)], [.string("b"), .integer(2)], [.string("c"), .integer(3)],
            ]
        )
        #expect(try await scene.outcome("bridge.store().update('item', 1, { n: 2 })") == "ok")
        #expect(try await scene.outcome("bridge.store().insert('item', { name: 'z', n: -1 })") == "ok")
    }

    @Test("R31 a listener receives rows as inserted and deleted when they start and stop being granted")
    func observed() async throws {
        var grants = BridgeGrants()
        grants.allow([.read, .observe], on: .entity("item", attributes: ["name"], rows: ["n": ["lt": 3]]))
        let scene = try await GrantScene(.constrained, grants)
        _ = try await scene.value(
            """
            globalThis.seen = [];
            globalThis.query = bridge.store().fetch("item", { sort: "name" });
            query.onChange(changes => seen.push([changes.counts.rows.inserted, changes.counts.rows.deleted, query.window().map(row => row.name).join()]));
            """
        )
        for (id, n) in [(1, 9), (3, 0)] as [(RowID, Int64)] {
            try scene.store.write { _ = try $0.update("item", id: id, ["n": .integer(n)]) }
            try await scene.turn()
        }
        // Neither a row that is not granted nor an attribute that is not granted.
        try scene.store.write { _ = try $0.update("item", id: 2, ["secret": .string("other")]) }
        try await scene.turn()
        try scene.store.write { _ = try $0.update("item", id: 1, ["name": .string("outside")]) }
        try await scene.turn()
        let seen = try await scene.value("return seen")["value"]
        #expect(seen == [[0, 1, "b"], [1, 0, "b,c"]])
    }

    @Test("R31 observing needs the same grants as reading: fewer are denied")
    func observing() async throws {
        var grants = BridgeGrants()
        grants.allow([.read], on: .entity("item"))
        grants.allow([.observe], on: .entity("item", rows: ["n": 1]))
        let scene = try await GrantScene(.constrained, grants)
        #expect(try await scene.outcome("bridge.store().fetch('item').onChange(() => {})") == "denied")
        #expect(scene.denials.elements.last?.operation == .observe)
    }

    @Test("R31 a denial has priority over an allowance, and the most specific allowance decides alone")
    func precedence() async throws {
        var grants = BridgeGrants()
        grants.allow([.read], on: .store("default"))
        grants.allow([.read], on: .entity("it*", attributes: ["n"]))
        grants.allow([.read], on: .entity("item", attributes: ["name", "secret"]))
        grants.deny([.read], on: .entity("*", attributes: ["secret"]))
        let scene = try await GrantScene(.constrained, grants)
        let names = "return Object.keys(bridge.store().entities.item)"
        #expect(try await scene.value(names)["value"] == ["name"])
        scene.bridge.grants.revoke([.read], on: .entity("item", attributes: ["name", "secret"]))
        #expect(try await scene.value(names)["value"] == ["n"])
        scene.bridge.grants.deny([.read], on: .entity("item", rows: ["n": 2]))
        #expect(
            try await scene.value(
                "return bridge.store().fetch('item', { sort: 'n' }).window().map(row => row.n)"
            )["value"] == [1, 3]
        )
        scene.bridge.grants.deny([.read], on: .entity("item"))
        #expect(try await scene.outcome("bridge.store()") == "ok")
        #expect(try await scene.outcome("bridge.store().fetch('item')") == "denied")
        #expect(scene.denials.elements.last?.reason == .denied)
    }

    @Test("R31 revoked and expired grants end queries and listeners")
    func revoked() async throws {
        let clock = ManualClock()
        var grants = BridgeGrants()
        grants.allow([.read, .observe], on: .entity("item"), for: .seconds(10))
        let scene = try await GrantScene(.constrained, clock: clock, grants)
        _ = try await scene.value(
            """
            globalThis.received = 0; globalThis.asked = 0;
            globalThis.query = bridge.store().fetch("item", { sort: row => { asked++; return row.n } });
            query.onChange(() => { received++ });
            """
        )
        try scene.store.write { _ = try $0.update("item", id: 1, ["n": .integer(7)]) }
        try await scene.turn()
        #expect(try await scene.value("return [received, query.count]")["value"] == [1, 3])
        let asked = try await scene.value("return asked")["value"]
        clock.advance(by: .seconds(11))
        try scene.store.write { _ = try $0.update("item", id: 1, ["n": .integer(8)]) }
        try await scene.turn()
        #expect(try await scene.value("return [received, asked]")["value"] == [1, asked])
        #expect(try await scene.outcome("query.count") == "denied")
        #expect(scene.uncaught.elements.first?.code == "denied")
        #expect(scene.bridge.grants.current.dataRules.count == 1)
        #expect(!scene.bridge.grants.allows(.read, on: "item"))
    }

    @Test("R31 a query of related rows is granted only if all rows that it uses may be read")
    func related() async throws {
        let scene = try await GrantScene(.constrained)
        try scene.store.createEntity(
            EntityDescription(
                name: "note",
                attributes: [.init("text", .string)],
                relationships: [.toOne("item", "item")]
            )
        )
        try scene.store.write {
            _ = try $0.insert(into: "note", ["text": .string("t"), "item": .integer(3)])
        }
        try scene.bridge.grants.allow([.read], on: .entity("note"))
        let ways = [
            "bridge.store().fetch('note', { sort: 'item.secret' })",
            "bridge.store().fetch('note', { where: { 'item.secret': { beginsWith: 'h' } } })",
            "bridge.store().fetch('note', { where: { item: { any: { secret: 'hidden-c' } } } })",
            "bridge.store().fetch('note', { where: { item: { count: 1 } } })",
        ]
        for way in ways { #expect(try await scene.outcome(way) != "ok", "\(way)") }
        try scene.bridge.grants.allow([.read], on: .entity("item", rows: ["n": 1]))
        for way in ways { #expect(try await scene.outcome(way) != "ok", "\(way)") }
        scene.bridge.grants.revoke([.read], on: .entity("item", rows: ["n": 1]))
        try scene.bridge.grants.allow([.read], on: .entity("item", attributes: ["name"]))
        for way in ways.prefix(3) { #expect(try await scene.outcome(way) == "denied", "\(way)") }
        #expect(try await scene.outcome("bridge.store().fetch('note', { sort: 'item.name' })") == "ok")
        try scene.bridge.grants.allow([.read], on: .entity("item"))
        scene.bridge.grants.revoke([.read], on: .entity("item", attributes: ["name"]))
        for way in ways { #expect(try await scene.outcome(way) == "ok", "\(way)") }
    }

    @Test("R31 a condition that is invalid for its entity grants nothing, and only the audit gets the reason")
    func wrongCondition() async throws {
        var grants = BridgeGrants()
        grants.allow([.read], on: .entity("item", rows: ["tenant": 5]))
        let scene = try await GrantScene(.constrained, grants)
        let refused = try await scene.value("bridge.store().fetch('item')")
        #expect(refused["error"] == "denied")
        #expect(!(refused["message"].stringValue ?? "tenant").contains("tenant"))
        #expect(scene.denials.elements.last?.detail?.contains("tenant") == true)
    }

    @Test(
        "R31 a grant of attributes that the entity does not have is denied by name, not as an invalid request"
    )
    func misspeltAttribute() async throws {
        var grants = BridgeGrants()
        grants.allow([.read], on: .entity("item", attributes: ["nmae"]))
        let scene = try await GrantScene(.constrained, grants)
        let refused = try await scene.value("bridge.store().fetch('item').count")
        #expect(refused["error"] == "denied")
        #expect(scene.denials.elements.last?.detail?.contains("no attribute that the entity has") == true)
    }

    @Test("R31 a script does not learn the name of anything that it is not granted")
    func names() async throws {
        var grants = BridgeGrants()
        grants.allow([.read], on: .entity("other"))
        let scene = try await GrantScene(.constrained, grants)
        let results = try await scene.value(
            """
            const attempt = body => { try { return body() } catch (error) { return error.message } };
            return [Object.keys(bridge.store().entities), attempt(() => bridge.store().fetch("item")),
                attempt(() => bridge.store().fetch("none")), attempt(() => bridge.store("secret store")),
                attempt(() => bridge.dataSource("none")), attempt(() => bridge.store().fetch("other"))];
            """
        )["value"]
        #expect(results[0] == [])
        let messages = (results.arrayValue ?? []).dropFirst().compactMap(\.stringValue)
        #expect(messages.count == 5)
        #expect(messages[0].replacingOccurrences(of: "item", with: "none") == messages[1])
        #expect(
            messages.dropFirst(2).allSatisfy {
                !$0.contains("item") && !$0.contains("shown") && !$0.contains("default/s")
            }
        )
    }

    @Test(
        "R31 `describe` lists the data that is granted",
        arguments: [BridgeConfiguration.Transport.direct, .text]
    )
    func described(transport: BridgeConfiguration.Transport) async throws {
        var grants = BridgeGrants()
        grants.allow([.read, .update], on: .entity("item", attributes: ["name"], rows: ["n": 1]))
        grants.allow([.read], on: .source("shown"))
        let scene = try await GrantScene(.constrained, over: transport, grants)
        let text = """
            WebViewJavascriptBridge.disableJavscriptAlertBoxSafetyTimeout();
            bridge.registerHandler("list", async () => (await bridge.describe()).map(entry => ({ ...entry })));
            """
        try await scene.bridge.load(.text(text, name: "describe.js"))
        // Called from Swift, because with the text transport a script cannot call a side that has not shown that it
        // supports extensions.
        let listed = try await scene.bridge.callHandler("list", returning: Value.self)
        #expect(
            listed == [
                [
                    "name": "default/item", "kind": "data", "operations": ["read", "update"],
                    "attributes": ["name"], "hasAllRows": false,
                ],
                ["name": "source shown", "kind": "data", "operations": ["read"]],
            ]
        )
    }

    @Test("R31 the constrained tier rejects grants of data and files without a name")
    func tiers() {
        func refusal(_ change: (inout BridgeGrants) -> Void) -> String? {
            var grants = BridgeGrants()
            change(&grants)
            do {
                try grants.validated(for: .constrained)
                return nil
            } catch {
                return error.field
            }
        }
        #expect(refusal { $0.allow([.read], on: .store("*")) } == "the name in an allowance of data")
        #expect(refusal { $0.allow([.read], on: .source("*")) } == "the name in an allowance of data")
        #expect(refusal { $0.allowFiles(below: "/") } == "the folder of an allowance")
        #expect(refusal { $0.allowFiles(below: "/.//") } == "the folder of an allowance")
        #expect(
            refusal { $0.allowFiles(below: "/a", maximumBytes: .max) }
                == "maximumBytes of the files below \"/a\""
        )
        #expect(
            refusal {
                $0.allow(.all, on: .store("default"))
                $0.deny(.all, on: .store("*"))
            } == nil
        )
    }
}
