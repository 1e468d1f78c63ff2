internal import BridgeProtocol
internal import CBridgeScript
internal import Foundation
internal import Synchronization

/// The calls of the session to its recording hook.
extension BridgeSession {
    var port: (any RecordingHook)? { configuration.recording }

    /// Replaces the nondeterministic inputs of a context by those of the recording hook.
    func installRecording(in context: JSContext) throws {
        guard let port else { return }
        let own = state.withLock { $0.machine.peerEpochText }
        let (epoch, seed) = port.beginContext(epoch: own)
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
                .number(port.date { (Date().timeIntervalSince1970 * 1000).rounded(.down) })
            },
            forProperty: "readDate"
        )
        try recording.setValue(
            context.makeHostFunction { call in .number(port.clock { call.context.millisecondsSinceStart }) },
            forProperty: "readClock"
        )
        try internals.setValue(recording, forProperty: "recording")
        let text = bridge_script_recording()
        try context.runInternalScript(bytes: text.bytes, count: text.count)
    }

    /// Starts recording, or replaying, once a context is ready.
    func startRecording(_ transport: any MessageTransport, in context: JSContext) {
        guard let port else { return }
        context.observer = port
        context.holdsTimers = port.isReplay
        port.didBegin(ReplayTarget(session: self, transport: transport), in: context)
    }

    /// Reports an entry to the recording hook; returns true if the hook has handled it completely.
    func crosses(_ entry: @autoclosure () -> JournalEntry) -> Bool { port?.cross(entry()) ?? false }

    /// Reports a message from the script; returns true if the machine must not receive it.
    func crosses(_ message: BridgeMessage, _ payload: () throws -> Value?) -> Bool {
        guard let port else { return false }
        do {
            let payload = try payload()
            var received = JournalMessage(
                message,
                payload: payload == .undefined ? nil : payload,
                now: configuration.clock.now
            )
            received.timeout = received.timeout?.rounded()
            received.hidesPayload = hidesPayload(of: message) { payload }
            return port.cross(.received(received))
        } catch {
            return port.cross(.malformed(BridgeError(wrapping: error).code.rawValue))
        }
    }

    /// Sends a message to the script's side as data, as a replay does, and reports it.
    func send(_ message: BridgeMessage, _ payload: MessagePayload?, by transport: any MessageTransport) {
        guard let port else { return transport.send(message, payload) }
        let now = configuration.clock.now
        var sent: JournalMessage
        do {
            let value = try payload?.value()
            sent = JournalMessage(message, payload: value == .undefined ? nil : value, now: now)
            sent.hidesPayload = payload?.isSecret == true
        } catch {
            return fail(message, with: error)
        }
        // A hook that injects faults has sent it, or has dropped it.
        guard !port.cross(.sent(sent)) else { return }
        // The message as it is read from the journal: the script now receives exactly what a replay will give it.
        guard let again = try? sent.message(now: now) else {
            return transport.send(message, payload)
        }
        state.withLock { $0.tracing.sendingTime = now }
        transport.send(again.message.keepingError(of: message), again.payload.map(MessagePayload.value))
        state.withLock { $0.tracing.sendingTime = nil }
    }

    /// The time from which the remaining time of a deadline is computed.
    var timeOfSending: Duration {
        guard port != nil else { return configuration.clock.now }
        return state.withLock { $0.tracing.sendingTime } ?? configuration.clock.now
    }

    /// Answers a synchronous request with the journal's outcome.
    func answer(_ outcome: JournalOutcome, _ call: HostCall) throws -> ReceiverAnswer {
        switch outcome {
        case .success(let value):
            return try call.message { writer in
                writer.put(number: 1)
                try writer.put(value)
            }
        case .failure(let record):
            state.withLock { $0.runs.synchronousError = BridgeError(record: record) }
            return try call.message { writer in
                writer.put(number: 0)
                try writer.put(record)
            }
        }
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
