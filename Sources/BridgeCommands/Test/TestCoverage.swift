internal import BridgeInspector
internal import Foundation
internal import Synchronization

/// The coverage of a run of tests, which is written when the run ends, also by a signal.
final class TestCoverage: Sendable {
    private struct State {
        var counts = Coverage()
        /// The file of tests that runs, and its recorder.
        var running: (path: String, profiler: ScriptProfiler)?
        var isOver = false
    }

    private let file: RecordingFile
    private let output: CommandOutput
    private let state = Mutex(State())

    // A native function may block for ever.
    private static let maximumSeconds = 60.0

    /// Opens the file, before the tests run.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be written.
    init(folder: String, output: CommandOutput) throws(CommandFailure) {
        file = try RecordingFile("--coverage", folder: folder, name: CoverageTable.fileName)
        self.output = output
    }

    /// Returns the recorder of a file of tests that begins.
    func begin(_ path: String) throws(CommandFailure) -> ScriptProfiler {
        let profiler = try CommandFailure.with(ExitStatus.failure) {
            try ScriptProfiler(recording: [.coverage])
        }
        state.withLock { $0.running = (path, profiler) }
        return profiler
    }

    /// Adds the counts of the file of tests that runs.
    ///
    /// Its context must not be closed before.
    func end() async throws(ProfilerError) {
        guard let counts = try await countsOfRunning() else { return }
        state.withLock { state in
            state.counts.merge(counts)
            state.running = nil
        }
    }

    /// Returns the counts of the files that the tests have used, without files of tests and of packages.
    private func countsOfRunning() async throws(ProfilerError) -> Coverage? {
        guard let (path, profiler) = state.withLock({ $0.running }) else { return nil }
        let own = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return try await profiler.coverage {
            $0 != own && !TestFiles.isTest($0) && !$0.contains("/node_modules/")
        }
    }

    /// Writes the file and prints the table, unless that has happened.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be written; ``OutputError`` if the table cannot be printed.
    func finish() throws {
        let counts = state.withLock { state -> Coverage? in
            defer { state.isOver = true }
            return state.isOver ? nil : state.counts
        }
        guard let counts else { return }
        try file.write { try $0(Array(counts.lcov.utf8)) }
        for line in CoverageTable(counts).lines { try output.print(line) }
    }

    /// Closes the file without counts, after a run that the next one replaces.
    func cancel() {
        let wasOver = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver
        }
        if !wasOver { file.close() }
    }

    /// Writes what is known before a signal ends the process.
    ///
    /// It blocks the calling thread meanwhile.
    func finishBeforeSignal() {
        guard !state.withLock({ $0.isOver }) else { return }
        // Without an answer, the counts are those of the files before it.
        BlockingWork.run(atMost: Self.maximumSeconds) { try? await self.end() }
        do {
            try finish()
        } catch {
            _ = ExitStatus.after(error, output)
        }
    }
}
