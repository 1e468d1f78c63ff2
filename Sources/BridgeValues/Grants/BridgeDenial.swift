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
        /// Its payload was larger than the grant allows.
        case payloadSize
    }

    /// When, on the bridge's clock.
    public let time: Duration
    /// The name that was asked for, cut after ``maximumNameLength`` characters.
    public let name: String
    /// Why it was denied.
    public let reason: Reason
    /// How many denials right before this one were counted alone, because they came too fast.
    public var omittedCount: Int

    /// How many characters of a name are kept.
    public static let maximumNameLength = 120

    /// Makes a denial.
    package init(time: Duration, name: String, reason: Reason, omittedCount: Int = 0) {
        self.time = time
        self.name =
            name.prefix(Self.maximumNameLength + 1).count > Self.maximumNameLength
            ? name.prefix(Self.maximumNameLength) + "..." : name
        self.reason = reason
        self.omittedCount = omittedCount
    }

    /// What the caller is told.
    public var code: BridgeErrorCode {
        switch reason {
        case .notGranted, .denied: .denied
        case .rate, .concurrency: .overloaded
        case .payloadSize: .limitExceeded
        }
    }
}

extension BridgeDenial: Encodable, CustomStringConvertible {
    private enum Key: String, CodingKey { case time, name, reason, code, omitted }

    /// Writes `{"time":1.5,"name":"store.drop","reason":"denied","code":"denied","omitted":0}`, the time in seconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        let (seconds, attoseconds) = time.components
        try container.encode(Double(seconds) + Double(attoseconds) / 1e18, forKey: .time)
        try container.encode(name, forKey: .name)
        try container.encode(reason, forKey: .reason)
        try container.encode(code.rawValue, forKey: .code)
        try container.encode(omittedCount, forKey: .omitted)
    }

    /// A line for a log: the name is quoted, so that it cannot look like another line.
    public var description: String {
        let omitted = omittedCount > 0 ? " (\(omittedCount) more before it)" : ""
        return "\(time): \(name.debugDescription) was denied: \(reason.rawValue)\(omitted)"
    }
}
