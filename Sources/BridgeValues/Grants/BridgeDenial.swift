/// Something that a script asked for and did not get, for the audit.
public struct BridgeDenial: Sendable, Hashable {
    /// Why it was denied.
    public enum Reason: String, Sendable, Hashable, Codable {
        /// No rule allows the name, or the rule that did has ended or was revoked.
        case notGranted
        /// A rule denies the name.
        case denied
        /// It came more often than the grant allows.
        case rate
        /// As many calls as the grant allows were in progress.
        case concurrency
        /// Its payload, or its file, was larger than the grant allows.
        case payloadSize
        /// It names an attribute that is not granted.
        case attribute
        /// It is about a row that is not granted.
        case row
        /// It is about a file that is not a regular one, or that a symbolic link leads to.
        case file
    }

    /// When, on the bridge's clock.
    public let time: Duration
    /// The name that was asked for, cut after ``maximumNameLength`` characters: of a handler, a topic or a file; of data
    /// its store and entity, as `default/airport`.
    public let name: String
    /// What was to be done with data; `nil` for handlers and topics, and where it is not one operation.
    public let operation: DataOperation?
    /// What exactly was refused, for the host alone, cut as names are.
    public let detail: String?
    /// Why it was denied.
    public let reason: Reason
    /// How many denials right before this one were counted alone, because they came too fast.
    public var omittedCount: Int

    /// How many characters of a name are kept.
    public static let maximumNameLength = 120

    /// Makes a denial.
    package init(
        time: Duration,
        name: String,
        reason: Reason,
        operation: DataOperation? = nil,
        detail: String? = nil,
        omittedCount: Int = 0
    ) {
        self.time = time
        self.name = Self.cut(name)
        self.reason = reason
        self.operation = operation
        self.detail = detail.map(Self.cut)
        self.omittedCount = omittedCount
    }

    private static func cut(_ text: String) -> String {
        guard text.prefix(maximumNameLength + 1).count > maximumNameLength else { return text }
        return text.prefix(maximumNameLength) + "..."
    }

    /// What the caller is told.
    public var code: BridgeErrorCode {
        switch reason {
        case .notGranted, .denied, .attribute, .row, .file: .denied
        case .rate, .concurrency: .overloaded
        case .payloadSize: .limitExceeded
        }
    }
}

extension BridgeDenial: Encodable, CustomStringConvertible {
    private enum Key: String, CodingKey { case time, name, operation, reason, detail, code, omitted }

    /// Writes `{"time":1.5,"name":"store.drop","reason":"denied","code":"denied","omitted":0}`, the time in seconds; of data
    /// also the `operation`, and the `detail` where there is one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        let (seconds, attoseconds) = time.components
        try container.encode(Double(seconds) + Double(attoseconds) / 1e18, forKey: .time)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(operation, forKey: .operation)
        try container.encode(reason, forKey: .reason)
        try container.encodeIfPresent(detail, forKey: .detail)
        try container.encode(code.rawValue, forKey: .code)
        try container.encode(omittedCount, forKey: .omitted)
    }

    /// A line for a log: the name is quoted, so that it cannot look like another line.
    public var description: String {
        let omitted = omittedCount > 0 ? " (\(omittedCount) more before it)" : ""
        let operation = self.operation.map { "\($0.rawValue) of " } ?? ""
        let detail = self.detail.map { " (\($0.debugDescription))" } ?? ""
        return
            "\(time): \(operation)\(name.debugDescription) was denied: \(reason.rawValue)\(detail)\(omitted)"
    }
}
