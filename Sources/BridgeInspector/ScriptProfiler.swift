internal import BridgeValues
public import JavaScriptEngine
internal import Synchronization

/// A recorder of CPU profiles, heap snapshots and coverage of one context.
///
/// ```swift
/// let profiler = try ScriptProfiler(recording: [.cpuProfile])
/// var configuration = BridgeConfiguration()
/// configuration.inspector = profiler
/// let bridge = try Bridge(configuration: configuration)
/// try await bridge.load(.file("plugin.js"))
/// let profile = try await profiler.cpuProfile()
/// ```
///
/// It records the first context that it is attached to, from the context's beginning. Ask for the results before the
/// context is closed. A running script answers within 10 ms of processor time, also one that never ends; a native
/// function that blocks delays the answer until it returns.
///
/// Any thread may use it. Scripts keep the optimizing compilers, unless ``InspectorSupport/prepareProcess()`` was called.
public final class ScriptProfiler: InspectorClient {
    /// The recordings that begin with the context.
    public struct Recordings: OptionSet, Sendable, Hashable {
        /// The bits of the set.
        public let rawValue: Int

        /// Creates a set from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Samples of the call stack, every millisecond, for ``ScriptProfiler/cpuProfile()``.
        public static let cpuProfile = Recordings(rawValue: 1)
        /// Counts of what has run, for ``ScriptProfiler/coverage(including:)``.
        public static let coverage = Recordings(rawValue: 2)
    }

    /// The recordings that begin with the context.
    public let recordings: Recordings
    let state = Mutex(State())

    struct State {
        var target: InspectorTarget?
        var isDetached = false
        var commandCount = 0
        var pending: [Int: CheckedContinuation<Result<String, ProfilerError>, Never>] = [:]
        var busy = BusyTimes()
        var samples: String?
        var profile: CPUProfile?
        var isHeapEnabled = false
        /// The identity of the IDs, which snapshots have in common.
        var heap = ScriptProfiler.newHeap()
        var scripts: [ProfiledScript] = []
    }

    /// Creates a profiler.
    ///
    /// - Parameter recordings: The recordings that begin with the context. Heap snapshots need none.
    /// - Throws: ``ProfilerError`` if the library cannot be profiled.
    public init(recording recordings: Recordings = [.cpuProfile]) throws(ProfilerError) {
        self.recordings = recordings
        let support = Capabilities.current.inspector
        guard support.isAvailable else {
            throw ProfilerError(
                "JavaScriptCore \(Capabilities.current.engineVersion) cannot be profiled here: \(support.reason)"
            )
        }
    }

    // MARK: - Results

    /// Ends the CPU profile and returns it; later calls return the same one.
    ///
    /// - Throws: ``ProfilerError`` if no profile is recorded, or the context was closed.
    public func cpuProfile() async throws(ProfilerError) -> CPUProfile {
        guard recordings.contains(.cpuProfile) else {
            throw ProfilerError("the profiler was created without '.cpuProfile'")
        }
        if let profile = state.withLock({ $0.profile }) { return profile }
        _ = try await send("ScriptProfiler.stopTracking")
        let (samples, busy) = state.withLock { ($0.samples.take(), $0.busy) }
        if let profile = state.withLock({ $0.profile }) { return profile }
        guard let samples else { throw ProfilerError("the engine has sent no samples") }
        let profile: CPUProfile
        do {
            profile = try SampleReader.profile(of: samples, busy: busy)
        } catch {
            throw ProfilerError("the samples of the engine cannot be read: \(error)")
        }
        state.withLock { $0.profile = profile }
        return profile
    }

    /// Collects garbage and returns the objects that remain.
    ///
    /// An object has the same ID in all snapshots of a profiler, unless another context of the process that has taken a
    /// snapshot is closed between them (``HeapSnapshot/sharesIDs(with:)``).
    ///
    /// - Throws: ``ProfilerError`` if the context was closed.
    public func heapSnapshot() async throws(ProfilerError) -> HeapSnapshot {
        // Only with this command do objects keep their IDs.
        if !state.withLock({ $0.isHeapEnabled }) {
            _ = try await send("Heap.enable")
            state.withLock { $0.isHeapEnabled = true }
        }
        for _ in 0..<Self.maximumAttemptCount {
            let response = try await send("Heap.snapshot")
            do {
                return try EngineSnapshotReader.snapshot(of: response, heap: state.withLock { $0.heap })
            } catch is EngineSnapshotReader.RepeatedID {
                // With new IDs, which cannot be compared with those of earlier snapshots.
                _ = try await send("Heap.disable")
                _ = try await send("Heap.enable")
                state.withLock { $0.heap = Self.newHeap() }
            } catch {
                throw ProfilerError("the heap snapshot of the engine cannot be read: \(error)")
            }
        }
        throw ProfilerError("other contexts of the process took heap snapshots at the same time")
    }

    private static let maximumAttemptCount = 5

    private static func newHeap() -> UInt64 { UInt64.random(in: 1...UInt64(1 << 52)) }

    // MARK: - Commands

    /// Sends a command and returns the engine's response, a JSON text.
    func send(_ method: String, _ parameters: Value = [:]) async throws(ProfilerError) -> String {
        let result = await withCheckedContinuation { continuation in
            let command = state.withLock { state -> Result<(InspectorTarget, Int), ProfilerError> in
                guard let target = state.target else {
                    return .failure(ProfilerError("no context is attached"))
                }
                guard !state.isDetached else { return .failure(Self.closedError) }
                state.commandCount += 1
                state.pending[state.commandCount] = continuation
                return .success((target, state.commandCount))
            }
            switch command {
            case .success(let (target, id)): target.send(Self.command(id, method, parameters))
            case .failure(let error): continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }

    private static let closedError = ProfilerError("the context was closed before it answered")

    private static func command(_ id: Int, _ method: String, _ parameters: Value) -> String {
        JSONText.of(["id": Value(id), "method": .string(method), "params": parameters])
    }

    // MARK: - Events

    /// Receives an event of a context.
    public func receive(_ event: InspectorEvent, from target: InspectorTarget) {
        switch event {
        case .attached: attach(target)
        case .message(let text):
            guard isCurrent(target) else { return }
            receive(text)
        case .console: break
        case .detached:
            guard isCurrent(target) else { return }
            let pending = state.withLock { state in
                state.isDetached = true
                defer { state.pending = [:] }
                return state.pending.values
            }
            for continuation in pending { continuation.resume(returning: .failure(Self.closedError)) }
        }
    }

    private func isCurrent(_ target: InspectorTarget) -> Bool { state.withLock { $0.target === target } }

    private func attach(_ target: InspectorTarget) {
        let isFirst = state.withLock { state in
            guard state.target == nil else { return false }
            state.target = target
            return true
        }
        guard isFirst else { return }
        // They run before the first script, and nothing waits for their responses.
        if recordings.contains(.coverage) {
            target.send(Self.command(0, "Runtime.enableControlFlowProfiler", [:]))
            // Otherwise the engine joins `if (a) continue;` to one jump, whose block has a wrong count.
            target.send(Self.command(0, "Debugger.setBreakpointsActive", ["active": true]))
        }
        if recordings.contains(.cpuProfile) {
            target.send(Self.command(0, "ScriptProfiler.startTracking", ["includeSamples": true]))
        }
    }

    private func receive(_ text: String) {
        if text.hasPrefix("{\"method\":\"ScriptProfiler.trackingUpdate\"") {
            guard let interval = try? SampleReader.interval(of: text) else { return }
            state.withLock { $0.busy.add(interval.start, interval.end) }
        } else if text.hasPrefix("{\"method\":\"ScriptProfiler.trackingComplete\"") {
            state.withLock { $0.samples = text }
        } else if text.hasPrefix("{\"method\":\"Debugger.scriptParsed\"") {
            guard recordings.contains(.coverage), let script = ProfiledScript(event: text) else { return }
            state.withLock { $0.scripts.append(script) }
        } else if !text.hasPrefix("{\"method\":") {
            respond(text)
        }
    }

    private func respond(_ text: String) {
        guard let id = Self.responseID(of: text),
            let continuation = state.withLock({ $0.pending.removeValue(forKey: id) })
        else { return }
        guard text.hasPrefix("{\"error\":") else { return continuation.resume(returning: .success(text)) }
        let message = JSONText.value(of: text)?["error"]["message"].stringValue ?? text
        continuation.resume(returning: .failure(ProfilerError("the engine refused: \(message)")))
    }

    /// Returns the ID at the end of a response, which may be very long.
    private static func responseID(of text: String) -> Int? {
        let end = String(decoding: text.utf8.suffix(32), as: UTF8.self)
        guard end.hasSuffix("}"), let colon = end.lastIndex(of: ":") else { return nil }
        return Int(end[end.index(after: colon)...].dropLast())
    }
}
