internal import BridgeInspector
internal import BridgeValues
internal import Foundation
internal import JavaScriptBridge
internal import Stores
internal import Synchronization

/// The run of one file of tests, in a bridge of its own.
@MainActor
struct TestFileRun {
    /// The longest wait for work that is left after the last test.
    private static let patience = Duration.milliseconds(500)

    let path: String
    let options: TestOptions
    let system: CommandSystem
    let output: CommandOutput
    /// The coverage of the run; `nil` for none.
    var coverage: TestCoverage?
    /// The watched files to which the modules of the tests are added; `nil` for none.
    var files: WatchedFiles?
    /// A closure that receives each result when its test has ended.
    let report: (TestResult) throws -> Void

    /// Loads the file and runs its tests, one after the other.
    ///
    /// - Throws: ``OutputError`` if a result cannot be written; ``CommandFailure`` for a file that cannot be read;
    ///   `CancellationError` if the task is cancelled, which also ends a script that is running.
    func run() async throws -> TestFileResult {
        var result = TestFileResult(path: path)
        let script = RunOptions.Script.file(path)
        let uncaught = TestErrors()
        let loadable = try LoadableScript(
            script,
            CommandFailure.with(ExitStatus.noInput) { try script.read(in: system) },
            RunOptions.Modules(includesScript: true),
            files: files
        )
        let bridge = try Bridge(configuration: try configuration(loadable.modules, uncaught))
        defer { bridge.close() }
        try await withTaskCancellationHandler {
            do {
                try await Self.load(loadable, on: bridge)
                let plan = try await plan(on: bridge)
                for (number, test) in plan.enumerated() {
                    var outcome = try await outcome(of: test, number, on: bridge)
                    try Task.checkCancellation()
                    let errors = uncaught.take()
                    if let own = errors.first(where: { $0.test == number }), !outcome.isFailure {
                        outcome = outcome.failed(own.text)
                    }
                    try report(outcome)
                    result.tests.append(outcome)
                    let others = errors.filter { $0.test != number }
                    let moment = "while \(MessageText.quoted(test.name)) ran"
                    try result.add(late: others, thrown: moment, report: report)
                }
                if plan.contains(where: { $0.mode == "run" }) {
                    await waitForRest(of: bridge)
                    try Task.checkCancellation()
                    try result.add(late: uncaught.take(), thrown: "when the tests had ended", report: report)
                }
            } catch let error as OutputError {
                throw error
            } catch {
                try Task.checkCancellation()
                result.problem = text(of: error)
            }
        } onCancel: {
            bridge.runtime.close()
        }
        if let error = uncaught.take().first { result.problem = result.problem ?? error.text }
        do throws(ProfilerError) {
            try await coverage?.end()
        } catch {
            result.problem = result.problem ?? "--coverage: \(error)"
        }
        return result
    }

    private func configuration(
        _ modules: ModuleConfiguration?,
        _ uncaught: TestErrors
    ) throws(CommandFailure) -> BridgeConfiguration {
        var configuration = BridgeConfiguration()
        configuration.executionLimits.processorTime = options.timeLimit
        configuration.clock = system.clock
        configuration.modules = modules
        if let coverage {
            configuration.inspector = try coverage.begin(path)
            // A test that never ends must not delay the end of the recording.
            configuration.isolation = .thread
        }
        configuration.permissions = options.permissions
        configuration.permissionHandler = { request in
            await PermissionPrompt(script: path, output: output, ask: nil).decide(about: request)
        }
        var process = ScriptProcess()
        process.environment = system.environment
        process.write = { [output] stream, bytes in
            try output.write([UInt8](bytes), toErrorOutput: stream == .errorOutput)
        }
        configuration.process = process
        configuration.providesTests = true
        configuration.consoleStyle = output.consoleStyle(environment: system.environment)
        let script = RunOptions.Script.file(path)
        let show = shown
        configuration.uncaughtErrorHandler = { exception in
            var exception = exception
            let test = exception.takeTest()
            uncaught.note(show(ErrorText.uncaught(exception, in: script)), ofTest: test)
        }
        configuration.consoleSink = { [output] in output.printError($0.text) }
        return configuration
    }

    /// Loads the file; a top-level `await` that nothing is left to end is an error.
    nonisolated private static func load(_ script: LoadableScript, on bridge: Bridge) async throws {
        try await withFirstResult { first in
            Task {
                do {
                    try await script.load(on: bridge) { load in
                        Task {
                            await bridge.waitUntilIdle()
                            guard await load.isPending() else { return }
                            first.resume(
                                .failure(
                                    CommandError("a top-level 'await' never ends: no work is left to end it")
                                )
                            )
                        }
                    }
                    first.resume(.success(()))
                } catch {
                    first.resume(.failure(error))
                }
            }
        }.get()
    }

    private func plan(on bridge: Bridge) async throws -> [(name: String, mode: String)] {
        let filter = options.filter
        let plan = try await bridge.withContext { context -> Value in
            guard try !context.internals.forProperty("testModule").isUndefined else {
                throw CommandError("the file does not import \"bridge:test\"")
            }
            return try context.internals.invokeMethod(
                "planTests",
                withArguments: [JSValue(.string(filter), in: context)]
            ).toValue()
        }
        guard let plan = plan.objectValue, case .integer(let count)? = plan["count"] else { return [] }
        return (0..<Int(count)).map { number in
            let name = plan["names"]?.objectValue?[String(number)]?.stringValue ?? ""
            return (name, plan["modes"]?.objectValue?[String(number)]?.stringValue ?? "skip")
        }
    }

    private func outcome(
        of test: (name: String, mode: String),
        _ number: Int,
        on bridge: Bridge
    ) async throws -> TestResult {
        guard test.mode == "run" else {
            let outcome = test.mode == "todo" ? TestResult.Outcome.todo : .skipped
            return TestResult(name: test.name, outcome: outcome, duration: .zero)
        }
        let start = system.clock.now
        var failure: String?
        do {
            try await begin(number, on: bridge)
            try await bridge.runtime.awaitPromise(
                from: { try $0.internals.invokeMethod("awaitTest") },
                reading: { _ in }
            )
        } catch {
            failure = text(of: error)
        }
        try? await bridge.runtime.awaitPromise(
            from: { try $0.internals.invokeMethod("settleTimers") },
            reading: { _ in }
        )
        return TestResult(
            name: test.name,
            outcome: failure.map { .failed($0) } ?? .passed,
            duration: system.clock.now - start
        )
    }

    /// Waits until no work of the tests is left, but not long: an interval repeats forever.
    private func waitForRest(of bridge: Bridge) async {
        let clock = system.clock
        let deadline = clock.now + Self.patience
        _ = await withFirstResult { first in
            let limit = clock.schedule(at: deadline) { first.resume(.success(())) }
            Task {
                await bridge.waitUntilIdle()
                limit.cancel()
                first.resume(.success(()))
            }
        }
    }

    /// Begins a test, which ends with an error if it waits and no work is left.
    private func begin(_ number: Int, on bridge: Bridge) async throws {
        try await bridge.withContext { context in
            _ = try context.internals.invokeMethod(
                "runTest",
                withArguments: [JSValue(.integer(Int64(number)), in: context)]
            )
        }
        Task {
            await bridge.waitUntilIdle()
            try? await bridge.withContext { context in
                _ = try context.internals.invokeMethod(
                    "endTest",
                    withArguments: [JSValue(.integer(Int64(number)), in: context)]
                )
            }
        }
    }

    /// A closure that returns a text with the path of the file, as editors and terminals find it, instead of its URL.
    private var shown: @Sendable (String) -> String {
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let url = ModuleURL.ofFile(file) else { return { $0 } }
        return { [path] in $0.replacing(url + ":", with: path + ":") }
    }

    private func text(of error: any Error) -> String {
        guard var exception = error as? JSException else { return ErrorText.plain(error) }
        _ = exception.takeTest()
        return shown(ErrorText.uncaught(exception, in: .file(path)))
    }
}

/// The first of several results that work in progress gives.
private final class FirstResult: Sendable {
    private let continuation: Mutex<CheckedContinuation<Result<Void, any Error>, Never>?>

    init(_ continuation: CheckedContinuation<Result<Void, any Error>, Never>) {
        self.continuation = Mutex(continuation)
    }

    func resume(_ result: Result<Void, any Error>) {
        continuation.withLock { $0.take() }?.resume(returning: result)
    }
}

private func withFirstResult(_ body: @Sendable (FirstResult) -> Void) async -> Result<Void, any Error> {
    await withCheckedContinuation { body(FirstResult($0)) }
}
