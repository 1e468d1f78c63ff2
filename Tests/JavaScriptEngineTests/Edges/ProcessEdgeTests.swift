import BridgeTesting
import Foundation
import JavaScriptEngine
import TestSupport
import Testing

/// The engine's effects on its process, each tested in a new one.
@Suite struct ProcessEdgeTests {
    @Test(
        "R28 only the collector's signal gets a handler, in a run with loops, floods and threads"
    )
    func signals() async {
        await #expect(processExitsWith: .success) {
            let before = Self.handlers()
            let capabilities = Capabilities.current
            try Self.work()
            let signal = try #require(capabilities.collectorSignal)
            var expected = before
            expected.remove(Int(signal))
            var after = Self.handlers()
            // A change by the host is its own.
            #expect(after.remove(Int(signal)) != nil || !before.contains(Int(signal)))
            #expect(after == expected)
            #expect(Self.action(SIGUSR1) == nil && Self.action(SIGPIPE) == nil)
            #expect(Self.action(SIGINT) == nil && Self.action(SIGTERM) == nil)
        }
    }

    @Test(
        "VE3 SIGPIPE is as the host left it: with a handler, ignored, by default",
        arguments: ["handler", "ignored", "default"]
    )
    func brokenPipes(kind: String) async {
        await #expect(processExitsWith: .success) { [kind] in
            switch kind {
            case "handler": signal(SIGPIPE) { _ in }
            case "ignored": signal(SIGPIPE, SIG_IGN)
            default: signal(SIGPIPE, SIG_DFL)
            }
            let before = Self.action(SIGPIPE)
            try Self.work()
            let runtime = try JavaScriptRuntime(isolation: .thread)
            #expect(try await runtime.evaluate("6 * 7") == 42)
            #expect(Self.action(SIGPIPE) == before)
        }
    }

    @Test("R28 a handler of the host stays in place, also on the signal that the collector prefers")
    func hostHandlers() async {
        await #expect(processExitsWith: .success) {
            let wanted = Self.firstFreeSignal + 5
            for number in [SIGUSR1, SIGUSR2, SIGPIPE, SIGCHLD, wanted] { signal(number) { _ in } }
            let before = [SIGUSR1, SIGUSR2, SIGPIPE, SIGCHLD, wanted].map(Self.action)
            try Self.work()
            #expect([SIGUSR1, SIGUSR2, SIGPIPE, SIGCHLD, wanted].map(Self.action) == before)
            #expect(Capabilities.current.collectorSignal != wanted)
            #expect(Capabilities.current.isConfigured)
            raise(SIGUSR1)
            let product = try JSContext().evaluate("6 * 7").toInt32()
            #expect(product == 42)
        }
    }

    @Test("R28 child processes inherit no descriptor that the engine opens")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            let before = Set(Self.descriptors().keys)
            try Self.work()
            let opened = Self.descriptors().filter { !before.contains($0.key) }
            for (number, isClosedOnExec) in opened {
                let name = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/self/fd/\(number)"
                )
                #expect(isClosedOnExec, "\(number): \(name ?? "?")")
            }
        }
    }

    @Test("the engine itself reports its capabilities: polling traps on, WebAssembly gone")
    func capabilities() async {
        await #expect(processExitsWith: .success) {
            Self.forgetOptions()
            let capabilities = Capabilities.current
            #expect(capabilities.isConfigured && capabilities.usesPollingTraps)
            #expect(!capabilities.hasWebAssembly)
            let type = try JSContext().evaluate("typeof WebAssembly").toString()
            #expect(type == "undefined")
            // A child process that uses the engine too has its own options.
            #expect(getenv("JSC_useWasm") == nil && getenv("JSC_usePollingTraps") == nil)
            #expect(capabilities.engineVersion.split(separator: ".").count == 3)
            #expect(!capabilities.callPath.isEmpty && !capabilities.callPathReason.isEmpty)
        }
    }

    @Test("if the engine was in use before, the capabilities say so")
    func tooLate() async {
        await #expect(processExitsWith: .success) {
            Self.forgetOptions()
            // Another part of the process, which does not know this package.
            let library = try #require(dlopen("libjavascriptcoregtk-4.1.so.0", RTLD_NOW))
            typealias Make = @convention(c) (OpaquePointer?) -> OpaquePointer?
            let make = unsafeBitCast(try #require(dlsym(library, "JSGlobalContextCreate")), to: Make.self)
            let release = unsafeBitCast(try #require(dlsym(library, "JSGlobalContextRelease")), to: Make.self)
            _ = release(make(nil))
            let capabilities = Capabilities.current
            #expect(!capabilities.isConfigured)
            #expect(capabilities.collectorSignal == nil)
            #expect(!capabilities.usesPollingTraps && capabilities.hasWebAssembly)
            #expect(capabilities.warnings.contains { $0.contains("before this package set it up") })
            #expect(capabilities.warnings.contains { $0.contains("may pass their time limit") })
            let product = try JSContext().evaluate("6 * 7").toInt32()
            #expect(product == 42)
            // A virtual machine exists, so the engine's main thread is not started if that is no longer possible.
            let runtime = try JavaScriptRuntime(isolation: .thread)
            #expect(try await runtime.evaluate("6 * 7") == 42)
        }
    }

    // Swift's import of the C library leaves out SIGRTMIN, which is a function call: 34 in GNU's.
    private static let firstFreeSignal: Int32 = 34

    /// Removes the engine's options from the environment, in which test configurations have set some.
    private static func forgetOptions() {
        for name in ProcessInfo.processInfo.environment.keys where name.hasPrefix("JSC_") { unsetenv(name) }
    }

    private static func work() throws {
        let limits = ExecutionLimits(processorTime: .milliseconds(20))
        let context = try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
        let flood = "(async () => { for (;;) await 0 })()"
        let scripts = ["for (;;) {}", "(function f() { f() })()"]
        for script in scripts + (EngineFeature.drainMicrotasks.isThere ? [flood] : []) {
            #expect(throws: JSException.self) { try context.evaluate(script) }
        }
        try context.virtualMachine.updateLimits(ExecutionLimits(processorTime: nil))
        try context.evaluate("let s = 0; for (let i = 0; i < 300000; i++) s += [i].concat([i]).length; s")
        context.virtualMachine.collectGarbage()
    }

    /// Returns the signals that have a handler, as reported by the system.
    private static func handlers() -> Set<Int> {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") } ?? ""
        let mask = UInt64(line.split(separator: "\t").last ?? "", radix: 16) ?? .max
        return Set((0..<64).filter { mask >> UInt64($0) & 1 == 1 }.map { $0 + 1 })
    }

    /// Returns the address of a signal's handler, or `nil` for the default.
    private static func action(_ number: Int32) -> UInt? {
        var action = sigaction()
        sigaction(number, nil, &action)
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self)
        return handler == 0 ? nil : handler
    }

    /// Returns the open descriptors, and whether they are closed when another program starts.
    private static func descriptors() -> [Int: Bool] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap(Int.init).reduce(into: [:]) { result, number in
            let flags = fcntl(Int32(number), F_GETFD)
            if flags >= 0 { result[number] = flags & FD_CLOEXEC != 0 }
        }
    }
}
