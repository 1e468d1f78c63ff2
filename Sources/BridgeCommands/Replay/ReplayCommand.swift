internal import BridgeProtocol
internal import BridgeTestKit
internal import BridgeValues
internal import Foundation
internal import JavaScriptBridge
internal import Synchronization
internal import WebViewBridgeDialects

/// The command `jsbridge replay`, which runs a journal's scripts again: compared, shrunk, or with faults.
@MainActor
struct ReplayCommand {
    let options: ReplayOptions
    let system: CommandSystem
    let output: CommandOutput

    /// The name of the journal in messages.
    private var name: String { options.file == "-" ? "standard input" : options.file }

    /// Replays the journal and prints the result.
    ///
    /// - Returns: The exit status.
    func run() async -> Int32 {
        let journal: Journal
        do {
            journal =
                options.file == "-"
                ? try Journal(utf8: system.readInput()) : try Journal(contentsOfFile: options.file)
        } catch {
            let reason = (error as? BridgeError)?.message ?? ErrorText.plain(error)
            let place = reason.hasPrefix("\(name): ") ? "" : "\(name): "
            output.printError("jsbridge: \(Printable.text(place + reason))")
            return ExitStatus.noInput
        }
        // Before the engine reads it: scripts see the time zone of the process.
        if !journal.header.timeZone.isEmpty, journal.header.timeZone != JournalHeader.currentTimeZone {
            setenv("TZ", journal.header.timeZone, 1)
        }
        do {
            return try await run(journal)
        } catch let error as BridgeError where error.code == .limitExceeded {
            // The error is about the journal's own header.
            let error = BridgeError(error.code, "\(name): \(error.message)")
            return ExitStatus.after(CommandFailure(status: ExitStatus.noInput, reason: error), output)
        } catch {
            return ExitStatus.after(error, output)
        }
    }

    private func run(_ journal: Journal) async throws -> Int32 {
        var replay = JournalReplay(journal)
        replay.timeLimit = options.timeLimit
        replay.dialects = BridgeDialect.all
        let text = ReplayText(options: options, journal: journal, isJSON: options.isJSON)
        if let path = options.shrunkFile { return try await shrink(replay, to: path, text) }
        switch options.faults {
        case .none: break
        case .these(let faults): return try await run(replay, with: faults, text)
        case .random(let seed):
            return try await run(
                replay,
                with: Fault.random(seed: seed, upTo: replay.messageCount),
                text,
                seed
            )
        }
        let report = try await replay.run(first: options.count)
        if options.isVerbose, !options.isJSON { try output.print(text.entries(report.entryCount)) }
        try output.print(text.text(of: report, isPartial: options.count != nil))
        return report.divergence == nil ? ExitStatus.success : ExitStatus.failure
    }

    private func run(
        _ replay: JournalReplay,
        with faults: [Fault],
        _ text: ReplayText,
        _ seed: UInt64? = nil
    ) async throws -> Int32 {
        let report = try await replay.run(with: faults)
        if options.isVerbose, !options.isJSON {
            let now = ReplayText(options: options, journal: report.journal, isJSON: false)
            try output.print(now.entries(report.journal.entries.count))
        }
        try output.print(text.text(of: report, seed: seed))
        return report.uncaughtErrors.isEmpty && report.answers ? ExitStatus.success : ExitStatus.failure
    }

    private func shrink(_ replay: JournalReplay, to path: String, _ text: ReplayText) async throws -> Int32 {
        let test = JournalTest.Failure()
        let condition = try failure(test)
        // Opened before minutes of work, not after them.
        let file = try ShrunkFile(path, exitHooks: system.exitHooks)
        defer { file.close() }
        guard let smaller = try await replay.shrink(condition) else {
            if let error = test.first {
                output.printError("jsbridge: the test fails itself: \(error)")
                return ExitStatus.failure
            }
            output.printError("jsbridge: \(Printable.text(name)) does not meet --when: nothing to shrink")
            return ExitStatus.failure
        }
        try file.write(smaller.text)
        try output.print(text.text(of: smaller, at: path))
        return ExitStatus.success
    }

    private func failure(_ thrown: JournalTest.Failure) throws -> JournalFailure {
        switch options.condition {
        case .divergence: return .divergence
        case .errorCode(let code): return .errorCode(code)
        case .script(let path):
            let test = try JournalTest(
                try CommandFailure.with(ExitStatus.noInput) { try ScriptSource.file(path).read() },
                timeLimit: options.timeLimit,
                thrown
            )
            return .test { test.fails($0, $1) }
        }
    }
}

/// A script that decides whether a replay fails.
private struct JournalTest: Sendable {
    /// The first error of the script.
    final class Failure: Sendable {
        private let text = Mutex<String?>(nil)
        var first: String? { text.withLock { $0 } }
        func note(_ error: any Error) {
            text.withLock { if $0 == nil { $0 = ErrorText.plain(error) } }
        }
    }

    let text: String
    let name: String
    private let limits: ExecutionLimits
    private let failure: Failure

    /// Creates the test from a script.
    ///
    /// - Throws: ``JSException`` if the script throws, `invalidArgument` if it does not return a function.
    init(_ script: (text: String, name: String), timeLimit: Duration?, _ failure: Failure) throws {
        (text, name) = script
        limits = ExecutionLimits(processorTime: timeLimit)
        self.failure = failure
        let context = try makeContext()
        try context.withTurn {
            guard try context.evaluate(text, sourceURL: name).isFunction else {
                throw BridgeError(
                    .invalidArgument,
                    "\(name): the last statement is not a function of a report"
                )
            }
        }
    }

    private func makeContext() throws -> JSContext {
        try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
    }

    /// Returns the result of the function; if the function throws, returns false and records the error.
    func fails(_ report: JournalReplayReport, _ entries: [JournalEntry]) -> Bool {
        var value = ReplayText.record(of: report)
        value["entries"] = .array(entries.map(\.record))
        let record = value
        do {
            return try makeContext().withTurnOfItsOwn { context in
                try context.evaluate(text, sourceURL: name).call(with: .object(record)).boolValue ?? false
            }
        } catch {
            failure.note(error)
            return false
        }
    }
}

extension JSContext {
    fileprivate func withTurnOfItsOwn<Result>(_ body: (JSContext) throws -> Result) throws -> Result {
        try withTurn { try body(self) }
    }
}
