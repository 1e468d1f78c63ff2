import Foundation
import JavaScriptBridge
import Testing

/// The declarations of the types of a bridge's handlers.
@Suite struct TypeDeclarationTests {
    enum Role: String, Codable, CaseIterable { case admin, guest }

    struct Query: Codable {
        var name: String
        var limit: Int?
    }

    struct Person: Codable {
        var id: Int
        var name: String
        var role: Role
        var reports: [Person]
        var born: Date?
        var photo: Data?
    }

    private func makeBridge(_ transport: BridgeConfiguration.Transport = .direct) throws -> (
        Bridge, HandlerRegistration
    ) {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        configuration.describesTypes = true
        let bridge = try Bridge(configuration: configuration)
        let people = HandlerGroup("people") {
            BridgeHandler("find", description: "Finds a person.") { (query: Query) async throws -> Person? in
                nil
            }
            BridgeHandler(
                "add",
                description: HandlerDescription(
                    "Adds one; ends no comment: */, */\u{301}",
                    since: "1.2",
                    deprecation: "Use people.find."
                )
            ) { (person: Person) in }
            BridgeHandler("watch") { (name: String) in AsyncStream<Person> { $0.finish() } }
            // A name that no method of a module has.
            BridgeHandler("then") { (name: String?) in "" }
            HandlerGroup("friends") {
                BridgeHandler("count") { (id: Double) in id }
                BridgeHandler("find") { (query: Query) async throws -> [Person] in [] }
                BridgeHandler("notify") { (name: String?) in "" }
            }
        }
        let registration = try bridge.register(people)
        try bridge.registerHandler("deep." + (1...40).map(String.init).joined(separator: ".")) { (id: Int) in
            id
        }
        try bridge.registerHandler("total") { (numbers: [Double]) in numbers.reduce(0, +) }
        try bridge.registerHandler("log") { (line: String?) in }
        bridge.registerLegacy()
        return (bridge, registration)
    }

    @Test("the declarations are those that the type checker's tests use")
    func declarations() throws {
        let (bridge, registration) = try makeBridge()
        let file = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("JS/tests/types/handlers/people.d.ts")
        let expected = try String(contentsOf: file, encoding: .utf8)
        #expect(bridge.typeDeclarations == expected)
        withExtendedLifetime(registration) {}
    }

    @Test("a bridge without handlers has declarations without handlers")
    func empty() throws {
        let text = try Bridge().typeDeclarations
        #expect(text.hasSuffix("interface BridgeHandlers {\n}\n"))
        #expect(!text.contains("namespace"))
    }

    @Test("the schemas have each handler by name, with its kind")
    func schemas() throws {
        let (bridge, registration) = try makeBridge()
        let schemas = bridge.handlerSchemas
        #expect(schemas["total"]["request"] == ["type": "array", "items": ["type": "number"]])
        #expect(schemas["total"]["response"] == ["type": "number"])
        #expect(schemas["people.watch"]["kind"] == "stream")
        #expect(schemas["people.add"]["response"] == ["type": "null"])
        #expect(
            schemas["people.find"]["response"]["$defs"]["Person"]["required"] == [
                "id", "name", "role", "reports",
            ]
        )
        #expect(schemas["old"] == ["kind": "value"])
        #expect(schemas["total"]["kind"] == "sync" && schemas["people.find"]["kind"] == "value")
        withExtendedLifetime(registration) {}
    }

    @Test(
        "R39 describe() in a script has the schemas, without names of Swift types",
        arguments: [BridgeConfiguration.Transport.direct, .text]
    )
    func describe(transport: BridgeConfiguration.Transport) async throws {
        let (bridge, registration) = try makeBridge(transport)
        try await bridge.load(
            .text(
                "bridge.registerHandler('look', async () => JSON.stringify(await bridge.describe()));",
                name: "d.js"
            )
        )
        let text = try await bridge.callHandler("look", returning: String.self)
        let handlers = try JSONDecoder().decode([DescribedHandler].self, from: Data(text.utf8))
        let find = try #require(handlers.first { $0.name == "people.find" })
        #expect(find.request?["$ref"] == "#/$defs/1")
        #expect(find.request?["$defs"]["1"]["required"] == ["name"])
        #expect(find.response?["anyOf"][1] == ["type": "null"])
        let old = try #require(handlers.first { $0.name == "old" })
        #expect(old.request == nil && old.response == nil)
        for hidden in ["Query", "Person", "Role"] { #expect(!text.contains(hidden)) }
        for handler in handlers where !handler.name.hasPrefix("_wvjb.") {
            #expect(bridge.handlerSchemas[handler.name]["kind"].stringValue == handler.kind?.rawValue)
        }
        withExtendedLifetime(registration) {}
    }

    @Test(
        "data of another shape than the declarations say is decodeFailed at the call, with the property's name"
    )
    func atTheCall() async throws {
        let (bridge, registration) = try makeBridge()
        try await bridge.load(
            .text(
                "bridge.registerHandler('try', () => bridge.callHandler('people.find', { nme: 1 }).catch((e) => [e.code, e.message]));",
                name: "t.js"
            )
        )
        let seen = try await bridge.callHandler("try", returning: [String].self)
        #expect(seen[0] == "decodeFailed")
        #expect(seen[1].contains("name"))
        withExtendedLifetime(registration) {}
    }

    @Test("the declarations of what every script finds are shipped with the library")
    func shipped() {
        let text = Bridge.scriptDeclarations
        #expect(text.contains("declare const bridge: Bridge;"))
        #expect(text.contains("interface BridgeHandlers {}"))
        #expect(text.contains("AbortSignal"))
    }
}

extension Bridge {
    fileprivate func registerLegacy() {
        try? legacy.registerHandler("old") { data, reply in reply(data) }
    }
}
