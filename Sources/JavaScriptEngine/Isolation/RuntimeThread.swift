internal import BridgeValues
internal import CJavaScriptCoreSPI
internal import Foundation
internal import Synchronization

/// A dedicated thread of one runtime, with the run loop by which the engine delivers its work.
///
/// The virtual machine is created, used and released on this thread. An idle thread sleeps in its run loop. Jobs wake
/// it through the loop, and so do the engine's timers and its deferred work (callbacks of a `FinalizationRegistry`,
/// collections when idle).
final class RuntimeThread: SerialExecutor {
    /// The stack size, which JavaScript needs; the engine detects the bounds by itself.
    private static let stackSize = 8 << 20
    private static let batchesPerLook = 16

    /// A unit of work of the thread.
    private enum Job {
        case task(UnownedJob)
        case work(@Sendable () -> Void)
    }

    private struct State {
        var jobs: [Job] = []
        var isWaiting = false
        var isEnding = false
    }

    private let state = Mutex(State())
    // nonisolated(unsafe) because other threads call only the function that wakes the loop, which they may.
    nonisolated(unsafe) private let loop: OpaquePointer?
    // nonisolated(unsafe) because only the thread itself touches it.
    nonisolated(unsafe) private var delivery: ((() -> Void) -> Void)?
    private let thread = Atomic<ThreadID>(ThreadID.none)
    /// A Boolean value that indicates whether the engine may find the loop.
    private let deliversEngineWork: Bool

    init() throws {
        // The engine's first virtual machine must not be created on this thread, and its loop takes a descriptor.
        try EngineDescriptors.check()
        deliversEngineWork = Capabilities.current.deliversEngineWork
        loop = jsb_run_loop_create()
        // The thread retains its executor until it ends.
        let executor = Unmanaged.passRetained(self)
        let status = jsb_thread_start(
            Self.stackSize,
            "JavaScript",
            { argument in
                guard let argument else { return }
                Unmanaged<RuntimeThread>.fromOpaque(argument).takeRetainedValue().run()
            },
            executor.toOpaque()
        )
        guard status == 0 else {
            executor.release()
            jsb_run_loop_destroy(loop)
            throw JSException(
                name: "Error",
                message: "cannot create a thread for a runtime: \(String(cString: strerror(status)))"
            )
        }
    }

    // MARK: - On any thread

    func enqueue(_ job: consuming ExecutorJob) { add(.task(UnownedJob(job))) }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() {
        precondition(isCurrent, "a runtime's actor was entered on a thread that is not the runtime's own")
    }

    /// A Boolean value that indicates whether this is the calling thread.
    var isCurrent: Bool { id == .current }

    /// The ID of the thread; `none` before it has started.
    var id: ThreadID { thread.load(ordering: .acquiring) }

    /// Adds work to the thread's queue.
    func perform(_ work: @escaping @Sendable () -> Void) { add(.work(work)) }

    /// Ends the thread after all work that was added before.
    ///
    /// - Parameter lastWork: The last work that the thread runs.
    func end(_ lastWork: @escaping @Sendable () -> Void) {
        add(.work(lastWork), isLast: true)
    }

    private func add(_ job: Job, isLast: Bool = false) {
        let mustWake = state.withLock { state in
            state.jobs.append(job)
            state.isEnding = state.isEnding || isLast
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        if mustWake { jsb_run_loop_wake(loop) }
    }

    // MARK: - On the thread itself

    /// Sets the function that runs the engine's own work, for example inside a turn.
    func setDelivery(_ deliver: @escaping (() -> Void) -> Void) { delivery = deliver }

    private func run() {
        thread.store(.current, ordering: .releasing)
        jsb_run_loop_enter(loop, deliversEngineWork)
        var batches = 0
        while let jobs = take() {
            for job in jobs { run(job) }
            batches += 1
            // While jobs arrive, the engine's own work is polled only now and then: each poll is three system calls.
            guard jobs.isEmpty || batches % Self.batchesPerLook == 0 else { continue }
            if jsb_run_loop_wait(loop, jobs.isEmpty) { deliver() }
        }
        delivery = nil
        jsb_run_loop_leave(loop)
        jsb_run_loop_destroy(loop)
    }

    private func run(_ job: Job) {
        switch job {
        case .task(let job): job.runSynchronously(on: asUnownedSerialExecutor())
        case .work(let work): work()
        }
    }

    private func deliver() {
        guard let delivery else { return jsb_run_loop_dispatch(loop) }
        delivery { jsb_run_loop_dispatch(self.loop) }
    }

    /// Removes and returns the pending jobs.
    ///
    /// An empty array means that the thread may sleep, `nil` that it has to end.
    private func take() -> [Job]? {
        state.withLock { state in
            if state.jobs.isEmpty, state.isEnding { return nil }
            defer { state.jobs = [] }
            // A thread that adds a job from now on wakes the loop, also if it does not wait yet.
            state.isWaiting = state.jobs.isEmpty
            return state.jobs
        }
    }
}
