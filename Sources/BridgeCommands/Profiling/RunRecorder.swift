internal import BridgeInspector
internal import BridgeValues
internal import Foundation
internal import Synchronization

extension RunOptions {
    /// The files of recordings of a run.
    struct Recordings: Hashable {
        /// The file for a CPU profile; `nil` for none.
        var cpuProfile: String?
        /// The file for a snapshot of the heap at the end; `nil` for none.
        var heapSnapshot: String?
        /// The folder for coverage; `nil` for none.
        var coverage: String?

        var isEmpty: Bool { self == Recordings() }

        static let options = ["--cpu-profile", "--heap-snapshot", "--coverage"]
        /// The options as words of a sentence.
        static let names = "'--cpu-profile', '--heap-snapshot' or '--coverage'"

        /// Reads the value of an option.
        mutating func read(_ option: String, _ reader: inout ArgumentReader) throws(UsageError) {
            let name = option == "--coverage" ? "DIR" : "FILE"
            let value = try reader.value(of: option, named: name, about: .run)
            guard !value.isEmpty else { throw UsageError("the \(name) of '\(option)' is empty", about: .run) }
            switch option {
            case "--cpu-profile": cpuProfile = value
            case "--heap-snapshot": heapSnapshot = value
            default: coverage = value
            }
        }
    }
}

/// The recordings of a run, which are written when it ends, by whichever cause.
final class RunRecorder: Sendable {
    let profiler: ScriptProfiler
    private let cpuProfile: RecordingFile?
    private let heapSnapshot: RecordingFile?
    private let coverage: RecordingFile?
    private let output: CommandOutput
    private let writing = Mutex<Task<Bool, Never>?>(nil)

    // A snapshot of a heap of some gigabytes takes that long; a native function may block for ever.
    private static let timeout = Duration.seconds(60)

    /// Opens the files, before the script runs.
    ///
    /// - Returns: `nil` without options.
    /// - Throws: ``CommandFailure`` if a file cannot be written, or the library cannot be profiled.
    init?(_ options: RunOptions.Recordings, output: CommandOutput) throws(CommandFailure) {
        guard !options.isEmpty else { return nil }
        self.output = output
        var recordings: ScriptProfiler.Recordings = []
        if options.cpuProfile != nil { recordings.insert(.cpuProfile) }
        if options.coverage != nil { recordings.insert(.coverage) }
        profiler = try CommandFailure.with(ExitStatus.failure) { try ScriptProfiler(recording: recordings) }
        cpuProfile = try options.cpuProfile.map { path throws(CommandFailure) in
            try RecordingFile("--cpu-profile", path)
        }
        heapSnapshot = try options.heapSnapshot.map { path throws(CommandFailure) in
            try RecordingFile("--heap-snapshot", path)
        }
        coverage = try options.coverage.map { path throws(CommandFailure) in
            try RecordingFile("--coverage", folder: path, name: CoverageTable.fileName)
        }
    }

    /// Writes all files, once.
    ///
    /// The context must not be closed before.
    ///
    /// - Returns: Whether all are complete.
    func finish() async -> Bool {
        let writing = self.writing.withLock { writing in
            let task = writing ?? Task { await self.write() }
            writing = task
            return task
        }
        return await withCheckedContinuation { continuation in
            let first = FirstAnswer(continuation)
            let timer = Task {
                guard (try? await Task.sleep(for: Self.timeout)) != nil else { return }
                if first.resume(false) {
                    output.printError("jsbridge: the script did not answer within \(Self.timeout)")
                }
            }
            Task {
                first.resume(await writing.value)
                timer.cancel()
            }
        }
    }

    /// Writes all files before a signal ends the process.
    ///
    /// It blocks the calling thread meanwhile.
    func finishBeforeSignal() { BlockingWork.run { _ = await self.finish() } }

    private func write() async -> Bool {
        var isComplete = await write(cpuProfile, profiler.cpuProfile) { try $0.write(to: $1) }
        let counts = { @Sendable () async throws(ProfilerError) -> Coverage in
            try await self.profiler.coverage()
        }
        isComplete = await write(coverage, counts, encode) && isComplete
        return await write(heapSnapshot, profiler.heapSnapshot) { try $0.write(to: $1) } && isComplete
    }

    private func encode(_ coverage: Coverage, to sink: ([UInt8]) throws -> Void) throws {
        try sink(Array(coverage.lcov.utf8))
        for line in CoverageTable(coverage).lines { output.printError(line) }
    }

    /// Writes a result to its file, if there is one.
    ///
    /// - Returns: Whether the file is complete.
    private func write<Result: Sendable>(
        _ file: RecordingFile?,
        _ result: @Sendable () async throws(ProfilerError) -> Result,
        _ encode: (Result, @escaping ([UInt8]) throws -> Void) throws -> Void
    ) async -> Bool {
        guard let file else { return true }
        do {
            let result = try await result()
            try file.write { try encode(result, $0) }
            return true
        } catch {
            let reason = (error as? CommandFailure)?.reason ?? CommandError("\(file.option): \(error)")
            output.printError("jsbridge: \(ErrorText.plain(reason))")
            return false
        }
    }
}

/// The first of two answers to a continuation.
private final class FirstAnswer: Sendable {
    private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

    init(_ continuation: CheckedContinuation<Bool, Never>) { self.continuation = Mutex(continuation) }

    /// Resumes the continuation, and returns whether this was the first answer.
    @discardableResult
    func resume(_ answer: Bool) -> Bool {
        guard let continuation = continuation.withLock({ $0.take() }) else { return false }
        continuation.resume(returning: answer)
        return true
    }
}
