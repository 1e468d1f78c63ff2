package import BridgeValues

/// The coding of an entry as a line of JSON: `kind` and the members of that kind.
extension JournalEntry {
    var members: [(String, Value?)] {
        [("kind", .string(kind))] + content
    }

    private var content: [(String, Value?)] {
        switch self {
        case .context(let epoch, let seed):
            [("epoch", .string(epoch)), ("seed", .string(String(seed, radix: 16)))]
        case .script(let name, let line, let text):
            [
                ("name", name.map(Value.string)), ("line", line == 1 ? nil : .integer(Int64(line))),
                ("text", .string(text)),
            ]
        case .evaluated(let outcome), .answer(let outcome): outcome.members
        case .sent(let message), .received(let message): message.members
        case .malformed(let reason), .terminated(let reason): [("reason", .string(reason))]
        case .request(let handler, let payload):
            [("handler", .string(handler)), ("data", JournalValue.encoded(payload))]
        case .data(let names): [("functions", .array(names.map(Value.string)))]
        case .dataCall(let function, let arguments):
            [("function", .string(function)), ("data", .array(arguments.map(JournalValue.encoded)))]
        case .dataReturn(let outcome), .dataResult(let outcome): outcome.members
        case .dataCallback(let number, let function, let arguments):
            [
                ("number", .integer(Int64(number))), ("function", .integer(Int64(function))),
                ("data", .array(arguments.map(JournalValue.encoded))),
            ]
        case .timer(let id): [("id", .integer(Int64(id)))]
        case .date(let time, let count), .clock(let time, let count):
            [
                ("time", JournalValue.encoded(.number(time))),
                ("count", count == 1 ? nil : .integer(Int64(count))),
            ]
        case .disconnect(let record): [("error", JournalValue.encoded(record))]
        case .handler(let name, let isRegistered):
            [("name", .string(name)), ("registered", .bool(isRegistered))]
        case .setUp, .microtasks, .fetch, .full, .closed: []
        }
    }

    /// Reads an entry.
    ///
    /// - Throws: `invalidMessage` for a line that is not an entry.
    init(_ line: Value) throws(BridgeError) {
        let line = try Members(line)
        let kind = try line.text("kind")
        switch kind {
        case "context":
            guard let seed = UInt64(try line.text("seed"), radix: 16) else { throw line.wrong("seed") }
            self = .context(epoch: try line.text("epoch"), seed: seed)
        case "script":
            let name = line["name"].isNil ? nil : try line.text("name")
            self = .script(name: name, line: try line.count("line"), text: try line.text("text"))
        case "evaluated": self = .evaluated(try JournalOutcome(line))
        case "answer": self = .answer(try JournalOutcome(line))
        case "setUp": self = .setUp
        case "microtasks": self = .microtasks
        case "sent": self = .sent(try JournalMessage(line))
        case "received": self = .received(try JournalMessage(line))
        case "malformed": self = .malformed(try line.text("reason"))
        case "terminated": self = .terminated(try line.text("reason"))
        case "fetch": self = .fetch
        case "request": self = .request(handler: try line.text("handler"), payload: try line.value("data"))
        case "data": self = .data(try line.texts("functions"))
        case "call": self = .dataCall(function: try line.text("function"), arguments: try line.list("data"))
        case "return": self = .dataReturn(try JournalOutcome(line))
        case "callback":
            self = .dataCallback(
                number: try line.number("number"),
                function: try line.number("function"),
                arguments: try line.list("data")
            )
        case "result": self = .dataResult(try JournalOutcome(line))
        case "timer":
            guard let id = line["id"].integerValue.flatMap(Int.init(exactly:)) else { throw line.wrong("id") }
            self = .timer(id)
        case "date": self = .date(milliseconds: try line.time(), count: try line.count("count"))
        case "clock": self = .clock(milliseconds: try line.time(), count: try line.count("count"))
        case "disconnect": self = .disconnect(try line.value("error"))
        case "handler":
            guard let isRegistered = line["registered"].boolValue else { throw line.wrong("registered") }
            self = .handler(name: try line.text("name"), isRegistered: isRegistered)
        case "full": self = .full
        case "closed": self = .closed
        default:
            let shown = Value.string(kind).excerptForJournal
            throw BridgeError(.invalidMessage, "The entry has the unknown kind \(shown).")
        }
    }
}

extension JournalOutcome {
    fileprivate var members: [(String, Value?)] {
        switch self {
        case .success(let value): [("value", JournalValue.encoded(value))]
        case .failure(let record): [("error", JournalValue.encoded(record))]
        }
    }

    fileprivate init(_ line: Members) throws(BridgeError) {
        self = line["error"].isNil ? .success(try line.value("value")) : .failure(try line.value("error"))
    }
}

extension JournalMessage {
    fileprivate var members: [(String, Value?)] {
        [
            ("message", .string(kind.rawValue)), ("control", control.map(Value.string)),
            ("handler", handlerName.map(Value.string)), ("id", id.map(JournalValue.encoded)),
            ("number", number == 0 ? nil : .integer(Int64(clamping: number))),
            ("data", payload.map(JournalValue.encoded)), ("error", error.map(JournalValue.encoded)),
            ("stream", stream.map(JournalValue.encoded)),
            ("timeout", timeout.map { JournalValue.encoded(.number($0)) }),
            ("accepts", accepts.isEmpty ? nil : .array(accepts.map(Value.string))),
            ("trace", trace.map { .string($0.id) }), ("parent", trace?.parent.map(Value.string)),
        ]
    }

    fileprivate init(_ line: Members) throws(BridgeError) {
        guard let kind = Kind(rawValue: try line.text("message")) else { throw line.wrong("message") }
        self.init(kind)
        control = line["control"].stringValue
        handlerName = line["handler"].stringValue
        id = try line.optional("id")
        payload = try line.optional("data")
        error = try line.optional("error")
        stream = try line.optional("stream")
        timeout = try line.optional("timeout")?.doubleValue
        if let number = line["number"].integerValue {
            guard number >= 0 else { throw line.wrong("number") }
            self.number = UInt64(number)
        }
        accepts = line["accepts"].arrayValue?.compactMap(\.stringValue) ?? []
        trace = line["trace"].stringValue.map { BridgeTrace(id: $0, parent: line["parent"].stringValue) }
        // Built once, to find a message that cannot be sent before the replay begins.
        _ = try message(now: .zero)
    }
}

/// The members of a line.
private struct Members {
    let line: Value

    init(_ line: Value) throws(BridgeError) {
        guard case .object = line else {
            throw BridgeError(.invalidMessage, "A line of a journal must be an object, not \(line.kind).")
        }
        self.line = line
    }

    subscript(key: String) -> Value { line[key] }

    func text(_ key: String) throws(BridgeError) -> String {
        guard let text = line[key].stringValue else { throw wrong(key) }
        return text
    }

    func value(_ key: String) throws(BridgeError) -> Value {
        guard let value = try optional(key) else { throw wrong(key) }
        return value
    }

    func optional(_ key: String) throws(BridgeError) -> Value? {
        guard case .object(let members) = line, let value = members[key] else { return nil }
        return try JournalValue.decoded(value)
    }

    func time() throws(BridgeError) -> Double {
        guard let time = try value("time").doubleValue else { throw wrong("time") }
        return time
    }

    func texts(_ key: String) throws(BridgeError) -> [String] {
        guard let texts = line[key].arrayValue?.map(\.stringValue), !texts.contains(nil) else {
            throw wrong(key)
        }
        return texts.compactMap(\.self)
    }

    func list(_ key: String) throws(BridgeError) -> [Value] {
        guard let list = try value(key).arrayValue else { throw wrong(key) }
        return list
    }

    func number(_ key: String) throws(BridgeError) -> Int {
        guard !line[key].isNil else { throw wrong(key) }
        return try count(key)
    }

    func count(_ key: String) throws(BridgeError) -> Int {
        if line[key].isNil { return 1 }
        guard let count = line[key].integerValue, count > 0, count <= Int32.max else { throw wrong(key) }
        return Int(count)
    }

    func wrong(_ key: String) -> BridgeError {
        let found = line[key]
        let text = found == .undefined ? "is missing" : "cannot be \(found.excerptForJournal)"
        return BridgeError(.invalidMessage, "The member \"\(key)\" \(text).")
    }
}

extension JournalEntry {
    /// The members of the entry's line.
    package var record: Value {
        .object(ValueObject(members.compactMap { key, value in value.map { (key, $0) } }))
    }
}
