internal import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// The engine's inspector of one context, on the thread of the context's owner.
final class ContextInspector {
    let target = InspectorTarget()
    private let client: any InspectorClient
    private let ref: JSGlobalContextRef
    private unowned let machine: JSVirtualMachine
    private weak var context: JSContext?
    private var inspector: OpaquePointer?
    /// A Boolean value that indicates whether a script of the context is paused.
    private(set) var isPaused = false
    private var isAttached = false
    private var isDetached = false

    /// Attaches the inspector to a context that has run nothing.
    init(client: any InspectorClient, context: JSContext) throws(JSException) {
        self.client = client
        self.context = context
        ref = context.ref
        machine = context.virtualMachine
        var fault: UnsafePointer<CChar>?
        JSLock(ref)
        inspector = jsb_inspector_open(ref, makeFunctions(), &fault)
        JSUnlock(ref)
        guard inspector != nil else {
            throw JSException(
                name: "Error",
                message: "the inspector cannot be attached: \(fault.map { String(cString: $0) } ?? "")"
            )
        }
        // Steps and pauses pass over the package's own scripts.
        send(
            """
            {"id":0,"method":"Debugger.setShouldBlackboxURL","params":{"url":"^jsbridge:","isRegex":true,\
            "shouldBlackbox":true}}
            """
        )
        isAttached = true
        client.receive(.attached, from: target)
    }

    private func makeFunctions() -> jsb_inspector_client {
        jsb_inspector_client(
            info: Unmanaged.passUnretained(self).toOpaque(),
            receive: { info, characters, count, isNarrow in
                guard let info, let characters else { return }
                Unmanaged<ContextInspector>.fromOpaque(info).takeUnretainedValue()
                    .receive(characters, count, isNarrow)
            },
            wait: { info in
                guard let info else { return }
                Unmanaged<ContextInspector>.fromOpaque(info).takeUnretainedValue().waitForResumption()
            }
        )
    }

    private func receive(_ characters: UnsafeRawPointer, _ count: Int, _ isNarrow: Bool) {
        // The responses to the commands of this type are not the client's.
        guard isAttached, !isDetached else { return }
        let text = isNarrow ? Self.narrowText(characters, count) : Self.wideText(characters, count)
        client.receive(.message(text), from: target)
    }

    // Almost all messages are ASCII, and a heap snapshot has many megabytes.
    private static func narrowText(_ characters: UnsafeRawPointer, _ count: Int) -> String {
        let bytes = UnsafeRawBufferPointer(start: characters, count: count)
        guard bytes.contains(where: { $0 >= 0x80 }) else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: bytes.map(UInt16.init), as: UTF16.self)
    }

    private static func wideText(_ characters: UnsafeRawPointer, _ count: Int) -> String {
        let units = characters.assumingMemoryBound(to: UInt16.self)
        return String(decoding: UnsafeBufferPointer(start: units, count: count), as: UTF16.self)
    }

    /// Passes a line of the console to the client.
    func print(_ message: ConsoleMessage) {
        guard target.receivesConsole, !isDetached else { return }
        var frame: StackFrame?
        if let trace = JSContextCreateBacktrace(ref, 16) {
            let stack = EngineString.withUnits(of: trace, EngineString.repaired)
            JSStringRelease(trace)
            frame = StackFrame.parse(stack).first { $0.sourceURL != nil }
        }
        client.receive(.console(message, sourceURL: frame?.sourceURL, line: frame?.line), from: target)
    }

    // MARK: - Commands

    /// Runs the commands that have arrived.
    ///
    /// At a breakpoint it does nothing, because the commands are run there.
    func sendPending() {
        guard !isPaused else { return }
        while !isDetached, let command = target.take() { send(command) }
    }

    private func send(_ command: String) {
        guard let inspector else { return }
        let units = Array(command.utf16)
        JSLock(ref)
        units.withUnsafeBufferPointer { jsb_inspector_send(inspector, $0.baseAddress, $0.count) }
        JSUnlock(ref)
    }

    /// Runs commands until one resumes the script, or another thread requests the turn's end.
    private func waitForResumption() {
        guard let inspector, !isPaused else { return }
        isPaused = true
        defer { isPaused = false }
        let signal = machine.watchdog.signal
        machine.watchdog.pausing {
            while !jsb_inspector_is_resumed(inspector) {
                guard !isDetached, let command = target.waitForCommand(unless: { signal.isRequested }) else {
                    return send("{\"id\":0,\"method\":\"Debugger.resume\"}")
                }
                send(command)
            }
        }
    }

    // MARK: - Detaching

    /// Detaches the inspector from the context, which is closed.
    ///
    /// While a script is paused, the engine still uses its inspector, which then stays until the machine is released.
    func detach() {
        if !isDetached {
            isDetached = true
            target.close()
            client.receive(.detached, from: target)
        }
        guard let inspector, !isPaused else { return }
        self.inspector = nil
        JSLock(ref)
        jsb_inspector_close(inspector)
        JSUnlock(ref)
    }

    /// A Boolean value that indicates whether the context has been released.
    var isOrphan: Bool { context == nil }
}
