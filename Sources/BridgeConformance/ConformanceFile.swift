internal import BridgeValues

/// A file of vectors about one subject.
///
/// Parsing is strict: an unknown key is an error with its position, so that no misspelled expectation is ignored.
public struct ConformanceFile: Sendable, Hashable {
    /// The subject of the vectors.
    public let subject: String
    /// The vectors, in the order of the file.
    public let vectors: [ConformanceVector]

    init(subject: String, vectors: [ConformanceVector]) {
        self.subject = subject
        self.vectors = vectors
    }

    /// Parses the text of a file.
    ///
    /// - Throws: ``BridgeError`` with `invalidArgument`, which names the vector, the step and the key; the engine's own
    ///   error for a text that is not JSON.
    public init(json: String) throws { try self.init(json: json, parser: ConformanceText()) }

    /// Parses the text of a file with a parser that others use too, because creating one takes longer than most files.
    init(json: String, parser text: ConformanceText) throws {
        let file = try Reader(text.value(of: json), at: "the file", text: text)
        try file.allow(["subject", "side", "vectors"])
        subject = try file.string("subject")
        let name = try file.string("side")
        guard let side = ConformanceVector.Side(rawValue: name) else {
            throw file.error("\"side\" must be \"js\" or \"native\", not \"\(name)\"")
        }
        vectors = try file.list("vectors").map { try ConformanceVector($0, side: side) }
    }
}

extension ConformanceVector {
    fileprivate init(_ reader: Reader, side: Side) throws {
        try reader.allow(["name", "mark", "empty", "steps"])
        name = try reader.string("name")
        self.side = side
        let reader = reader.renamed("\"\(name)\"")
        guard let mark = Mark(rawValue: try reader.string("mark")) else {
            throw reader.error("\"mark\" must be \"K\", \"B\" or \"W\"")
        }
        self.mark = mark
        startsEmpty = reader["empty"] == .bool(true)
        steps = try reader.list("steps").map { try ConformanceStep($0, side: side) }
    }
}

extension ConformanceStep {
    private static let expectationKeys = ["expect", "log", "signals", "timers"]

    fileprivate init(_ reader: Reader, side: ConformanceVector.Side) throws {
        let keys = reader.keys.filter { !Self.expectationKeys.contains($0) && $0 != "original" }
        guard let key = keys.first else { throw reader.error("a step needs a stimulus") }
        let own = ["call": ["data", "callback"], "register": ["does", "with"]][key] ?? []
        try reader.allow([key, "original"] + Self.expectationKeys + own)
        stimulus =
            switch side {
            case .script: try ConformanceStimulus(script: key, reader)
            case .native: try ConformanceStimulus(native: key, reader)
            }
        expectation = try ConformanceExpectation(reader)
        if let other = reader["original"] {
            let other = try Reader(other, at: reader.place + ", \"original\"", text: reader.text)
            try other.allow(Self.expectationKeys)
            original = try ConformanceExpectation(other)
        } else {
            original = nil
        }
    }
}

extension ConformanceStimulus {
    fileprivate init(script key: String, _ reader: Reader) throws {
        switch key {
        case "js": self = .script(try reader.lines(key))
        case "inject": self = .inject
        case "deliver": self = .deliver(try reader.wireText(key))
        case "turns": self = .turns(reader[key]?.integerValue.map { Int($0) })
        case "advance": self = .advance(try reader.number(key))
        case "fetch": self = .fetch
        case "reload": self = .reload
        default: throw reader.error("unknown stimulus \"\(key)\" of a script side")
        }
    }

    fileprivate init(native key: String, _ reader: Reader) throws {
        switch key {
        case "register": self = .register(try reader.string(key), try NativeBehaviour(reader))
        case "remove": self = .remove(try reader.string(key))
        case "call":
            let label = reader["callback"]?.stringValue
            self = .call(try reader.string(key), data: reader["data"], callback: label)
        case "peer": self = .peer(try reader.wireText(key))
        case "js": self = .script(try reader.lines(key))
        case "inject": self = .inject
        case "reload": self = .reload
        case "reset": self = .reset
        case "disableSafetyTimeout": self = .disableSafetyTimeout
        case "enableLogging": self = .enableLogging
        case "setLogMaxLength": self = .setLogMaxLength(Int(try reader.number(key)))
        default: throw reader.error("unknown stimulus \"\(key)\" of a native side")
        }
    }
}

extension NativeBehaviour {
    fileprivate init(_ reader: Reader) throws {
        switch try reader.string("does") {
        case "echo": self = .echo
        case "reply": self = reader["with"].map { .reply($0) } ?? .replyNil
        case "reply twice": self = .replyTwice
        case "nothing": self = .silent
        case "fail": self = .fail
        case "reply and call": self = .replyAndCall(try reader.string("with"))
        case let other: throw reader.error("unknown behavior \"\(other)\" of a handler")
        }
    }
}

extension ConformanceExpectation {
    fileprivate init(_ reader: Reader) throws {
        lines = reader["expect"] == nil ? [] : try reader.texts("expect")
        log = reader["log"] == nil ? nil : try reader.texts("log")
        signals = reader["signals"]?.integerValue.map { Int($0) }
        timers = reader["timers"]?.integerValue.map { Int($0) }
    }
}

/// An object of the file, with its position.
private struct Reader {
    let members: ValueObject
    let place: String
    let text: ConformanceText

    init(_ value: Value, at place: String, text: ConformanceText) throws {
        guard case .object(let members) = value else {
            throw BridgeError(.invalidArgument, "\(place): expected an object")
        }
        self.init(members: members, place: place, text: text)
    }

    private init(members: ValueObject, place: String, text: ConformanceText) {
        self.members = members
        self.place = place
        self.text = text
    }

    var keys: [String] { members.keys }

    subscript(key: String) -> Value? { members[key] }

    func renamed(_ place: String) -> Reader { Reader(members: members, place: place, text: text) }

    func error(_ message: String) -> BridgeError {
        BridgeError(.invalidArgument, "\(place): \(message)")
    }

    func allow(_ known: [String]) throws {
        for key in keys where !known.contains(key) { throw error("unknown key \"\(key)\"") }
    }

    func string(_ key: String) throws -> String {
        guard let string = self[key]?.stringValue else { throw error("\"\(key)\" must be a string") }
        return string
    }

    func number(_ key: String) throws -> Double {
        guard let number = self[key]?.doubleValue else { throw error("\"\(key)\" must be a number") }
        return number
    }

    func list(_ key: String) throws -> [Reader] {
        guard let elements = self[key]?.arrayValue else { throw error("\"\(key)\" must be an array") }
        return try elements.enumerated().map { index, element in
            try Reader(element, at: "\(place), \(key) \(index + 1)", text: text)
        }
    }

    /// Returns a string, or an array of strings as lines.
    func lines(_ key: String) throws -> String {
        guard let elements = self[key]?.arrayValue else { return try string(key) }
        return elements.map { $0.stringValue ?? "" }.joined(separator: "\n")
    }

    /// Returns a string as it is, and any other value as its JSON.
    func wireText(_ key: String) throws -> String {
        guard let value = self[key] else { throw error("\"\(key)\" is missing") }
        return try value.stringValue ?? text.text(of: value)
    }

    /// Returns an array of strings; other elements are replaced by their JSON.
    func texts(_ key: String) throws -> [String] {
        guard let elements = self[key]?.arrayValue else { throw error("\"\(key)\" must be an array") }
        return try elements.map { try $0.stringValue ?? text.text(of: $0) }
    }
}
