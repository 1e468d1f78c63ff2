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
            // Before the first run, so that a change while it runs is not missed.
            let watch = try TestWatch(options.paths)
            while true {
                do {
                    _ = try await runOnce()
                } catch let error as CommandFailure {
                    // A file that is being written may be missing for a moment.
                    output.printError("jsbridge: \(ErrorText.plain(error.reason))")
                }
                try output.print("(waiting for changes)")
                await watch.next()
            }
        } catch {
            return ExitStatus.after(error, output)
        }
    }

    private func runOnce() async throws -> Int32 {
        let start = system.clock.now
        let files = try CommandFailure.with(ExitStatus.noInput) { try TestFiles.find(options.paths) }
        var results: [TestFileResult] = []
        for path in files {
            try output.print(Printable.text(path))
            let run = TestFileRun(path: path, options: options, system: system, output: output) {
                try output.print(TestReport.line($0))
            }
            let result = try await run.run()
            if let problem = result.problem { try output.print(TestReport.problem(problem)) }
            results.append(result)
        }
        try output.print(TestReport.summary(results, system.clock.now - start))
        if let path = options.report { try write(TestReport.junit(results), to: path) }
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
