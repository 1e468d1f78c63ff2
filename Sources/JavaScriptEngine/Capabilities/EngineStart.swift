internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Foundation

/// The steps before the engine's first use, once per process, and their results.
///
/// The order matters (decision 0004 has the measurements):
///
/// 1. The options are set in the environment.
/// 2. The collector's signal is moved, which the engine refuses once it is in use.
/// 3. The options are read, after which the environment is the host's again.
/// 4. The engine's main thread starts.
/// 5. On that thread the first virtual machine is created, which the self-test uses: the engine binds the thread of a
///    machine to a run loop of its own.
/// 6. The actions of all signals but the collector's are restored.
struct EngineStart {
    /// The collector's signal; `nil` if it could not be moved.
    var collectorSignal: Int32?
    /// A Boolean value that indicates whether nothing in the process used the engine before.
    var isFirst = false
    var usesPollingTraps = false
    var hasWebAssembly = false
    var trapGuard = Capabilities.TrapGuard.no
    var choice = EngineProfile.Choice(profile: nil, origin: "")
    var callPath = CallPath(isFast: false, reason: "the system cannot create a thread for the self-test")
    /// The decision whether the imports of contexts are directed to their modules.
    var moduleHooking = FeatureSupport(isAvailable: false, reason: "the engine was not tested")
    /// A Boolean value that indicates whether runtimes' run loops may be dispatched, because the engine's main thread
    /// has one.
    var deliversEngineWork = false

    /// The number of descriptors that a process must be able to open before its first runtime.
    ///
    /// The measured versions open up to 13.
    static let neededDescriptors = 20

    /// The start after its first steps, which change the environment.
    // @unchecked Sendable because only run(), which is called once, uses the saved actions.
    private struct Prepared: @unchecked Sendable {
        var start = EngineStart()
        let signals: OpaquePointer?
    }

    private static let prepared: Prepared = {
        precondition(
            jsb_count_free_descriptors(Int32(neededDescriptors)) == neededDescriptors,
            "JavaScriptCore needs \(neededDescriptors) more file descriptors than the process can open (RLIMIT_NOFILE)"
        )
        var prepared = Prepared(signals: jsb_save_signal_actions())
        EngineDescriptors.note()
        prepared.start.configure()
        prepared.start.chooseProfile()
        return prepared
    }()

    /// Does the steps that change the environment.
    static func prepare() { _ = prepared }

    /// Starts the engine.
    static func run() -> EngineStart {
        var start = prepared.start
        start.startMainThread()
        jsb_restore_signal_actions(prepared.signals, jsb_collector_signal())
        return start
    }

    private mutating func configure() {
        // An endless loop in WebAssembly cannot be stopped in any of its tiers (measured on 2.50.6).
        var options = ["JSC_usePollingTraps": "1", "JSC_useWasm": "0"]
        if InspectorSupport.isProcessPrepared { options["JSC_useDFGJIT"] = "0" }
        let former = options.keys.map { ($0, EnvironmentVariable.value($0)) }
        for (name, value) in options { setenv(name, value, 1) }
        let signal = jsb_free_collector_signal()
        // The engine refuses it once it is in use.
        isFirst = JSConfigureSignalForGC(signal != 0 ? signal : SIGUSR1)
        collectorSignal = isFirst && signal != 0 ? signal : nil
        // Read back instead of assumed: the environment's options take effect only before the engine's first use, which
        // may have been in another part of the process.
        usesPollingTraps = Self.option("usePollingTraps") ?? isFirst
        hasWebAssembly = Self.option("useWasm") ?? !isFirst
        if jsb_can_read_options() {
            // Reading an option has made the engine read them all, and child processes must not inherit them.
            for (name, value) in former {
                if let value { setenv(name, value, 1) } else { unsetenv(name) }
            }
        }
    }

    private mutating func chooseProfile() {
        choice = EngineProfile.choose(
            version: Capabilities.libraryVersion,
            buildID: Self.buildID,
            written: SavedEngineProfile.read(SavedEngineProfile.path),
            takesNewest: Self.callPathSetting == "on"
        )
    }

    private mutating func startMainThread() {
        let takesMainThread = isFirst || choice.profile?.startsMainThreadLate == true
        var start = self
        let hasRun = withUnsafeMutablePointer(to: &start) { start in
            jsb_engine_main_thread_start(
                takesMainThread,
                { $0?.assumingMemoryBound(to: EngineStart.self).pointee.testEngine() },
                start
            )
        }
        guard hasRun else { return }
        self = start
        deliversEngineWork = takesMainThread && jsb_can_start_engine_main_thread()
    }

    /// Creates the process's first virtual machine and checks the chosen profile against it.
    private mutating func testEngine() {
        guard let context = JSGlobalContextCreate(nil) else {
            callPath = CallPath(isFast: false, reason: "the engine made no context")
            return
        }
        defer { JSGlobalContextRelease(context) }
        JSLock(context)
        let probe = choice.profile == nil ? nil : EngineProbe(in: context)
        callPath = CallPath.choose(
            setting: Self.callPathSetting,
            choice: choice,
            hasSymbol: jsb_can_make_host_functions(),
            selfTest: { FastPath.fault(of: $0, probe: probe, in: context) }
        )
        if callPath.isFast { NarrowStrings.enable() }
        // The kind of a cell decides whether it is read as a promise.
        if let promise = choice.profile?.promise, let probe, probe.knowsKinds, probe.accepts(promise: promise)
        {
            jsb_set_promise_bits(UInt32(promise.word), UInt32(promise.shift))
            if let word = choice.profile?.promiseResult, probe.accepts(promiseResult: word) {
                jsb_set_promise_result(UInt32(word))
            }
        }
        moduleHooking = ModuleSupport.hooking(in: context)
        JSUnlock(context)
        if usesPollingTraps { trapGuard = Self.testTraps(in: context) }
    }

    /// Replaces the engine's functions for traps, and checks that the engine calls the replacements.
    private static func testTraps(in context: JSGlobalContextRef) -> Capabilities.TrapGuard {
        guard jsb_guard_traps() else { return jsb_has_locked_traps() ? .notNeeded : .no }
        let group = JSContextGetGroup(context)
        let before = jsb_guarded_trap_count()
        JSContextGroupSetExecutionTimeLimit(group, 0.0001, { _, _ in true }, nil)
        EngineString.with("for (;;) {}") { _ = JSEvaluateScript(context, $0, nil, nil, 1, nil) }
        JSContextGroupClearExecutionTimeLimit(group)
        return jsb_guarded_trap_count() > before ? .guarded : .no
    }

    /// The setting of the process for the fast path.
    static var callPathSetting: String? { EnvironmentVariable.value("JSBRIDGE_FAST_PATH") }

    /// The library's build ID, if it has one.
    static var buildID: String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 65) { digits in
            guard let start = digits.baseAddress, jsb_engine_build_id(start) else { return nil }
            return String(cString: start)
        }
    }

    static func option(_ name: String) -> Bool? {
        guard jsb_can_read_options() else { return nil }
        var value: Int32 = 0
        return jsc_options_get_boolean(name, &value) != 0 ? value != 0 : nil
    }
}
