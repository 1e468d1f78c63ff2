internal import BridgeValues
internal import JavaScriptBridge
internal import Synchronization

/// The script's own part of a run: its text, then its handler `main`, then whatever it left going.
struct ScriptRun {
    /// The handler of the script that is called when its text has run.
    static let mainName = "main"
    // A program has no deadline; a call needs one. Ten years are as good as none.
    private static let noTimeout = Duration.seconds(10 * 365 * 86_400)

    let bridge: Bridge
    let script: RunOptions.Script
    let source: ScriptSource
    let mainRequest: MainRequest
    let ending: RunEnding
    let output: CommandOutput

    func run() async {
        do {
            try await bridge.load(source, sourceMaps: script.sourceMaps)
            guard try await hasMain() else {
                await bridge.waitUntilIdle()
                return ending.end { ExitStatus.success }
            }
        } catch let error as JSException {
            return fail(ErrorText.uncaught(error, in: script))
        } catch {
            return fail("jsbridge: \(ErrorText.plain(error))")
        }
        await runMain()
    }

    private func hasMain() async throws -> Bool {
        try await bridge.withContext { context in
            let name = try JSValue(.string(Self.mainName), in: context)
            try context.internals.setValue(name, forProperty: "watchedHandler")
            return try context.internals.invokeMethod("hasHandler", withArguments: [name]).toValue() == true
        }
    }

    /// Calls the script's `main`, and waits until that is done and nothing else is left.
    ///
    /// One that fails ends the run as any error does, whatever is left.
    private func runMain() async {
        let isSettled = Atomic(false)
        let main = Task {
            let result = await callMain()
            isSettled.store(true, ordering: .sequentiallyConsistent)
            bridge.addReferences(1)
            if case .failure(let error) = result { fail(await text(of: error)) }
            return result
        }
        // A call that has not begun looks like one that is over.
        while bridge.pendingCallCount == 0, !isSettled.load(ordering: .sequentiallyConsistent) {
            await Task.yield()
        }
        // The call itself must not keep the run going: if nothing else is left that could settle it, nothing
        // ever will.
        bridge.addReferences(-1)
        await bridge.waitUntilIdle()
        // A call is pending a moment before its turn is asked for, and whoever begins it may be held up just there.
        for _ in 0..<20 where bridge.pendingCallCount > 0 {
            try? await Task.sleep(for: .milliseconds(1))
            await bridge.waitUntilIdle()
        }
        if bridge.pendingCallCount > 0 {
            return fail(
                "jsbridge: '\(Self.mainName)' never ends: its promise is not settled, and nothing is left to do that could"
            )
        }
        guard case .success(let value) = await main.value else { return }
        await bridge.waitUntilIdle()
        ending.end { status(of: value) }
    }

    private func callMain() async -> Result<Value, BridgeError> {
        do {
            return .success(
                try await bridge.callHandler(
                    Self.mainName,
                    with: mainRequest,
                    returning: Value.self,
                    timeout: Self.noTimeout
                )
            )
        } catch {
            var error = BridgeError(wrapping: error)
            // Who calls `main` is the program, of which the script's author wants to know nothing.
            if let hop = error.frames.lastIndex(of: .call(ofHandler: Self.mainName)) {
                error.frames.removeSubrange(hop...)
            }
            return .failure(error)
        }
    }

    /// The error that `main` threw, as any that a script lets out; or why the call of it failed otherwise.
    private func text(of error: BridgeError) async -> String {
        let thrown = try? await bridge.withContext { context in
            defer { context.notedFailure = nil }
            return context.notedFailure
        }
        guard var thrown, error.code != .terminated else {
            return ErrorText.failedCall(error, codeFrame: await codeFrame(of: error))
        }
        thrown.frames = thrown.frames.naming(handler: Self.mainName)
        return ErrorText.uncaught(thrown, in: script)
    }

    private func codeFrame(of error: BridgeError) async -> String? {
        guard let frame = error.frames.first(where: { $0.line != nil }) else { return nil }
        return try? await bridge.withContext { $0.codeFrame(of: frame) }
    }

    private func fail(_ message: String) {
        ending.end {
            output.printError(message)
            return ExitStatus.failure
        }
    }

    private func status(of value: Value) -> Int32 {
        switch value {
        case .integer(let number) where (0...255).contains(number): return Int32(number)
        case .integer, .double:
            output.printError(
                "jsbridge: '\(Self.mainName)' gave \(value.excerpt): an exit status is an integer from 0 to 255"
            )
            return ExitStatus.failure
        default: return ExitStatus.success
        }
    }
}
