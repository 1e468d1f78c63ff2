import BridgeTesting
import Foundation
import JavaScriptBridge
import Synchronization
import Testing

/// Types whose `init(from:)` validates its input: only a payload may run it.
@Suite(.noLeaks) struct ProbingTests {
    struct Link: Codable {
        enum Key: String, CodingKey { case href }
        let url: URL
        init(from decoder: any Decoder) throws {
            let text = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .href)
            guard let url = URL(string: text) else { fatalError("no URL: \(text)") }
            self.url = url
        }
        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: Key.self)
            try members.encode(url.absoluteString, forKey: .href)
        }
    }

    enum Operation: Decodable {
        enum Key: String, CodingKey { case add, sub }
        case add(Int)
        case sub(Int)
        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Key.self)
            switch members.allKeys[0] {
            case .add: self = .add(try members.decode(Int.self, forKey: .add))
            case .sub: self = .sub(try members.decode(Int.self, forKey: .sub))
            }
        }
    }

    struct Ratio: Decodable {
        enum Key: String, CodingKey { case numerator, denominator }
        let whole: Int
        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Key.self)
            let denominator = try members.decode(Int.self, forKey: .denominator)
            precondition(denominator > 0, "no ratio")
            whole = try members.decode(Int.self, forKey: .numerator) / denominator
        }
    }

    final class Tree: Decodable {
        enum Key: String, CodingKey { case leaf, a, b, c, d }
        let leaf: Int
        let parts: [Tree]
        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Key.self)
            leaf = try members.decode(Int.self, forKey: .leaf)
            parts = [Key.a, .b, .c, .d].compactMap { try? members.decode(Tree.self, forKey: $0) }
        }
    }

    static let count = Atomic(0)

    struct Counted: Codable {
        var id: Int
        init(from decoder: any Decoder) throws {
            id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
            ProbingTests.count.add(1, ordering: .relaxed)
        }
    }

    private func makeBridge(_ transport: BridgeConfiguration.Transport) throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        return try Bridge(configuration: configuration)
    }

    @Test(
        "R39 registering a handler, calling and listening run no init(from:) with values that were not sent",
        arguments: [BridgeConfiguration.Transport.direct, .text]
    )
    func registration(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try makeBridge(transport)
        try bridge.registerHandler("link") { (link: Link) in link.url.absoluteString }
        try bridge.registerHandler("operation") { (operation: Operation) in "\(operation)" }
        try bridge.registerHandler("ratio") { (ratio: Ratio) async in ratio.whole }
        try bridge.registerHandler("tree") { (tree: Tree) in tree.parts.count }
        try bridge.registerHandler("links") { (link: Link) in AsyncStream<Int> { $0.finish() } }
        let listening = bridge.on("link") { (_: Link) in }
        let function = BridgeFunction { (link: Link, ratio: Ratio) in ratio.whole }
        try await bridge.load(
            .text(
                """
                bridge.registerHandler("ratio", () => ({ numerator: 4, denominator: 2 }));
                bridge.registerHandler("links", async function* () { yield { href: "a:b" }; });
                bridge.registerHandler("use", f => f({ href: "a:b" }, { numerator: 6, denominator: 2 }));
                bridge.registerHandler("go", async () => [
                    await bridge.callHandler("link", { href: "a:b" }),
                    await bridge.callHandler("operation", { sub: 4 }),
                    await bridge.callHandler("ratio", { numerator: 9, denominator: 3 }),
                    await bridge.callHandler("tree", { leaf: 1, a: { leaf: 2 }, d: { leaf: 3 } }),
                ]);
                """,
                name: "probing.js"
            )
        )
        #expect(try await bridge.callHandler("go", returning: Value.self) == ["a:b", "sub(4)", 3, 2])
        #expect(try await bridge.callHandler("ratio", returning: Ratio.self).whole == 2)
        #expect(try await bridge.callHandler("ratio", with: 1, returning: Ratio.self).whole == 2)
        #expect(try await bridge.callHandler("use", with: function, returning: Int.self) == 3)
        for try await link in try await bridge.openStream("links", of: Link.self) {
            #expect(link.url.absoluteString == "a:b")
        }
        withExtendedLifetime(listening) {}
    }

    @Test("init(from:) runs once for each message")
    func once() async throws {
        for transport in [BridgeConfiguration.Transport.direct, .text] {
            Self.count.store(0, ordering: .relaxed)
            let bridge = try makeBridge(transport)
            try bridge.registerHandler("take") { (counted: Counted) in counted }
            try await bridge.load(
                .text(
                    """
                    bridge.registerHandler("give", () => ({ id: 4 }));
                    bridge.registerHandler("go", async () => {
                        for (let id = 0; id < 10; id++) await bridge.callHandler("take", { id });
                    });
                    """,
                    name: "once.js"
                )
            )
            #expect(Self.count.load(ordering: .relaxed) == 0, "\(transport)")
            for number in 0..<10 { let _: Counted = try await bridge.callHandler("give", with: number) }
            #expect(Self.count.load(ordering: .relaxed) == 10, "\(transport)")
            try await bridge.callHandler("go")
            #expect(Self.count.load(ordering: .relaxed) == 20, "\(transport)")
        }
    }
}
