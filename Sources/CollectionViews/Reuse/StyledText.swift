/// A string in spans of one style each.
public struct StyledText: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The style of a span.
    public enum Style: String, Sendable, Hashable, CaseIterable {
        /// The usual style.
        case plain
        /// Stronger than the rest.
        case strong
        /// Weaker than the rest.
        case secondary
        /// The part that a search has found.
        case match
        /// An error.
        case failure
        /// A figure, or a bar of a chart.
        case accent
        /// Something that was inserted.
        case inserted
        /// Something that was deleted.
        case deleted
        /// Something that was moved.
        case moved
        /// Something that was updated.
        case updated
    }

    /// A part of the string with one style.
    public struct Span: Sendable, Hashable {
        /// The characters.
        public var string: String
        /// The style.
        public var style: Style

        /// Creates a span.
        public init(_ string: String, style: Style = .plain) {
            self.string = string
            self.style = style
        }
    }

    /// The spans, in order.
    public var spans: [Span]

    /// Creates text of spans.
    public init(spans: [Span] = []) { self.spans = spans }

    /// Creates text of one style.
    public init(_ string: String, style: Style = .plain) {
        spans = string.isEmpty ? [] : [Span(string, style: style)]
    }

    /// Creates plain text.
    public init(stringLiteral value: String) { self.init(value) }

    /// The characters without styles.
    public var string: String { spans.map(\.string).joined() }
}
