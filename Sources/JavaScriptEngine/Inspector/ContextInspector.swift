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
    /// The number of ticks since a pause was requested that has not begun; `nil` without one.
    private var ticksOfPause: Int?
    /// The event of a pause, which is passed on when the wait begins: only then a script can be called.
    private var pauseEvent: String?
    /// The package's own function that describes the operations that led to the running code.
    private var trail: JSObjectRef?
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
        if text.utf8.starts(with: Self.pausedPrefix.utf8) {
            pauseEvent = text
            return
        }
        let isParsed = text.utf8.starts(with: Self.parsedPrefix.utf8)
        if isParsed, text.utf8.contains(Self.mapMember) { target.setSources(context?.stacks.sources) }
        client.receive(.message(text), from: target)
        guard isParsed else { return }
        target.setSources(nil)
        if target.isHeld { waitForRelease() }
    }

    private static let pausedPrefix = #"{"method":"Debugger.paused""#
    private static let parsedPrefix = #"{"method":"Debugger.scriptParsed""#
    private static let mapMember = Array(#""sourceMapURL""#.utf8)

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
        if let generated = frame, let context {
            var problems: [String] = []
            frame = context.stacks.sources.original(of: generated, &problems)
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

    /// Runs the commands that have arrived, while a script is running.
    ///
    /// Code that was compiled while no breakpoint was active has no places to pause at. If a script does not pause when
    /// that is requested, one is evaluated inside it, at whose first statement it does.
    func tick() {
        sendPending()
        guard !isPaused, let ticks = ticksOfPause else { return }
        ticksOfPause = ticks + 1
        guard ticks == Self.maximumTicksOfPause else { return }
        EngineString.with("0") { script in
            EngineString.with(InspectorTarget.pauseScriptURL) { url in
                _ = JSEvaluateScript(ref, script, nil, url, 1, nil)
            }
        }
    }

    private static let maximumTicksOfPause = 2

    private func send(_ command: String) {
        guard let inspector else { return }
        if command.contains(#""Debugger.pause""#) { ticksOfPause = 0 }
        let units = Array(command.utf16)
        JSLock(ref)
        units.withUnsafeBufferPointer { jsb_inspector_send(inspector, $0.baseAddress, $0.count) }
        JSUnlock(ref)
    }

    /// Runs commands while a client holds the script that was parsed.
    private func waitForRelease() {
        let wasPaused = isPaused
        isPaused = true
        defer { isPaused = wasPaused }
        let signal = machine.watchdog.signal
        machine.watchdog.pausing {
            while !isDetached,
                let command = target.waitForCommand(unless: { signal.isRequested || !target.isHeld })
            {
                send(command)
            }
        }
        target.releaseScript()
    }

    /// Runs commands until one resumes the script, or another thread requests the turn's end.
    private func waitForResumption() {
        guard let inspector, !isPaused else { return sendPauseEvent(PausedTrace?.none) }
        isPaused = true
        ticksOfPause = nil
        defer { isPaused = false }
        let signal = machine.watchdog.signal
        // A script that is being ended does not wait at its further breakpoints.
        if signal.isRequested { pauseEvent = nil }
        machine.watchdog.pausing { sendPauseEvent(makeTrace()) }
        machine.watchdog.pausing {
            while !jsb_inspector_is_resumed(inspector) {
                guard !isDetached, let command = target.waitForCommand(unless: { signal.isRequested }) else {
                    return send("{\"id\":0,\"method\":\"Debugger.resume\"}")
                }
                send(command)
            }
        }
    }

    private func makeTrace() -> PausedTrace? {
        guard pauseEvent != nil, let context, context.life.isPrepared,
            let shared = context.script.internalObject
        else {
            return nil
        }
        if trail == nil { trail = try? context.internalFunction("trail", on: shared) }
        return context.pausedTrace(trail)
    }

    private func sendPauseEvent(_ trace: PausedTrace?) {
        guard let text = pauseEvent, !isDetached else { return }
        pauseEvent = nil
        target.setTrace(trace)
        client.receive(.message(text), from: target)
        target.setTrace(nil)
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
