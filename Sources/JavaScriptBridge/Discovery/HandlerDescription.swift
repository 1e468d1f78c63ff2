/// What the author of a handler says of it, for whoever asks what there is (``Bridge/describe()`` on the other side).
public struct HandlerDescription: Sendable, Hashable {
    /// What the handler does, in a sentence.
    public var summary: String
    /// The version of the program that had it first.
    public var since: String?
    /// Why it should not be used any more, and what to use instead; `nil` where it should.
    public var deprecation: String?

    /// Makes a description.
    public init(_ summary: String, since: String? = nil, deprecation: String? = nil) {
        self.summary = summary
        self.since = since
        self.deprecation = deprecation
    }
}

extension HandlerDescription: ExpressibleByStringLiteral {
    /// Makes a description of what the handler does.
    public init(stringLiteral value: String) { self.init(value) }
}

/// A handler as ``Bridge/describe()`` lists it.
public struct DescribedHandler: Sendable, Hashable, Codable {
    /// How a handler answers.
    ///
    /// A peer may have kinds that are not known here.
    public struct Kind: RawRepresentable, Sendable, Hashable, Codable {
        /// The kind as it stands on the wire.
        public let rawValue: String

        /// Makes a kind of its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// With one value.
        public static let value = Kind(rawValue: "value")
        /// With a stream.
        public static let stream = Kind(rawValue: "stream")
        /// With one value, also to callers that do not let others run meanwhile.
        public static let sync = Kind(rawValue: "sync")
        /// Not a handler but data of a store, or a data source, that the script may reach.
        public static let data = Kind(rawValue: "data")
    }

    /// The name to call.
    public let name: String
    /// How it answers; `nil` where that is known only once it has.
    public let kind: Kind?
    /// Whether it replies through a callback and may do so late, or never; `nil` where that is not known.
    public let takesCallback: Bool?
    /// What it does.
    public let summary: String?
    /// The version of the program that had it first.
    public let since: String?
    /// Why it should not be used any more; `nil` where it should.
    public let deprecated: String?
    /// What it takes, as JSON Schema; `nil` where nobody said.
    public let request: Value?
    /// What it answers, or each item of its stream, as JSON Schema; `nil` where nobody said.
    public let response: Value?
}
