internal import BridgeProtocol
internal import CBridgeScript
internal import Foundation
internal import Synchronization

extension RecordingHook {
    /// Replaces the nondeterministic inputs of a context by those of the recording hook.
    func install(in context: JSContext, epoch: String) throws {
        let (epoch, seed) = beginContext(epoch: epoch)
        let internals = context.internals
        try internals.setValue(.string(epoch), forProperty: "epoch")
        let source = try JSValue(
            [
                "first": .integer(Int64(UInt32(truncatingIfNeeded: seed))),
                "second": .integer(Int64(seed >> 32)), "third": .integer(Int64((seed >> 16) & 0xFFFF_FFFF)),
            ],
            in: context
        )
        let recording = try JSValue(.object(ValueObject()), in: context)
        try recording.setValue(source, forProperty: "seed")
        try recording.setValue(
            context.makeHostFunction { _ in
                .number(self.date { (Date().timeIntervalSince1970 * 1000).rounded(.down) })
            },
            forProperty: "readDate"
        )
        try recording.setValue(
            context.makeHostFunction { call in .number(self.clock { call.context.millisecondsSinceStart }) },
            forProperty: "readClock"
        )
        try internals.setValue(recording, forProperty: "recording")
        let text = bridge_script_recording()
        try context.runInternalScript(bytes: text.bytes, count: text.count)
    }
}

extension MessageTransport {
    /// Sends a message; if the bridge is recorded, reports it and sends what a replay will send.
    func sendAndReport(_ message: BridgeMessage, _ payload: MessagePayload?) {
        guard let port = session.port else { return send(message, payload) }
        let now = session.configuration.clock.now
        var sent: JournalMessage
        do {
            let value = try payload?.value()
            sent = JournalMessage(message, payload: value == .undefined ? nil : value, now: now)
            sent.hidesPayload = payload?.isSecret == true
        } catch {
            return session.fail(message, with: error)
        }
        // A hook that injects faults has sent it, or has dropped it.
        guard !port.cross(.sent(sent)) else { return }
        // The message as it is read from the journal: the script now receives exactly what a replay will give it.
        guard let again = try? sent.message(now: now) else {
            return send(message, payload)
        }
        session.state.withLock { $0.tracing.sendingTime = now }
        send(again.message.keepingError(of: message), again.payload.map(MessagePayload.value))
        session.state.withLock { $0.tracing.sendingTime = nil }
    }
}

extension BridgeMessage {
    /// Returns the message with the error of another, including the parts that stay in the process.
    fileprivate func keepingError(of other: BridgeMessage) -> BridgeMessage {
        switch (self, other) {
        case (.response(var response), .response(let original)):
            if let error = original.outcome.error { response.outcome = .failure(error) }
            return .response(response)
        case (.control(var control), .control(let original)):
            control.error = original.error
            return .control(control)
        default: return self
        }
    }
}

extension BridgeConfiguration {
    /// The header of a journal for a bridge with this configuration.
    var journalHeader: JournalHeader {
        var header = JournalHeader()
        header.transport = transport == .direct ? "direct" : "text"
        header.dialect = dialect.name
        header.injectsScript = injectsScript
        header.binaryPolicy = binaryPolicy.rawValue
        header.defaultTimeout = defaultTimeout?.milliseconds ?? 0
        header.tracesCalls = tracesCalls
        header.maximumDepth = limits.maximumDepth
        header.maximumNodes = limits.maximumNodes
        header.maximumMessageLength = limits.maximumMessageLength
        header.engine = Capabilities.current.engineVersion
        header.timeZone = JournalHeader.currentTimeZone
        return header
    }

    /// Creates a configuration whose scripts find the same environment as those of a journal.
    ///
    /// - Throws: `unsupported` for a dialect that is not among the given ones.
    package init(
        replaying header: JournalHeader,
        among dialects: [BridgeDialect],
        through port: any RecordingHook
    ) throws(BridgeError) {
        self.init()
        guard let dialect = dialects.first(where: { $0.name == header.dialect }) else {
            throw BridgeError(
                .unsupported,
                "Unknown dialect \"\(header.dialect)\" in the journal. JournalReplay.dialects must contain it."
            )
        }
        self.dialect = dialect
        transport = header.transport == "direct" ? .direct : .text
        injectsScript = header.injectsScript
        binaryPolicy = BinaryPolicy(rawValue: header.binaryPolicy) ?? .base64
        defaultTimeout = header.defaultTimeout > 0 ? .milliseconds(header.defaultTimeout) : nil
        tracesCalls = header.tracesCalls
        limits.maximumDepth = header.maximumDepth
        limits.maximumNodes = header.maximumNodes
        limits.maximumMessageLength = header.maximumMessageLength
        recording = port
    }
}

extension JournalHeader {
    /// The time zone that scripts see, as `TZ` spells it if that is set.
    ///
    /// The engine reads spellings that Foundation does not know, such as the colon of POSIX, and names zones by that
    /// spelling.
    package static var currentTimeZone: String {
        guard let text = ProcessInfo.processInfo.environment["TZ"] else { return TimeZone.current.identifier }
        // An empty name is a valid one; the journal would otherwise read it as missing.
        return text.isEmpty ? ":" : text
    }
}
