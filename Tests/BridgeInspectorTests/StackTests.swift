import BridgeValues
import JavaScriptBridge
import JavaScriptEngine
import Testing

@testable import BridgeInspector

/// Stacks across the bridge and asynchronous operations.
@Suite(.enabled(if: Capabilities.current.inspector.isAvailable)) struct StackTests {
    private static let receipt = """
        async function ask(item) {
            const price = await bridge.callHandler('price', item);
            debugger;
            return price;
        }
        bridge.registerHandler('receipt', async ({ item }) => {
            debugger;
            const price = await ask(item);
            await new Promise((resolve) => {
                setTimeout(function later() {
                    debugger;
                    resolve();
                }, 1);
            });
            return price;
        });
        """

    @Test("a stack has the handlers that Swift calls, and the calls and timers that code runs after")
    func calls() async throws {
        let program = try DebuggedProgram(["receipt.js": Self.receipt])
        try program.bridge.registerHandler("price") { (item: String) in item.count }
        try await program.load("receipt.js").value
        let client = try await onThread { try program.client() }
        // The code that is running when a client attaches has no variables.
        try await program.bridge.withContext { _ in }
        let call = Task {
            try await program.bridge.callHandler("receipt", with: ["item": "abcd"], returning: Int.self)
        }
        try await onThread {
            func stop(_ expected: [String]) throws {
                let thread = try client.stopped("breakpoint")
                let stack = try client.stack(thread)
                #expect(stack == expected, "\(stack)")
                try client.request("continue", ["threadId": thread])
            }
            try stop(["(anonymous) receipt.js:7", "Swift: callHandler(\"receipt\")"])
            try stop([
                "ask receipt.js:3", "[async] after callHandler \"price\"", "ask receipt.js:2",
                "(anonymous) receipt.js:8",
            ])
            try stop([
                "later receipt.js:11", "[async] setTimeout", "(anonymous) receipt.js:10",
                "(anonymous) receipt.js:9", "[async] after callHandler \"price\"", "ask receipt.js:2",
                "(anonymous) receipt.js:8",
            ])
        }
        #expect(try await call.value == 4)
        program.close()
    }

    @Test("a step into a call of a handler in Swift ends in the script, not in the package's own scripts")
    func stepIn() async throws {
        let program = try DebuggedProgram([
            "call.js": "debugger;\nbridge.callHandler('price', 'a').then(() => {});\nconsole.log('after');"
        ])
        try program.bridge.registerHandler("price") { (item: String) in item.count }
        let client = try await onThread { try program.client() }
        let load = program.load("call.js")
        try await onThread {
            var thread = try client.stopped("breakpoint")
            for line in [2, 3] {
                try client.request("stepIn", ["threadId": thread])
                thread = try client.stopped("step")
                #expect(try client.stack(thread) == ["global code call.js:\(line)"])
            }
            try client.request("continue", ["threadId": thread])
        }
        try await load.value
        program.close()
    }

    @Test("the frames before the awaits of a loop are shown once")
    func loop() async throws {
        let program = try DebuggedProgram([
            "loop.js": """
            async function pass(turn) {
                await null;
                if (turn === 5) {
                    debugger;
                }
            }
            async function main() {
                for (let turn = 0; turn <= 5; turn++) {
                    await pass(turn);
                }
            }
            main();
            """
        ])
        let client = try await onThread { try program.client() }
        let load = program.load("loop.js")
        try await onThread {
            let thread = try client.stopped("breakpoint")
            let stack = try client.stack(thread)
            #expect(stack.first == "pass loop.js:4")
            #expect(stack.filter { $0 == "main loop.js:9" }.count == 1, "\(stack)")
            try client.request("continue", ["threadId": thread])
        }
        try await load.value
        program.close()
    }
}
