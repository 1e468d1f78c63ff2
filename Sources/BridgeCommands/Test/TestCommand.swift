internal import BridgeProtocol
internal import BridgeValues
internal import Stores

/// The command `jsbridge test`: files of tests, each in a bridge of its own.
@MainActor
struct TestCommand {
    let options: TestOptions
    let system: CommandSystem
    let output: CommandOutput

    /// Runs the tests, again after each change if the user watches them.
    ///
    /// - Returns: The exit status: 1 if a test has failed, or if none was found.
    func run() async -> Int32 {
        do {
            guard options.isWatching else { return try await runOnce() }
            return try await watch()
        } catch {
            return ExitStatus.after(error, output)
        }
    }

    /// Runs the tests, and again after each change, which ends a run that is not over.
    private func watch() async throws -> Int32 {
        // Before the first run, so that a change while it runs is not missed.
        let watch = try TestWatch(options.paths)
        let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let watching = Task { await watch.run(system.clock) { continuation.yield() } }
        defer { watching.cancel() }
        continuation.yield()
        var run: Task<Void, any Error>?
        for await _ in changes {
            run?.cancel()
            do {
                try await run?.value
            } catch is CancellationError {
                try output.print("(a file has changed)")
            }
            run = Task { try await runWatched(watch.files, continuation) }
        }
        try await run?.value
        return ExitStatus.success
    }

    private func runWatched(
        _ files: WatchedFiles,
        _ changes: AsyncStream<Void>.Continuation
    ) async throws {
        do {
            _ = try await runOnce(files)
            if let problem = files.takeProblem() { output.printError("jsbridge: \(problem)") }
            try output.print("(waiting for changes)")
        } catch let error as CommandFailure {
            // A file that is being written may be missing for a moment.
            output.printError("jsbridge: \(ErrorText.plain(error.reason))")
            try output.print("(waiting for changes)")
        } catch let error as OutputError {
            // The command ends with this error.
            changes.finish()
            throw error
        }
    }

    private func runOnce(_ watched: WatchedFiles? = nil) async throws -> Int32 {
        let start = system.clock.now
        let files = try CommandFailure.with(ExitStatus.noInput) { try TestFiles.find(options.paths) }
        let coverage = try options.coverage.map { folder throws(CommandFailure) in
            try TestCoverage(folder: folder, output: output)
        }
        let coverageEnd = system.exitHooks.add { coverage?.finishBeforeSignal() }
        defer {
            coverage?.cancel()
            system.exitHooks.run(coverageEnd)
        }
        let results = try await run(files, coverage, watched)
        try output.print(TestReport.summary(results, system.clock.now - start))
        try coverage?.finish()
        if let path = options.report { try write(TestReport.junit(results), to: path) }
        return status(of: results)
    }

    private func run(
        _ files: [String],
        _ coverage: TestCoverage?,
        _ watched: WatchedFiles?
    ) async throws -> [TestFileResult] {
        var results: [TestFileResult] = []
        for path in files {
            try output.print(Printable.text(path))
            let run = TestFileRun(
                path: path,
                options: options,
                system: system,
                output: output,
                coverage: coverage,
                files: watched
            ) {
                try output.print(TestReport.line($0))
            }
            let result = try await run.run()
            if let problem = result.problem { try output.print(TestReport.problem(problem)) }
            results.append(result)
        }
        return results
    }

    /// Returns the exit status, and prints the error of a run without tests.
    private func status(of results: [TestFileResult]) -> Int32 {
        let hasFailed = results.contains { $0.problem != nil || $0.tests.contains(where: \.isFailure) }
        // A misspelled name must not look like a success.
        guard hasFailed || results.contains(where: { !$0.tests.isEmpty }) else {
            let reason =
                options.filter.isEmpty
                ? "the files have no test"
                : "no test has a name that contains \(MessageText.quoted(options.filter))"
            output.printError("jsbridge: \(reason)")
            return ExitStatus.failure
        }
        return hasFailed ? ExitStatus.failure : ExitStatus.success
    }

    private func write(_ text: String, to path: String) throws(CommandFailure) {
        do throws(FileWriting.Problem) {
            try FileReplacement.write(Array(text.utf8), to: path)
        } catch {
            let reason = CommandError("\(MessageText.quoted(path)) cannot be written: \(error.reason)")
            throw CommandFailure(status: ExitStatus.cannotWrite, reason: reason)
        }
    }
}
