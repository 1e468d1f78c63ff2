internal import BridgeValues
internal import JavaScriptBridge
internal import Synchronization

/// The script's part of a run: its code, then its handler `main`, then its remaining work.
struct ScriptRun {
    /// The name of the script's handler that is called after its code has run.
    static let mainName = "main"
    // A call needs a deadline, but a program has none. Ten years mean no limit in practice.
    private static let noTimeout = Duration.seconds(10 * 365 * 86_400)

    let bridge: Bridge
    let script: LoadableScript
    let options: RunOptions
    let mainRequest: MainRequest
    let ending: RunEnding
    let output: CommandOutput

    func run() async {
        do {
            try await load()
            guard try await hasMain() else {
                await bridge.waitUntilIdle()
                return ending.end { ending.statusOfSuccess }
            }
        } catch let error as JSException {
            return fail(ErrorText.uncaught(error, in: options.script))
        } catch {
            return fail("jsbridge: \(ErrorText.plain(error))")
        }
        await runMain()
    }

    /// Loads the script; if no work is left that could end a top-level `await` of it, the run ends with an error.
    private func load() async throws {
        try await script.load(on: bridge) { load in
            Task {
                await bridge.waitUntilIdle()
                guard await load.isPending() else { return }
                fail(
                    "jsbridge: a top-level 'await' never ends: no work is left that could settle its promise"
                )
            }
        }
    }

    /// Reads the script again.
    func script(from system: CommandSystem) throws -> LoadableScript {
        let content = try options.script.read(in: system)
        return try LoadableScript(options.script, content, options.modules, tier: options.tier)
    }

    /// Returns whether the script has registered `main`.
    func hasMain() async throws -> Bool {
        try await bridge.withContext { context in
            let name = try JSValue(.string(Self.mainName), in: context)
            try context.internals.setValue(name, forProperty: "watchedHandler")
            return try context.internals.invokeMethod("hasHandler", withArguments: [name]).toValue() == true
        }
    }

    /// Calls the script's `main`, and waits until the call and all other work are done.
    ///
    /// If it fails, the run ends as after any error, whatever work is left.
    private func runMain() async {
        let isSettled = Atomic(false)
        let main = Task {
            let result = await callMain()
            isSettled.store(true, ordering: .sequentiallyConsistent)
            bridge.addReferences(1)
            if case .failure(let error) = result { fail(await text(of: error)) }
            return result
        }
        // A call that has not begun is indistinguishable from one that has ended.
        while bridge.pendingCallCount == 0, !isSettled.load(ordering: .sequentiallyConsistent) {
            await Task.yield()
        }
        // The call itself must not keep the run going. If no other work is left that could settle it, it never will be.
        bridge.addReferences(-1)
        await bridge.waitUntilIdle()
        // A call is pending a moment before its turn is scheduled, and its thread may be preempted just there.
        for _ in 0..<20 where bridge.pendingCallCount > 0 {
            try? await Task.sleep(for: .milliseconds(1))
            await bridge.waitUntilIdle()
        }
        if bridge.pendingCallCount > 0 {
            return fail(
                "jsbridge: '\(Self.mainName)' never ends: its promise is not settled, and no work is left to settle it"
            )
        }
        guard case .success(let value) = await main.value else { return }
        await bridge.waitUntilIdle()
        ending.end { status(of: value) }
    }

    /// Calls `main`, without a deadline.
    func callMain() async -> Result<Value, BridgeError> {
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
            // The caller of `main` is this program, whose frames do not concern the script's author.
            if let hop = error.frames.lastIndex(of: .call(ofHandler: Self.mainName)) {
                error.frames.removeSubrange(hop...)
            }
            return .failure(error)
        }
    }

    /// Returns the text of the error that `main` threw, as of an uncaught error, or of another failure of the call.
    func text(of error: BridgeError) async -> String {
        let thrown = try? await bridge.withContext { context in
            defer { context.errors.notedFailure = nil }
            return context.errors.notedFailure
        }
        guard var thrown, error.code != .terminated else {
            return ErrorText.failedCall(error, codeFrame: await codeFrame(of: error))
        }
        thrown.frames = thrown.frames.naming(handler: Self.mainName)
        return ErrorText.uncaught(thrown, in: options.script)
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
                "jsbridge: '\(Self.mainName)' returned \(value.excerpt): an exit status is an integer from 0 to 255"
            )
            return ExitStatus.failure
        default: return ending.statusOfSuccess
        }
    }
}
