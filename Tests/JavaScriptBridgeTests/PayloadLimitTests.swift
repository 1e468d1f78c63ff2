import BridgeTesting
import Foundation
import JavaScriptBridge
import Testing

/// Payloads of few values and much text: one string in thousands of positions.
@Suite struct PayloadLimitTests {
    private static let places = 2_000

    private static func makeBridge(_ transport: BridgeConfiguration.Transport) async throws -> Bridge {
        let script = """
            const big = "x".repeat(1 << 20);
            const many = count => Array(count).fill(big);
            bridge.registerHandler("many", many);
            bridge.registerHandler("count", list => list.length);
            bridge.registerHandler("items", async function* () { yield many(2); yield many(\(places)); });
            """
        return try await Bridge.patient(transport, running: synchronousMode + script) {
            // 8 MiB of text with either wire.
            $0.limits.maximumMessageLength = 8 << 20
        }
    }

    private static func code(_ body: () async throws -> Void) async -> BridgeErrorCode? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? BridgeError)?.code
        }
    }

    @Test(
        "R9 an array is refused by its length, before any of it is read",
        arguments: InterruptedCallTests.transports
    )
    func sparseLists(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(transport)
        try bridge.registerHandler("data") { (_: Value) in 1 }
        let codes = try await bridge.run(
            """
            const long = [], sparse = [];
            long.length = 400_000_000;
            sparse[30_000_000] = 1;
            const proxy = new Proxy([], { get: (list, name) => name === "length" ? 4294967295 : list[name] });
            const codes = [];
            for (const data of [long, sparse, proxy, { inside: long }]) {
                try { await bridge.callHandler("data", data); codes.push("none"); } catch (error) { codes.push(error.code); }
            }
            return codes;
            """
        )
        #expect(codes == ["limitExceeded", "limitExceeded", "limitExceeded", "limitExceeded"])
    }

    @Test("R22 a line of the log has a bounded part of a name that a script chose")
    func longNames() async throws {
        let log = Recorder<String>()
        let bridge = try await Bridge.patient(.direct, log: log)
        _ = try await bridge.run("bridge.notify('x'.repeat(1_000_000)); return 0")
        #expect(await log.wait(for: 1))
        #expect(log.elements.allSatisfy { $0.utf8.count < 20_000 })
    }

    @Test(
        "R9 a script's message is counted before it is copied, and refused by name",
        arguments: InterruptedCallTests.transports
    )
    func fromScript(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(transport)
        try bridge.registerHandler("data") { (value: Value) in value.arrayValue?.count ?? 0 }
        try bridge.registerHandler("strings") { (list: [String]) in list.count }
        let codes = try await bridge.run(
            """
            const codes = [];
            for (const name of ["data", "strings"]) {
                codes.push(await bridge.callHandler(name, many(3)));
                for (const data of name === "data" ? [many(\(Self.places)), Array(\(Self.places)).fill({ [big]: 1 })] : [many(\(Self.places))]) {
                    try { await bridge.callHandler(name, data); } catch (error) { codes.push(error.code); }
                    try { bridge.notify(name, data); } catch (error) { codes.push(error.code); }
                }
            }
            return codes;
            """
        )
        let list = try #require(codes.arrayValue)
        #expect(list.filter { $0 == 3 }.count == 2)
        // In one direction only the log reports that a message does not fit the handler's type.
        #expect(list.filter { $0 == "limitExceeded" }.count >= 5)
        #expect(list.allSatisfy { $0 == 3 || $0 == "limitExceeded" }, "\(codes)")
        try await #expect(bridge.callHandler("many", with: 3, returning: [String].self).count == 3)
        for _ in 0..<2 {
            #expect(
                await Self.code {
                    _ = try await bridge.callHandler("many", with: Self.places, returning: [String].self)
                }
                    == .limitExceeded
            )
            #expect(
                await Self.code { _ = try await bridge.callHandler("many", with: Self.places) }
                    == .limitExceeded
            )
        }
        var items = 0
        let error = await Self.code {
            for try await _ in try await bridge.openStream("items", of: [String].self) { items += 1 }
        }
        #expect(error == .limitExceeded)
        #expect(items == 1)
    }

    @Test(
        "R9 a message of Swift is counted before it is copied, and refused by name",
        arguments: InterruptedCallTests.transports
    )
    func fromSwift(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(transport)
        let big = String(repeating: "x", count: 1 << 20)
        @Sendable func list(_ count: Int) -> [String] { Array(repeating: big, count: count) }
        try await #expect(bridge.callHandler("count", with: list(3), returning: Int.self) == 3)
        let values = Value.array(list(Self.places).map(Value.string))
        #expect(
            await Self.code { _ = try await bridge.callHandler("count", with: list(Self.places)) }
                == .limitExceeded
        )
        #expect(await Self.code { _ = try await bridge.callHandler("count", with: values) } == .limitExceeded)
        try bridge.registerHandler("strings") { (count: Int) in list(count) }
        let codes = try await bridge.run(
            """
            const { length } = await bridge.callHandler("strings", 3);
            try { await bridge.callHandler("strings", \(Self.places)); } catch ({ code }) { return [length, code]; }
            """
        )
        #expect(codes == [3, "limitExceeded"])
    }
}
