import BridgeTesting
import JavaScriptBridge
import Testing

/// Handlers that are registered together.
@Suite(.noLeaks) struct HandlerGroupTests {
    private func makeBridge() async throws -> Bridge {
        let bridge = try Bridge(configuration: .patient)
        try await bridge.load(
            .text(
                """
                bridge.registerHandler("ask", async ([name, data]) => {
                    try { return await bridge.callHandler(name, data) } catch (error) { return error.code } });
                bridge.registerHandler("read", async name => {
                    const all = []; for await (const item of bridge.openStream(name, 3)) all.push(item); return all });
                """,
                name: "g.js"
            )
        )
        return bridge
    }

    private func ask(_ bridge: Bridge, _ name: String, _ data: Value = 1) async throws -> Value {
        try await bridge.callHandler("ask", with: Value.array([.string(name), data]), returning: Value.self)
    }

    private let math = HandlerGroup("math") {
        BridgeHandler("double", description: "Doubles.") { (number: Int) in number * 2 }
        BridgeHandler("later", timeout: .seconds(60)) { (number: Int) async throws -> Int in number + 1 }
        BridgeHandler("note") { (_: Int) in }
        HandlerGroup("deep") {
            BridgeHandler("zero") { (_: Value) in 0 }
        }
        for power in 2...3 {
            BridgeHandler("power\(power)") { (number: Int) in
                (0..<power).reduce(1) { product, _ in product * number }
            }
        }
        BridgeHandler("count") { (count: Int) in
            AsyncStream { continuation in
                for number in 0..<count { continuation.yield(number) }
                continuation.finish()
            }
        }
    }

    @Test("a group's handlers are called by their namespace, all kinds of them, until its token is removed")
    func registration() async throws {
        let bridge = try await makeBridge()
        let registration = try bridge.register(math)
        #expect(
            registration.names == [
                "math.double", "math.later", "math.note", "math.deep.zero", "math.power2", "math.power3",
                "math.count",
            ]
        )
        #expect(registration.names == math.names)
        #expect(try await ask(bridge, "math.double", 4) == 8)
        #expect(try await ask(bridge, "math.later", 4) == 5)
        #expect(try await ask(bridge, "math.deep.zero") == 0)
        #expect(try await ask(bridge, "math.power3", 2) == 8)
        #expect(try await bridge.callHandler("read", with: "math.count", returning: [Int].self) == [0, 1, 2])
        registration.remove()
        registration.remove()
        for name in registration.names { #expect(try await ask(bridge, name) == "handlerNotFound") }
    }

    @Test(
        "3 item 15 a script calls a group's handlers, all kinds of them, as methods of a module",
        arguments: [BridgeConfiguration.Transport.direct, .text]
    )
    func modules(transport: BridgeConfiguration.Transport) async throws {
        let lines = Recorder<String>()
        let bridge = try await Bridge.patient(transport, running: "const math = bridge.module('math');") {
            $0.consoleSink = { lines.add($0.text) }
        }
        let registration = try bridge.register(math)
        #expect(try await bridge.run("return math.double(4)") == 8)
        #expect(try await bridge.run("return math.later(4, { timeout: 1e8 })") == 5)
        #expect(try await bridge.run("return await math.note(1) ?? 'nothing'") == "nothing")
        #expect(try await bridge.run("return math.deep.zero()") == 0)
        #expect(try await bridge.run("return bridge.module('math.deep').zero()") == 0)
        #expect(
            try await bridge.run(
                "const all = []; for await (const n of math.count.openStream(3)) all.push(n); return all"
            ) == [0, 1, 2]
        )
        #expect(try await bridge.run("return math.power2(await math.double.pipeline(3))") == 36)
        let synchronous = try await bridge.run(
            "try { return math.double.callHandlerSync(4) } catch (error) { return error.code }"
        )
        #expect(synchronous == (transport == .direct ? 8 : "unsupported"))
        let failed = "const failed = error => error.code + '|' + error.message;"
        #expect(
            try await bridge.run("\(failed) return math.dubble(4).catch(failed)")
                == bridge.run("\(failed) return bridge.callHandler('math.dubble', 4).catch(failed)")
        )
        #expect(try await bridge.run("return math.count(3).catch(error => error.code)") == "unsupported")
        // When it is shown, awaited and sent it is an object without properties, and nothing is called.
        #expect(
            try await bridge.run(
                "console.log(math, math.deep, [math]); return [await math === math, String(math), JSON.stringify({ math })]"
            ) == [true, "[object BridgeModule]", #"{"math":{}}"#]
        )
        #expect(
            lines.elements == [
                "[Object: null prototype] [BridgeModule] {} [Function: math.deep] [ [Object: null prototype] [BridgeModule] {} ]"
            ]
        )
        registration.remove()
        #expect(try await bridge.run("return math.double(4).catch(error => error.code)") == "handlerNotFound")
    }

    @Test("P52 P53 a released token removes its handlers, and never one that was registered later")
    func token() async throws {
        let bridge = try await makeBridge()
        var registration: HandlerRegistration? = try bridge.register(math)
        try bridge.registerHandler("math.double") { (_: Int) in "newer" }
        var second: HandlerRegistration? = try bridge.register(
            BridgeHandler("math.later") { (_: Value) in "second" }
        )
        #expect(registration != nil && second != nil)
        registration = nil
        #expect(try await ask(bridge, "math.double") == "newer")
        #expect(try await ask(bridge, "math.later") == "second")
        #expect(try await ask(bridge, "math.power2") == "handlerNotFound")
        // The handler that the later one replaced does not come back.
        second = nil
        #expect(try await ask(bridge, "math.later") == "handlerNotFound")
    }

    @Test("W5 a group is registered as a whole or not at all")
    func wholes() async throws {
        let bridge = try await makeBridge()
        func code(_ group: HandlerGroup) -> BridgeErrorCode? {
            do {
                _ = try bridge.register(group)
                return nil
            } catch {
                return error.code
            }
        }
        let good = BridgeHandler("good") { (_: Value) in 1 }
        #expect(
            code(
                HandlerGroup {
                    good
                    BridgeHandler("_wvjb.describe") { (_: Value) in 1 }
                }
            ) == .invalidArgument
        )
        #expect(
            code(
                HandlerGroup {
                    good
                    BridgeHandler("x") { (_: Value) in 1 }
                    BridgeHandler("x") { (_: Value) in 2 }
                }
            ) == .invalidArgument
        )
        #expect(code(HandlerGroup("_wvjb") { good }) == .invalidArgument)
        #expect(code(HandlerGroup(String(repeating: "n", count: 2 << 20)) { good }) == .limitExceeded)
        #expect(try await ask(bridge, "good") == "handlerNotFound")
    }

    @Test("R27 a group, its token and the bridge do not keep each other alive")
    func lifetimes() async throws {
        final class People: Sendable {
            let bridge: Bridge?
            init(_ bridge: Bridge?) { self.bridge = bridge }
            var handlers: HandlerGroup {
                HandlerGroup("people") { BridgeHandler("count") { (_: Value) in self.count } }
            }
            let count = 3
        }
        weak var people: People?
        weak var gone: Bridge?
        do {
            let bridge = try await makeBridge()
            gone = bridge
            do {
                let value = People(nil)
                people = value
                let registration = try bridge.register(value.handlers)
                #expect(try await ask(bridge, "people.count") == 3)
                withExtendedLifetime(registration) {}
            }
            #expect(people == nil)
            // An object that holds its bridge lives until the bridge is closed.
            let cyclic = People(bridge)
            people = cyclic
            let registration = try bridge.register(cyclic.handlers)
            bridge.close()
            withExtendedLifetime(registration) {}
        }
        #expect(people == nil && gone == nil)
        // A token may outlive its bridge.
        let left = try Bridge(configuration: .patient).register(math)
        left.remove()
    }
}
