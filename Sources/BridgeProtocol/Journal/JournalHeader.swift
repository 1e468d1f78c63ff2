internal import BridgeValues

/// The first line of a journal: the configuration of the recorded bridge.
public struct JournalHeader: Sendable, Hashable {
    /// The version of the format that this package reads and writes.
    public static let currentVersion = 1

    /// The version of the format.
    public var version = JournalHeader.currentVersion
    /// The transport: `direct` or `text`.
    public var transport = "direct"
    /// The name of the dialect of a text transport.
    public var dialect = BridgeDialect.wvjb6.name
    /// A Boolean value that indicates whether the bridge injected its own script side into the context.
    public var injectsScript = true
    /// The encoding of bytes for a side that does not support them: `base64`, `numbers` or `fail`.
    public var binaryPolicy = "base64"
    /// The timeout of calls without their own, in milliseconds; 0 means none.
    public var defaultTimeout = 30_000.0
    /// A Boolean value that indicates whether calls were connected by traces.
    public var tracesCalls = false
    /// The maximum nesting depth of a payload.
    public var maximumDepth = BridgeLimits().maximumDepth
    /// The maximum number of values in a payload.
    public var maximumNodes = BridgeLimits().maximumNodes
    /// The maximum length of a message in UTF-16 code units.
    public var maximumMessageLength = BridgeLimits().maximumMessageLength
    /// A Boolean value that indicates whether secrets are replaced by a mark (R38): a replay does not compare a
    /// script's data in their place.
    public var redactsSecrets = true
    /// The engine that ran the scripts.
    public var engine = ""
    /// The time zone of the process, as scripts see it.
    public var timeZone = ""

    /// Creates a header with default values.
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

    /// Reads a header.
    ///
    /// - Throws: `invalidMessage` for a line that is not a header, `unsupported` for another version.
    init(_ line: Value) throws(BridgeError) {
        guard line["journal"] == .string(Self.name) else {
            throw BridgeError(.invalidMessage, "The first line is not a header of a journal.")
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
        guard let dialect = line["dialect"].stringValue else {
            throw BridgeError(.invalidMessage, "The header of the journal has no dialect.")
        }
        self.dialect = dialect
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
            "\"\(key)\" in the journal's header must be one of \(known.joined(separator: ", ")), not \(line[key].excerptForJournal)."
        )
    }

    private static func timeout(_ standard: Double, in line: Value) throws(BridgeError) -> Double {
        let value = try JournalValue.decoded(line["defaultTimeout"])
        guard value != .undefined else { return standard }
        guard let timeout = value.doubleValue, timeout >= 0 else {
            throw senseless("defaultTimeout", "a number of milliseconds (0 for none)", in: line)
        }
        return min(timeout, 1e15)
    }

    // A journal is untrusted: it cannot raise a limit above its default.
    private static func limit(_ key: String, _ standard: Int, in line: Value) throws(BridgeError) -> Int {
        switch line[key] {
        case .undefined: return standard
        case .integer(let limit) where limit > 0: return Int(min(limit, Int64(standard)))
        // Beyond the whole numbers of JavaScript, and so beyond the defaults.
        case .bigInt(let digits) where !digits.hasPrefix("-"): return standard
        case .double(let limit) where limit >= 0x1p53: return standard
        default: throw senseless(key, "a whole number of at least 1", in: line)
        }
    }

    private static func senseless(_ key: String, _ kind: String, in line: Value) -> BridgeError {
        BridgeError(
            .invalidMessage,
            "\"\(key)\" in the journal's header must be \(kind), not \(line[key].excerptForJournal)."
        )
    }
}
