/// A request of a script that was denied, for the audit.
public struct BridgeDenial: Sendable, Hashable {
    /// The reason of a denial.
    public enum Reason: String, Sendable, Hashable, Codable {
        /// No rule allows the name, or the rule that did has expired or was revoked.
        case notGranted
        /// A rule denies the name.
        case denied
        /// The request exceeded the rate of the grant.
        case rate
        /// The maximum number of concurrent calls of the grant was reached.
        case concurrency
        /// The payload, or the file, was larger than the grant allows.
        case payloadSize
        /// The request names an attribute that is not granted.
        case attribute
        /// The request is about a row that is not granted.
        case row
        /// The file is not a regular one, or is reached through a symbolic link.
        case file
    }

    /// The time of the denial, on the bridge's clock.
    public let time: Duration
    /// The requested name of a handler, a topic or a file, or the store and the entity of data, as `default/airport`.
    ///
    /// It is cut after ``maximumNameLength`` characters.
    public let name: String
    /// The requested operation on data; `nil` for handlers and topics, and where there is not a single operation.
    public let operation: DataOperation?
    /// Details for the host alone, cut as names are.
    public let detail: String?
    /// The reason of the denial.
    public let reason: Reason
    /// The number of denials right before this one that were counted but not reported, because they came too fast.
    public var omittedCount: Int

    /// The maximum number of characters of a name that are kept.
    public static let maximumNameLength = 120

    /// Creates a denial.
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

    /// The error code that the caller receives.
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

    /// Encodes the denial as `{"time":1.5,"name":"store.drop","reason":"denied","code":"denied","omitted":0}`.
    ///
    /// The time is in seconds. A denial of data also has the `operation`, and, where there is one, the `detail`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(time.seconds, forKey: .time)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(operation, forKey: .operation)
        try container.encode(reason, forKey: .reason)
        try container.encodeIfPresent(detail, forKey: .detail)
        try container.encode(code.rawValue, forKey: .code)
        try container.encode(omittedCount, forKey: .omitted)
    }

    /// A line for a log, which has its own times: the name is quoted, so that it cannot look like another line.
    public var description: String {
        let omitted = omittedCount > 0 ? " (\(omittedCount) more before it)" : ""
        let operation = self.operation.map { "\($0.rawValue) of " } ?? ""
        let detail = self.detail.map { " (\($0.debugDescription))" } ?? ""
        return "\(operation)\(name.debugDescription) was denied: \(reason.rawValue)\(detail)\(omitted)"
    }
}
