/// A description of a handler by its author, for discovery by the other side
/// (``Bridge/describe(timeout:function:fileID:line:)``).
public struct HandlerDescription: Sendable, Hashable {
    /// The purpose of the handler, in a sentence.
    public var summary: String
    /// The version of the program that introduced it.
    public var since: String?
    /// The reason why it is deprecated, and what to use instead; `nil` if it is not deprecated.
    public var deprecation: String?

    /// Creates a description.
    public init(_ summary: String, since: String? = nil, deprecation: String? = nil) {
        self.summary = summary
        self.since = since
        self.deprecation = deprecation
    }
}

extension HandlerDescription: ExpressibleByStringLiteral {
    /// Creates a description with the purpose of the handler.
    public init(stringLiteral value: String) { self.init(value) }
}

/// A handler in the result of ``Bridge/describe(timeout:function:fileID:line:)``.
public struct DescribedHandler: Sendable, Hashable, Codable {
    /// The way in which a handler answers.
    ///
    /// A peer may have kinds that are unknown here.
    public struct Kind: RawRepresentable, Sendable, Hashable, Codable {
        /// The kind as it is spelled on the wire.
        public let rawValue: String

        /// Creates a kind from its spelling.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A handler that answers with one value.
        public static let value = Kind(rawValue: "value")
        /// A handler that answers with a stream.
        public static let stream = Kind(rawValue: "stream")
        /// A handler that answers with one value, also to callers that block meanwhile.
        public static let sync = Kind(rawValue: "sync")
        /// Not a handler but data of a store, or a data source, that the script may use.
        public static let data = Kind(rawValue: "data")
    }

    /// The name to call.
    public let name: String
    /// The way in which it answers; `nil` if that is known only after its first answer.
    public let kind: Kind?
    /// A Boolean value that indicates whether it replies through a callback and may do so late, or never; `nil` if that
    /// is not known.
    public let takesCallback: Bool?
    /// The purpose of the handler.
    public let summary: String?
    /// The version of the program that introduced it.
    public let since: String?
    /// The reason why it is deprecated; `nil` if it is not.
    public let deprecated: String?
    /// The JSON Schema of its requests; `nil` if it is unknown.
    public let request: Value?
    /// The JSON Schema of its answer, or of each item of its stream; `nil` if it is unknown.
    public let response: Value?
}
