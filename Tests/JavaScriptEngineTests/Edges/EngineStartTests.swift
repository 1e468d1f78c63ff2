import BridgeTesting
import BridgeValues
internal import CJavaScriptCoreSPI
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import JavaScriptEngine

#if canImport(Glibc)
    import Glibc
#endif

/// The first use of the engine in a process, whatever it is: each in a process of its own.
@Suite struct EngineStartTests {
    /// Creates a runtime with a dedicated thread and waits until its `FinalizationRegistry` has called back.
    static func seesFinalization() async throws {
        let lines = Recorder<String>()
        let runtime = try JavaScriptRuntime(isolation: .thread) { lines.add($0.text) }
        try await runtime.evaluate(
            """
            globalThis.registry = new FinalizationRegistry(name => console.log("gone " + name));
            (() => { for (let index = 0; index < 200; index++) registry.register({}, index) })();
            """
        )
        try await runtime.collectGarbage()
        await lines.wait(for: 1)
        #expect(try await runtime.evaluate("1 + 1") == 2)
    }

    @Test(
        "VE1 a FinalizationRegistry calls back if the first use is a runtime with a dedicated thread",
        arguments: ["auto", "off"]
    )
    func threadFirst(callPath: String) async {
        await #expect(processExitsWith: .success) { [callPath] in
            setenv("JSBRIDGE_FAST_PATH", callPath, 1)
            try await Self.seesFinalization()
        }
    }

    @Test("VE2 a runtime with a thread follows one that is an actor", arguments: ["auto", "off"])
    func actorFirst(callPath: String) async {
        await #expect(processExitsWith: .success) { [callPath] in
            setenv("JSBRIDGE_FAST_PATH", callPath, 1)
            let runtime = try JavaScriptRuntime(isolation: .actor)
            #expect(try await runtime.evaluate("1 + 1") == 2)
            try await Self.seesFinalization()
            #expect(try await runtime.evaluate("2 + 2") == 4)
        }
    }

    @Test("VE2 a runtime with a thread follows a bare context, and is followed by an actor")
    func contextFirst() async {
        await #expect(processExitsWith: .success) {
            let sum = try JSContext().evaluate("1 + 1").toInt32()
            #expect(sum == 2)
            try await Self.seesFinalization()
            let runtime = try JavaScriptRuntime(isolation: .actor)
            #expect(try await runtime.evaluate("2 + 2") == 4)
        }
    }

    @Test("VE2 eight threads create their first runtimes concurrently, and each gets the engine's work")
    func together() async {
        await #expect(processExitsWith: .success) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { try await Self.seesFinalization() } }
                try await group.waitForAll()
            }
        }
    }

    @Test("VE2 the engine starts in the background, and the environment is the host's again before that")
    func inBackground() async {
        await #expect(processExitsWith: .success) {
            let environment = ProcessInfo.processInfo.environment
            Capabilities.prepareInBackground()
            #expect(ProcessInfo.processInfo.environment == environment)
            Capabilities.prepareInBackground()
            let sum = try JSContext().evaluate("1 + 1").toInt32()
            #expect(sum == 2)
            #expect(Capabilities.current.isConfigured)
            try await Self.seesFinalization()
        }
    }

    @Test("VE2 eight threads create their first contexts concurrently")
    func contextsTogether() async {
        await #expect(processExitsWith: .success) {
            let sums = Mutex(0)
            let threads = (0..<8).map { _ in
                Thread {
                    let sum = (try? JSContext().evaluate("1 + 1").toInt32()) ?? 0
                    sums.withLock { $0 += Int(sum) }
                }
            }
            for thread in threads { thread.start() }
            while threads.contains(where: { !$0.isFinished }) { sched_yield() }
            #expect(sums.withLock { $0 } == 16)
        }
    }

    // MARK: - Descriptors

    /// Lets the process open the given number of further descriptors.
    private static func leaveDescriptors(_ count: Int) {
        var highest: Int32 = 0
        for number in 0..<Int32(1024) where fcntl(number, F_GETFD) >= 0 { highest = number }
        // The descriptors in between are in use.
        for number in 0..<highest where fcntl(number, F_GETFD) < 0 { _ = dup2(0, number) }
        var limit = rlimit(
            rlim_cur: rlim_t(Int(highest) + 1 + count),
            rlim_max: rlim_t(Int(highest) + 1 + count)
        )
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    @Test(
        "a process that can open too few descriptors gets an error before the engine opens any",
        arguments: [0, 1, 5, 9, 12, 16, 19]
    )
    func tooFewDescriptors(count: Int) async {
        await #expect(processExitsWith: .success) { [count] in
            Self.leaveDescriptors(count)
            let error = #expect(throws: JSException.self) { try JSContext() }
            #expect(error?.message.contains("needs 20 free file descriptors") == true)
            // Another thread of the test may have opened or closed one meanwhile.
            let more = (0..<20).map { "can open \($0) more (RLIMIT_NOFILE)" }
            #expect(more.contains { error?.message.contains($0) == true })
            #expect(throws: JSException.self) { try JavaScriptRuntime(isolation: .actor) }
            #expect(throws: JSException.self) { try JavaScriptRuntime(isolation: .thread) }
        }
    }

    @Test(
        "with as many descriptors as it needs the engine runs in both isolations, and closes them again"
    )
    func enoughDescriptors() async {
        await #expect(processExitsWith: .success) {
            Self.leaveDescriptors(20)
            try await Self.seesFinalization()
            let limits = ExecutionLimits(processorTime: .milliseconds(20))
            let runtime = try JavaScriptRuntime(isolation: .actor, limits: limits)
            await #expect(throws: JSException.self) { try await runtime.evaluate("for (;;) {}") }
        }
    }

    // MARK: - Warnings

    @Test("VE14 one warning names an unlisted version, with its cost and how to probe")
    func unlistedVersion() {
        var start = EngineStart()
        (start.isFirst, start.usesPollingTraps, start.trapGuard) = (true, true, .notNeeded)
        let choice = EngineProfile.choose(version: "2.56.1", buildID: nil, written: nil, takesNewest: false)
        start.callPath = CallPath.choose(setting: nil, choice: choice, hasSymbol: true) { _ in nil }
        func warnings(setting: String?) -> [String] {
            Capabilities.warnings(of: start, version: "2.56.1", setting: setting, hidesPrivateSymbols: false)
        }
        #expect(warnings(setting: nil).count == 1)
        for part in ["2.56.1", "2 to 13 times slower", "2.50, 2.52, 2.54", "jsbridge engine-probe"] {
            #expect(warnings(setting: nil).first?.contains(part) == true, "\(part)")
        }
        // The user who turned the fast path off knows.
        #expect(warnings(setting: "off").isEmpty)
    }

    @Test(
        "VE7 the guard of traps is reported by the engine's symbols; only an unguarded race is a warning"
    )
    func trapGuard() {
        let library = dlopen("libjavascriptcoregtk-4.1.so.0", RTLD_NOW | RTLD_NOLOAD)
        let isLocked = dlsym(library, "_ZN3JSC7VMTraps31updateThreadStopRequestIfNeededEv") != nil
        if ProcessInfo.processInfo.environment["JSBRIDGE_PRIVATE_SYMBOLS"] != "hidden" {
            #expect(Capabilities.current.trapGuard == (isLocked ? .notNeeded : .guarded))
        }
        for state in [Capabilities.TrapGuard.guarded, .notNeeded, .no] {
            var start = EngineStart()
            (start.isFirst, start.usesPollingTraps, start.trapGuard) = (true, true, state)
            start.callPath = CallPath(isFast: true, reason: "")
            let warnings = Capabilities.warnings(of: start, setting: nil, hidesPrivateSymbols: false)
            #expect(warnings.isEmpty == (state != .no))
        }
    }

    @Test(
        "VE15 functions replace the engine's if a loop that was stopped at the start has called them"
    )
    func standIns() {
        if Capabilities.current.trapGuard == .guarded { #expect(jsb_guarded_trap_count() > 0) }
        // If the engine was in use before, it may not be possible to stop it, and nothing is assumed.
        #expect(EngineStart().trapGuard == .no)
    }

    // MARK: - Memory limits

    @Test("VE12 an error names a memory limit if the system does not report the size of the process")
    func memoryLimit() throws {
        let limits = ExecutionLimits.constrained
        try limits.checkMemoryLimit(isSupported: true)
        let error = try #require(throws: ExecutionLimitsError.self) {
            try limits.checkMemoryLimit(isSupported: false)
        }
        #expect(error.field == "maximumHeapBytes")
        #expect(
            error.description
                == "maximumHeapBytes = 134217728 cannot be kept: the system does not report the size of the process "
                + "(/proc/self/statm)"
        )
        try ExecutionLimits().checkMemoryLimit(isSupported: false)
    }

    /// A Boolean value that indicates whether this process may have mounts of its own.
    private static let canUnmount = getuid() == 0 && access("/proc/self/ns/mnt", R_OK) == 0

    @Test("VE12 without /proc contexts run, and one with a memory limit is refused", .enabled(if: canUnmount))
    func withoutProc() async {
        await #expect(processExitsWith: .success) {
            // A container without the permission cannot be tested.
            typealias Unshare = @convention(c) (Int32) -> Int32
            let unshare = unsafeBitCast(try #require(dlsym(nil, "unshare")), to: Unshare.self)
            guard unshare(0x20000) == 0, mount("none", "/", nil, 0x44000, nil) == 0,
                mount("none", "/proc", "tmpfs", 0, nil) == 0
            else { return }
            #expect(!Capabilities.current.supportsMemoryLimits)
            let product = try JSContext().evaluate("6 * 7").toInt32()
            #expect(product == 42)
            #expect(throws: ExecutionLimitsError.self) {
                try JSContext(virtualMachine: JSVirtualMachine(limits: .constrained))
            }
            let context = try JSContext()
            var limits = ExecutionLimits()
            limits.maximumHeapBytes = 1 << 20
            #expect(throws: ExecutionLimitsError.self) { try context.virtualMachine.updateLimits(limits) }
        }
    }
}
