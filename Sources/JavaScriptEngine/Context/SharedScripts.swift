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

    /// Objects of the engine that are never released.
    ///
    /// Several threads may use them: the engine counts the references of its strings atomically, and copies their
    /// characters when it uses them. Bytecode is never changed.
    private struct Shared: @unchecked Sendable {
        let string: JSStringRef
        var bytecode: OpaquePointer?
    }

    private struct Entry: Sendable {
        var shared: Shared
        var machineCount = 0
    }

    private struct State {
        // By the address of the source, which is a constant of the program.
        var entries: [UInt: Entry] = [:]
        /// The sources whose bytecode is to be generated.
        var wanted: [UInt: Int] = [:]
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
        let (shared, mustSpawn) = state.withLock { state in
            var entry = state.entries[key] ?? Entry(shared: Self.share(text, at: address))
            entry.machineCount += 1
            state.entries[key] = entry
            guard entry.machineCount == neededMachines else { return (entry.shared, false) }
            state.wanted[key] = text.count
            defer { state.isGenerating = true }
            return (entry.shared, !state.isGenerating)
        }
        if mustSpawn { spawn { [self] in generate() } }
        guard let bytecode = shared.bytecode else { return .source(shared.string) }
        return .bytecode(bytecode, shared.string)
    }

    /// Returns a source for a script object.
    func string(of text: BridgeScriptText, at address: UnsafePointer<UInt8>) -> JSStringRef {
        state.withLock { state in
            let key = UInt(bitPattern: address)
            let entry = state.entries[key] ?? Entry(shared: Self.share(text, at: address))
            state.entries[key] = entry
            return entry.shared
        }.string
    }

    /// The number of sources that machines have run.
    var sourceCount: Int { state.withLock { $0.entries.count } }

    /// Returns the number of machines that have run a source by its bytecode.
    func bytecodeUseCount(of text: BridgeScriptText) -> Int {
        guard let address = text.bytes else { return 0 }
        let entry = state.withLock { $0.entries[UInt(bitPattern: address)] }
        return entry?.shared.bytecode.map { jsb_bytecode_use_count($0) } ?? 0
    }

    private static func share(_ text: BridgeScriptText, at address: UnsafePointer<UInt8>) -> Shared {
        let bytes = UnsafeBufferPointer(start: address, count: text.count)
        // The only use of the engine's UTF-8 function: it stores ASCII as bytes, which the engine reads faster.
        let string = String(decoding: bytes, as: UTF8.self).withCString { JSStringCreateWithUTF8CString($0) }
        guard let string else { preconditionFailure("The engine created no string.") }
        return Shared(string: string)
    }

    /// Generates the bytecode of the wanted sources in a machine of this thread, until none is wanted.
    private func generate() {
        // The scripts remain wanted, but nothing starts the generation again.
        guard Capabilities.current.sharedBytecode.isAvailable, let context = JSGlobalContextCreate(nil) else {
            return
        }
        defer { JSGlobalContextRelease(context) }
        while let (key, count, shared) = nextWanted() {
            // A source without bytecode is parsed.
            let bytecode = EngineString.with(JSContext.internalSourceURL) {
                jsb_make_bytecode(context, $0, UnsafeRawPointer(bitPattern: key), count)
            }
            let generated = Shared(string: shared.string, bytecode: bytecode)
            state.withLock { $0.entries[key]?.shared = generated }
        }
    }

    private func nextWanted() -> (key: UInt, count: Int, shared: Shared)? {
        state.withLock { state in
            guard let (key, count) = state.wanted.popFirst(), let entry = state.entries[key] else {
                state.isGenerating = false
                return nil
            }
            return (key, count, entry.shared)
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
