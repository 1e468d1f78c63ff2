import BridgeData
import BridgeTesting
import CSQLite
import Foundation
import JavaScriptBridge
import Stores
import StoresSQLite
import Testing

/// Boundary cases of grants: data and names that a script must not reach or learn.
@Suite struct GrantBoundaryTests {
    // MARK: - Errors

    @Test("R39 a database trigger that ignores a change is reported to a script without the store's path")
    func ignoredChange() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("s.db").path
        let first = try SQLiteStore(location: .file(path))
        try first.createEntity(EntityDescription(name: "t", attributes: [.init("n", .integer)]))
        try first.close()
        var database: OpaquePointer?
        try #require(sqlite3_open(path, &database) == SQLITE_OK)
        let trigger = "CREATE TRIGGER x BEFORE INSERT ON t BEGIN SELECT RAISE(IGNORE); END"
        #expect(sqlite3_exec(database, trigger, nil, nil, nil) == SQLITE_OK)
        sqlite3_close(database)
        let run = try ScriptRun(store: SQLiteStore(location: .file(path)))
        let messages = try await run.run(
            "try { bridge.store().insert('t', { n: 1 }) } catch (error) { report(error.message) }"
        )
        #expect(messages == ["a trigger of the file prevents a row from being added to 't'"])
    }

    @Test("R39 each error of a store with a path in its message has another message for scripts")
    func pathsInErrors() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources").standardizedFileURL
        let paths = ["connection.place", #"\(path"#, #"\(file.path"#, #"\(configuration.path"#]
        var count = 0
        for folder in ["StoresSQLite", "Stores", "BridgeData", "DataSources"] {
            let files = FileManager.default.enumerator(
                at: root.appendingPathComponent(folder),
                includingPropertiesForKeys: nil
            )
            while let file = files?.nextObject() as? URL {
                guard file.pathExtension == "swift" else { continue }
                let text = try String(contentsOf: file, encoding: .utf8)
                for call in text.components(separatedBy: "StoreError(").dropFirst() {
                    let call = Self.upToClosing(call)
                    guard paths.contains(where: { call.contains($0) }) else { continue }
                    count += 1
                    let name = call.drop { $0 != "." }.dropFirst().prefix { $0.isLetter }
                    let code = StoreError.Code(rawValue: String(name))
                    let isOwn = code.map { StoreError($0, "/path").messageForScripts != "/path" } ?? false
                    #expect(isOwn || call.contains("forScripts:"), "\(file.lastPathComponent): \(call)")
                }
            }
        }
        #expect(count > 20)
    }

    private static func upToClosing(_ text: String) -> Substring {
        var depth = 1
        return text.prefix { character in
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            return depth > 0
        }
    }

    @Test("R31 a query of a deleted entity names no entity that is not granted")
    func goneEntity() async throws {
        var grants = BridgeGrants()
        grants.allow(.all, on: .entity("temporary"))
        let scene = try await GrantScene(.constrained, grants)
        let result = try await scene.value(
            """
            const store = bridge.store();
            try {
                store.transaction(() => {
                    store.createEntity("temporary", { n: "integer" });
                    globalThis.query = store.fetch("temporary");
                    throw new Error("undone");
                });
            } catch {}
            return query.count;
            """
        )
        #expect(result["message"] == "the store has no entity 'temporary'")
    }

    @Test("R31 a condition without values does not disclose whether an attribute exists")
    func conditionWithoutValues() async throws {
        let scene = try await GrantScene(.constrained)
        try scene.store.createEntity(
            EntityDescription(
                name: "note",
                attributes: [.init("text", .string)],
                relationships: [.toOne("item", "item")]
            )
        )
        try scene.bridge.grants.allow([.read], on: .entity("item", attributes: ["name"]))
        try scene.bridge.grants.allow([.read], on: .entity("note"))
        for condition in [
            "'item', { where: { secret: { in: [] } } }", "'item', { where: { secret: {} } }",
            "'note', { where: { 'item.secret': { in: [] } } }", "'note', { where: { 'item.secret': {} } }",
        ] {
            let result = try await scene.value("return bridge.store().fetch(\(condition)).count")
            let other = try await scene.value(
                "return bridge.store().fetch(\(condition.replacingOccurrences(of: "secret", with: "secrt"))).count"
            )
            #expect(result["error"] == "denied" && other["error"] == "denied", "\(condition)")
            #expect(
                result["message"].stringValue?.replacingOccurrences(of: "secret", with: "secrt")
                    == other["message"].stringValue
            )
        }
    }

    @Test("R31 a script's proxy in place of a row is not read by any symbol")
    func rowShapes() async throws {
        let scene = try await GrantScene(.trusted)
        let result = try await scene.value(
            """
            const keys = [], row = new Proxy({ $id: 1 }, { get(target, key) { keys.push(typeof key); return target[key] } });
            bridge.store().update("item", row, { n: 4 });
            return keys.every(kind => kind === "string");
            """
        )
        #expect(result["value"] == true)
    }

    // MARK: - Names

    @Test("R31 a name that is canonically equivalent to a denied one gives no access")
    func equivalentNames() async throws {
        var grants = BridgeGrants()
        grants.allow(.all, on: .entity("*"))
        grants.deny(.all, on: .entity("l\u{F6}hne"))
        let scene = try await GrantScene(.constrained, grants)
        try scene.store.createEntity(
            EntityDescription(name: "l\u{F6}hne", attributes: [.init("n", .integer)])
        )
        for script in [
            "bridge.store().fetch('lo\\u0308hne').count", "bridge.store().insert('lo\\u0308hne', { n: 1 })",
            "bridge.store().createEntity('lo\\u0308hne', { n: 'integer' })",
        ] {
            #expect(try await scene.outcome("return \(script)") != "ok", "\(script)")
        }
        #expect(scene.store.entities.count == 2)

        var trusted = BridgeConfiguration.patient
        trusted.grants.deny(.all, on: .store("d\u{E9}p"))
        let bridge = try Bridge(
            configuration: trusted,
            data: DataConfiguration(stores: ["d\u{E9}p": scene.store])
        )
        let outcome = try await bridge.withContext { context in
            try context.evaluate(
                "(() => { try { return bridge.store('de\\u0301p').fetch('item').count } catch { return 'none' } })()"
            ).toValue()
        }
        #expect(outcome == "none")
    }

    // MARK: - Expiry

    @Test("R31 an expired grant of data is restored only by renewing that very grant")
    func renewedData() async throws {
        let clock = ManualClock()
        let scene = try await GrantScene(.constrained, clock: clock)
        let (grants, item) = (scene.bridge.grants, DataScope.entity("item"))
        try grants.allow([.read, .observe], on: item, for: .seconds(60))
        clock.advance(by: .seconds(30))
        grants.revoke([.observe], on: item)
        #expect(grants.allows(.read, on: "item") && !grants.allows(.observe, on: "item"))
        clock.advance(by: .seconds(31))
        #expect(!grants.allows(.read, on: "item"))
        try grants.allow([.read, .observe], on: item, for: .seconds(60))
        clock.advance(by: .seconds(61))
        try grants.allow([.insert], on: item)
        grants.deny([.delete], on: item)
        grants.revoke([.observe], on: item)
        #expect(!grants.allows(.read, on: "item") && grants.allows(.insert, on: "item"))
        try grants.set(grants.current)
        #expect(!grants.allows(.read, on: "item"))
        try grants.allow([.read], on: item, for: .seconds(60))
        #expect(grants.allows(.read, on: "item"))
    }

    @Test("R31 a denial of the same name or folder renews no expired allowance")
    func renewedOthers() async throws {
        let clock = ManualClock()
        let scene = try await GrantScene(.constrained, clock: clock)
        let (grants, folder) = (scene.bridge.grants, scene.folder.path)
        try grants.allow(.all, on: .store("default"))
        try grants.allow("x", for: .seconds(60))
        try grants.allowFiles(below: folder, for: .seconds(60))
        let script = "return bridge.store().importCSV('more.csv', { entity: 'new', mode: 'insert' }).rows"
        #expect(try await scene.value(script)["value"] == 2)
        clock.advance(by: .seconds(61))
        grants.deny("x")
        grants.lift("x")
        grants.denyFiles(below: folder)
        grants.liftFiles(below: folder)
        #expect(!grants.allows("x"))
        #expect(try await scene.value(script)["error"] == "denied")
    }

    @Test("R31 R36 an expired allowance grants nothing to a trusted script")
    func endedAllowances() async throws {
        let clock = ManualClock()
        let scene = try await GrantScene(.trusted, clock: clock)
        let grants = scene.bridge.grants
        try grants.allow([.read], on: .entity("item", attributes: ["name"]), for: .seconds(60))
        try grants.allowFiles(below: scene.folder.appendingPathComponent("in").path, for: .seconds(60))
        clock.advance(by: .seconds(61))
        #expect(try await scene.outcome("return bridge.store().fetch('item').count") == "denied")
        #expect(try await scene.outcome("return bridge.store().insert('item', { n: 5 })") == "ok")
        let script = "return bridge.store().importCSV('more.csv', { entity: 'new' }).rows"
        #expect(try await scene.outcome(script) == "denied")
        try grants.set(BridgeGrants())
        #expect(try await scene.outcome(script) == "ok")
    }

    // MARK: - Parts

    @Test("R31 exporting needs the same grants as the query shows")
    func exporting() async throws {
        let scene = try await GrantScene(.constrained)
        let grants = scene.bridge.grants
        try grants.allow([.read], on: .entity("item"))
        try grants.allow([.export], on: .entity("item", attributes: ["name"]))
        let save =
            "bridge.store().fetch('item', { sort: 'secret', sectionBy: 'secret' }).saveState({ height: 1 })"
        #expect(try await scene.outcome(save) == "denied")
        #expect(scene.denials.elements.last?.operation == .export)
        try grants.allow([.export], on: .entity("item"))
        grants.revoke([.export], on: .entity("item", attributes: ["name"]))
        #expect(try await scene.outcome(save) == "ok")
    }

    @Test("R31 observing or exporting a query needs the same grants for the related rows that it uses")
    func related() async throws {
        let scene = try await GrantScene(.constrained)
        let grants = scene.bridge.grants
        try scene.store.createEntity(
            EntityDescription(
                name: "note",
                attributes: [.init("text", .string)],
                relationships: [.toOne("item", "item")]
            )
        )
        try grants.allow([.read, .observe, .export], on: .entity("note"))
        try grants.allow([.read], on: .entity("item"))
        let requests = [
            "{ sort: 'item.name' }", "{ where: { 'item.name': 'a' } }",
            "{ where: { item: { any: { name: 'a' } } } }",
        ]
        func outcomes(_ end: String) async throws -> [String] {
            var outcomes: [String] = []
            for request in requests {
                outcomes.append(try await scene.outcome("bridge.store().fetch('note', \(request)).\(end)"))
            }
            return outcomes
        }
        let (observe, export) = ("onChange(() => {})()", "saveState({ height: 1 })")
        #expect(try await outcomes(observe) == ["denied", "denied", "denied"])
        #expect(try await outcomes(export) == ["denied", "denied", "denied"])
        #expect(scene.denials.elements.last?.name == "default/item")
        try grants.allow([.observe, .export], on: .entity("item", attributes: ["n"]))
        #expect(try await outcomes(observe) == ["denied", "denied", "denied"])
        try grants.allow([.observe, .export], on: .entity("item", attributes: ["name"]))
        #expect(try await outcomes(observe) == ["ok", "ok", "ok"])
        #expect(try await outcomes(export) == ["ok", "ok", "ok"])
        #expect(try await scene.outcome("bridge.store().fetch('note').onChange(() => {})()") == "ok")
    }
}
