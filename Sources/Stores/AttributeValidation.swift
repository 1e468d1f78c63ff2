/// Constraints that the value of an attribute must meet before it can be saved.
///
/// ``AttributeValue/null`` is never checked; ``AttributeDescription/isOptional`` decides whether it is allowed.
public struct AttributeValidation: Sendable, Hashable, Codable {
    /// The smallest value.
    public var minimum: AttributeValue?
    /// The largest value.
    public var maximum: AttributeValue?
    /// The minimum number of characters of a string, or of bytes of data.
    public var minimumLength: Int?
    /// The maximum number of characters of a string, or of bytes of data.
    public var maximumLength: Int?
    /// The allowed values; all other values are refused.
    public var allowedValues: [AttributeValue]?

    /// Creates a validation.
    ///
    /// A constraint that is `nil` is not checked.
    public init(
        minimum: AttributeValue? = nil,
        maximum: AttributeValue? = nil,
        minimumLength: Int? = nil,
        maximumLength: Int? = nil,
        allowedValues: [AttributeValue]? = nil
    ) {
        self.minimum = minimum
        self.maximum = maximum
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.allowedValues = allowedValues
    }

    /// Describes how a value breaks the constraints.
    ///
    /// The description completes a sentence that begins with the attribute's name. The result is `nil` for a valid
    /// value.
    package func problem(with value: AttributeValue) -> String? {
        guard !value.isNull else { return nil }
        if let minimum, value.compare(minimum) < 0 {
            return "must be at least \(minimum.kindAndText), not \(value.kindAndText)"
        }
        if let maximum, value.compare(maximum) > 0 {
            return "must be at most \(maximum.kindAndText), not \(value.kindAndText)"
        }
        if let length = value.length {
            if let minimumLength, length < minimumLength {
                return "must have a length of at least \(minimumLength), not \(length)"
            }
            if let maximumLength, length > maximumLength {
                return "must have a length of at most \(maximumLength), not \(length)"
            }
        }
        if let allowedValues, !allowedValues.contains(where: { $0.compare(value) == 0 }) {
            return "must be one of \(allowedValues.map(\.kindAndText).joined(separator: ", "))"
                + ", not \(value.kindAndText)"
        }
        return nil
    }
}

extension AttributeValue {
    fileprivate var length: Int? {
        switch self {
        case .string(let text): text.count
        case .data(let bytes): bytes.count
        default: nil
        }
    }
}
