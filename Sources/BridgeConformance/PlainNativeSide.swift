internal import BridgeProtocol
internal import BridgeValues
internal import Foundation
internal import JavaScriptEngine

/// A native side that behaves as that of WebViewJavascriptBridge, from whose source the assertions were derived.
///
/// Where the original ends its process, this one records a crash and continues. It replaces
/// `WebViewJavascriptBridgeBase`, which is Objective-C, in tests that no script of this package ever sends it input
/// that it cannot handle. It parses as Foundation does and sends as WebViewJavascriptBridge does, by evaluating source
/// text (P63).
public final class PlainNativeSide: NativeSideUnderTest {
    /// The reasons of crashes, in order.
    public private(set) var crashes: [String] = []
    /// The number of calls that wait for their replies.
    public var pendingCount: Int { callbacks.count }
    /// The page of the script side.
    public private(set) var page: ConformancePage

    private let dialect: ConformanceDialect
    private var keys: MessageKeys { dialect.keys }
    private let text: ConformanceText
    private var observations: [ConformanceObservation] = []
    // `nil` once the script side is ready (P25).
    private var startUpQueue: [Value]? = []
    private var handlers: [String: NativeBehaviour] = [:]
    private var callbacks: [String: String] = [:]
    private var lastNumber = 0
    private var replies: [(id: String, data: Value)] = []
    private var logsTraffic = false
    private var logMaxLength = 500

    /// Creates a native side with an empty page.
    public init(dialect: ConformanceDialect = .webViewJavascriptBridge) throws {
        self.dialect = dialect
        text = try ConformanceText()
        page = try ConformancePage()
    }

    /// Removes and returns the observations, in order.
    public func takeObservations() -> [ConformanceObservation] {
        takePageObservations()
        defer { observations = [] }
        return observations
    }

    /// Performs a stimulus and all its immediate consequences, except the page's timers.
    public func perform(_ stimulus: NativeStimulus) throws {
        switch stimulus {
        case .load(let script): load(script)
        case .evaluate(let script): page.run(script)
        case .signal(let queue): page.call("peer", with: queue)
        case .reload: page = try ConformancePage()
        case .register(let name, let behaviour): handlers[name] = behaviour
        case .remove(let name): handlers[name] = nil
        case .call(let name, let data, let callback):
            call(name, data: try data.map { try text.value(of: $0) }, callback: callback)
        case .reset:
            // P29, P23: the counter too.
            startUpQueue = []
            callbacks = [:]
            lastNumber = 0
        case .disableSafetyTimeout:
            // P36
            call("_disableJavascriptAlertBoxSafetyTimeout", data: nil, callback: nil)
        case .enableLogging: logsTraffic = true
        case .setLogMaxLength(let length): logMaxLength = length
        }
        handleSignals()
    }

    /// Runs timers of the page, and handles their signals.
    @discardableResult
    public func runPageTimers(_ count: Int? = nil) -> Int {
        var done = 0
        while done != count, page.runTimers(1) == 1 {
            done += 1
            handleSignals()
        }
        return done
    }

    /// Advances the page's clock.
    public func advance(by milliseconds: Double) {
        page.advance(by: milliseconds)
        handleSignals()
    }

    /// Replies to the oldest call that a `silent` handler has left without a reply.
    ///
    /// - Returns: Whether there was one.
    public func answerOldest() -> Bool {
        guard !replies.isEmpty else { return false }
        let reply = replies.removeFirst()
        respond(to: reply.id, with: reply.data)
        handleSignals()
        return true
    }

    // MARK: - Sending

    private func load(_ script: String) {
        page.run(script, sourceURL: "bridge.js")
        guard let queue = startUpQueue else { return }
        // P27: from here on messages overtake the rest of the queue.
        startUpQueue = nil
        for message in queue { dispatch(message) }
    }

    private func call(_ name: String, data: Value?, callback: String?) {
        var message = ValueObject()
        if let data { message[keys.data] = data }
        if let callback {
            lastNumber += 1
            let id = dialect.nativeIdentifier.replacing("#", with: "\(lastNumber)")
            callbacks[id] = callback
            message[keys.callbackID] = .string(id)
        }
        message[keys.handlerName] = .string(name)
        queue(.object(message))
    }

    private func respond(to id: String, with data: Value?) {
        // P15
        queue([keys.responseID: .string(id), keys.responseData: data ?? .null])
    }

    private func queue(_ message: Value) {
        if startUpQueue != nil { startUpQueue?.append(message) } else { dispatch(message) }
    }

    private func dispatch(_ message: Value) {
        guard let json = try? text.text(of: message) else { return }
        logTraffic("SEND", json)
        let source = "\(dialect.globalName).\(dialect.entryName)('\(Self.escaped(json))');"
        // WebViewJavascriptBridge passes no completion handler: an error of the page is lost (P28).
        _ = try? page.context.evaluate(source)
    }

    // P63
    private static func escaped(_ json: String) -> String {
        var escaped = ""
        for scalar in json.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "'": escaped += "\\'"
            case "\n": escaped += "\\n"
            case "\r": escaped += "\\r"
            case "\u{C}": escaped += "\\f"
            case "\u{2028}": escaped += "\\u2028"
            case "\u{2029}": escaped += "\\u2029"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    // MARK: - Receiving

    // The navigation callback for a signal's URL comes later than the navigation, and once for several.
    private func handleSignals() {
        while takePageObservations() { flush() }
    }

    /// Adds the observations of the page; returns whether there was a queue signal.
    @discardableResult
    private func takePageObservations() -> Bool {
        let seen = page.takeObservations()
        observations += seen.ofNativeSide
        return seen.contains(.queueSignal)
    }

    private func flush() {
        let fetched = page.fetch(dialect: dialect)
        takePageObservations()
        guard let fetched, !fetched.isEmpty else {
            // P32
            return log("WARNING: ObjC got nil while fetching the message queue JSON from webview.")
        }
        guard let messages = parse(fetched) else { return log("the queue is not JSON") }
        switch messages {
        case .array(let elements): for element in elements { receive(element) }
        case .object(let object): for _ in object { warnInvalid() }
        // P69: enumerating a value that is not a collection is an unknown selector.
        default: crash("the queue is not an array")
        }
    }

    // P66, P67: all or nothing, by Foundation's rules.
    private func parse(_ json: String) -> Value? {
        guard
            (try? JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)) != nil
        else { return nil }
        return try? text.value(of: json)
    }

    private func receive(_ element: Value) {
        guard case .object(let message) = element else { return warnInvalid() }
        logTraffic("RCVD", (try? text.text(of: element)) ?? "")
        if let responseID = message[keys.responseID] {
            // P31, P44, P17: the block of the id is called, whatever the id is, even if there is none.
            guard let id = responseID.stringValue, let label = callbacks.removeValue(forKey: id) else {
                let id = (try? text.text(of: responseID)) ?? "?"
                return crash("a response to \(id), for which no call is pending")
            }
            let data = message[keys.responseData]
            observations.append(.line("callback \(label) \(shown(data))"))
            return
        }
        let name = message[keys.handlerName]?.stringValue
        guard let name, let behaviour = handlers[name] else {
            // P55
            let line = (try? text.text(of: element)) ?? ""
            return log("WVJBNoHandlerException, No handler for message from JS: \(line)")
        }
        let data = message[keys.data]
        observations.append(.line("handler \(name) \(shown(data))"))
        run(behaviour, name, data, id: message[keys.callbackID])
    }

    private func run(_ behaviour: NativeBehaviour, _ name: String, _ data: Value?, id: Value?) {
        // Without an id a reply does nothing (P48).
        let reply = { [self] (data: Value?) in
            guard let id else { return }
            queue([keys.responseID: id, keys.responseData: data ?? .null])
        }
        switch behaviour {
        case .echo: reply(data)
        case .reply(let value): reply(value)
        case .replyNil: reply(nil)
        case .replyTwice:
            reply(data)
            reply(data)
        case .silent:
            if let id = id?.stringValue { replies.append((id, data ?? .null)) }
        case .fail: crash("the handler \(name) raised, and the rest of the batch is lost (P58)")
        case .replyAndCall(let other):
            reply(data)
            call(other, data: data, callback: nil)
        }
    }

    // MARK: - Log

    private func crash(_ reason: String) {
        crashes.append(reason)
        observations.append(.line("crash \(reason)"))
    }

    private func warnInvalid() { log("WARNING: Invalid message received.") }

    private func log(_ line: String) { observations.append(.log(line)) }

    private func logTraffic(_ action: String, _ json: String) {
        guard logsTraffic else { return }
        let units = Array(json.utf16)
        // P72: a longer text is cut to the limit, at any code unit.
        let shown =
            units.count > logMaxLength
            ? String(decoding: units.prefix(logMaxLength), as: UTF16.self) + " [...]" : json
        log("WVJB \(action): \(shown)")
    }

    private func shown(_ data: Value?) -> String {
        guard let data else { return "undefined" }
        return (try? text.text(of: data)) ?? "?"
    }
}
