internal import BridgeValues

/// The first line of a journal: how the bridge was made that it is of.
public struct JournalHeader: Sendable, Hashable {
    /// The version of the form that this package reads and writes.
    public static let currentVersion = 1

    /// The version of the form.
    public var version = JournalHeader.currentVersion
    /// How messages crossed: `direct` or `text`.
    public var transport = "direct"
    /// The dialect of a text transport, by its name.
    public var dialect = BridgeDialect.wvjb6.name
    /// Whether the bridge put its own side of the protocol into the context.
    public var injectsScript = true
    /// How bytes go to a side that does not take them: `base64`, `numbers` or `fail`.
    public var binaryPolicy = "base64"
    /// How many milliseconds a call waits that names no time; 0 is for ever.
    public var defaultTimeout = 30_000.0
    /// Whether calls were joined by traces.
    public var tracesCalls = false
    /// How deep a payload could nest.
    public var maximumDepth = BridgeLimits().maximumDepth
    /// How many values a payload could hold.
    public var maximumNodes = BridgeLimits().maximumNodes
    /// How many units a message could have.
    public var maximumMessageLength = BridgeLimits().maximumMessageLength
    /// Whether a mark stands in the place of secrets (R38): what a script sends there is not compared.
    public var redactsSecrets = true
    /// The engine that ran the scripts.
    public var engine = ""
    /// The time zone of the process, as scripts see it.
    public var timeZone = ""

    /// Makes a header of the defaults.
    public init() {}
}

extension JournalHeader {
    static let name = "jsbridge"

    var members: [(String, Value?)] {
        [
            ("journal", .string(Self.name)), ("version", .integer(Int64(version))),
            ("transport", .string(transport)), ("dialect", .string(dialect)),
            ("injectsScript", .bool(injectsScript)),
            ("binaryPolicy", .string(binaryPolicy)),
            ("defaultTimeout", JournalValue.encoded(.number(defaultTimeout))),
            ("tracesCalls", .bool(tracesCalls)), ("maximumDepth", .integer(Int64(maximumDepth))),
            ("maximumNodes", .integer(Int64(maximumNodes))),
            ("maximumMessageLength", .integer(Int64(maximumMessageLength))),
            ("secrets", .string(redactsSecrets ? "redacted" : "kept")), ("engine", .string(engine)),
            ("timeZone", .string(timeZone)),
        ]
    }

    /// - Throws: `invalidMessage` where it is no header, `unsupported` for another version.
    init(_ line: Value) throws(BridgeError) {
        guard line["journal"] == .string(Self.name) else {
            throw BridgeError(.invalidMessage, "The first line is no header of a journal.")
        }
        guard let version = line["version"].integerValue else {
            throw BridgeError(.invalidMessage, "The header of the journal has no version.")
        }
        guard version == Int64(Self.currentVersion) else {
            throw BridgeError(
                .unsupported,
                "The journal is of version \(version); this program reads version \(Self.currentVersion)."
            )
        }
        transport = try Self.one(of: ["direct", "text"], "transport", in: line)
        dialect = try Self.one(of: BridgeDialect.all.map(\.name), "dialect", in: line)
        binaryPolicy = try Self.one(of: ["base64", "numbers", "fail"], "binaryPolicy", in: line)
        redactsSecrets = try Self.one(of: ["redacted", "kept"], "secrets", in: line) == "redacted"
        injectsScript = line["injectsScript"].boolValue ?? true
        tracesCalls = line["tracesCalls"].boolValue ?? false
        defaultTimeout = try Self.timeout(defaultTimeout, in: line)
        maximumDepth = try Self.limit("maximumDepth", maximumDepth, in: line)
        maximumNodes = try Self.limit("maximumNodes", maximumNodes, in: line)
        maximumMessageLength = try Self.limit("maximumMessageLength", maximumMessageLength, in: line)
        engine = line["engine"].stringValue ?? ""
        timeZone = line["timeZone"].stringValue ?? ""
    }

    private static func one(of known: [String], _ key: String, in line: Value) throws(BridgeError) -> String {
        if let text = line[key].stringValue, known.contains(text) { return text }
        throw BridgeError(
            .invalidMessage,
            "\"\(key)\" in the journal's header is one of \(known.joined(separator: ", ")), not \(line[key].excerptForJournal)."
        )
    }

    private static func timeout(_ standard: Double, in line: Value) throws(BridgeError) -> Double {
        let value = try JournalValue.decoded(line["defaultTimeout"])
        guard value != .undefined else { return standard }
        guard let timeout = value.doubleValue, timeout >= 0 else {
            throw senseless("defaultTimeout", "milliseconds, 0 for ever", in: line)
        }
        return min(timeout, 1e15)
    }

    // A journal may come from anybody: it makes no limit wider than the defaults are.
    private static func limit(_ key: String, _ standard: Int, in line: Value) throws(BridgeError) -> Int {
        switch line[key] {
        case .undefined: return standard
        case .integer(let limit) where limit > 0: return Int(min(limit, Int64(standard)))
        // Beyond what JavaScript has as whole numbers, which is beyond the defaults.
        case .bigInt(let digits) where !digits.hasPrefix("-"): return standard
        case .double(let limit) where limit >= 0x1p53: return standard
        default: throw senseless(key, "a whole number from 1 on", in: line)
        }
    }

    private static func senseless(_ key: String, _ kind: String, in line: Value) -> BridgeError {
        BridgeError(
            .invalidMessage,
            "\"\(key)\" in the journal's header is \(kind), not \(line[key].excerptForJournal)."
        )
    }
}
