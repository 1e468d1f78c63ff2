internal import CBridgeScript
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Foundation
internal import Synchronization

/// The sources of the package's own scripts, as all virtual machines share them: strings of the engine, and for what
/// several machines have run, bytecode.
///
/// Bytecode is generated once per process, on a thread of its own, so that a process with few machines does not pay for
/// it, and none waits for it (decision 35).
final class SharedScripts: Sendable {
    /// The scripts of this process.
    static let current = SharedScripts()

    /// The number of machines that run a source before its bytecode is generated: generating takes as long as three
    /// machines save.
    static let neededMachines = 3

    /// A source, with objects of the engine that are never released.
    ///
    /// Several threads may use them: the engine counts the references of its strings atomically, and copies their
    /// characters when it uses them. Bytecode is never changed.
    private struct Source: @unchecked Sendable {
        let text: BridgeScriptText
        let string: JSStringRef
        var bytecode: OpaquePointer?
        var machineCount = 0

        init(_ text: BridgeScriptText, at address: UnsafePointer<UInt8>) {
            self.text = text
            let bytes = UnsafeBufferPointer(start: address, count: text.count)
            // The only use of the engine's UTF-8 function: it stores ASCII as bytes, which the engine reads faster.
            let string = String(decoding: bytes, as: UTF8.self).withCString {
                JSStringCreateWithUTF8CString($0)
            }
            guard let string else { preconditionFailure("The engine created no string.") }
            self.string = string
        }
    }

    private struct State {
        // By the address of the source, which is a constant of the program.
        var sources: [UInt: Source] = [:]
        /// The sources whose bytecode is to be generated.
        var wanted: [UInt] = []
        var isGenerating = false
    }

    private let state = Mutex(State())
    private let neededMachines: Int
    private let spawn: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Creates a list without scripts.
    ///
    /// - Parameters:
    ///   - neededMachines: The number of machines that run a source before its bytecode is generated.
    ///   - spawn: Runs a function beside the caller's work.
    init(
        neededMachines: Int = neededMachines,
        spawn: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { Thread.detachNewThread($0) }
    ) {
        self.neededMachines = neededMachines
        self.spawn = spawn
    }

    /// Returns a source for the first context of a machine.
    func form(of text: BridgeScriptText, at address: UnsafePointer<UInt8>) -> InternalScripts.Form {
        let key = UInt(bitPattern: address)
        let (source, mustSpawn) = state.withLock { state in
            var source = state.sources[key] ?? Source(text, at: address)
            source.machineCount += 1
            state.sources[key] = source
            guard source.machineCount == neededMachines else { return (source, false) }
            state.wanted.append(key)
            defer { state.isGenerating = true }
            return (source, !state.isGenerating)
        }
        if mustSpawn { spawn { [self] in generate() } }
        guard let bytecode = source.bytecode else { return .source(source.string) }
        return .bytecode(bytecode, source.string)
    }

    /// Returns a source for a script object.
    func string(of text: BridgeScriptText, at address: UnsafePointer<UInt8>) -> JSStringRef {
        let source = state.withLock { state in
            let key = UInt(bitPattern: address)
            let source = state.sources[key] ?? Source(text, at: address)
            state.sources[key] = source
            return source
        }
        return source.string
    }

    /// The number of sources that machines have run.
    var sourceCount: Int { state.withLock { $0.sources.count } }

    /// Returns the number of machines that have run a source by its bytecode.
    func bytecodeUseCount(of text: BridgeScriptText) -> Int {
        guard let address = text.bytes else { return 0 }
        let source = state.withLock { $0.sources[UInt(bitPattern: address)] }
        return source?.bytecode.map { jsb_bytecode_use_count($0) } ?? 0
    }

    /// Generates the bytecode of the wanted sources in a machine of this thread, until none is wanted.
    private func generate() {
        // The scripts remain wanted, but nothing starts the generation again.
        guard Capabilities.current.sharedBytecode.isAvailable, let context = JSGlobalContextCreate(nil) else {
            return
        }
        defer { JSGlobalContextRelease(context) }
        while var source = nextWanted() {
            // A source without bytecode is parsed.
            source.bytecode = EngineString.with(JSContext.internalSourceURL) {
                jsb_make_bytecode(context, $0, source.text.bytes, source.text.count)
            }
            let generated = source
            state.withLock {
                $0.sources[UInt(bitPattern: generated.text.bytes)]?.bytecode = generated.bytecode
            }
        }
    }

    private func nextWanted() -> Source? {
        state.withLock { state in
            let source = state.wanted.popLast().flatMap { state.sources[$0] }
            if source == nil { state.isGenerating = false }
            return source
        }
    }
}

/// The support for bytecode that machines share, found out once per process.
enum BytecodeSupport {
    static let feature = PrivateFeature(
        variable: "JSBRIDGE_BYTECODE",
        name: "shared bytecode",
        testedBranches: ["2.50", "2.52", "2.54"],
        isTestedProcessor: PrivateFeature.isX86
    )

    static let current = feature.decide { jsb_probe_bytecode().map { String(cString: $0) } }
}

extension Capabilities {
    /// The support for bytecode of the package's own scripts that virtual machines share, which makes all but the first
    /// machines of a process cheaper.
    ///
    /// The first access runs a self-test in virtual machines of its own (some milliseconds).
    public var sharedBytecode: FeatureSupport { BytecodeSupport.current }
}
