public import Foundation

/// A type whose values attributes can hold.
public protocol AttributeConvertible {
    /// Makes the type's value, or gives `nil` where the attribute's is another kind of value or does not fit.
    init?(attributeValue: AttributeValue)
    /// The value as attributes hold it.
    var attributeValue: AttributeValue { get }
}

extension Bool: AttributeConvertible {
    /// Reads a boolean.
    public init?(attributeValue: AttributeValue) {
        guard case .boolean(let flag) = attributeValue else { return nil }
        self = flag
    }

    /// The boolean.
    public var attributeValue: AttributeValue { .boolean(self) }
}

extension Int64: AttributeConvertible {
    /// Reads a whole number.
    public init?(attributeValue: AttributeValue) {
        guard case .integer(let number) = attributeValue else { return nil }
        self = number
    }

    /// The whole number.
    public var attributeValue: AttributeValue { .integer(self) }
}

extension Int: AttributeConvertible {
    /// Reads a whole number.
    public init?(attributeValue: AttributeValue) {
        guard case .integer(let number) = attributeValue else { return nil }
        self.init(exactly: number)
    }

    /// The whole number.
    public var attributeValue: AttributeValue { .integer(Int64(self)) }
}

extension Double: AttributeConvertible {
    /// Reads a number; a whole one only if that changes nothing.
    public init?(attributeValue: AttributeValue) {
        switch attributeValue {
        case .double(let number): self = number
        case .integer(let number): self.init(exactly: number)
        default: return nil
        }
    }

    /// The number.
    public var attributeValue: AttributeValue { .double(self) }
}

extension String: AttributeConvertible {
    /// Reads text.
    public init?(attributeValue: AttributeValue) {
        guard case .string(let text) = attributeValue else { return nil }
        self = text
    }

    /// The text.
    public var attributeValue: AttributeValue { .string(self) }
}

extension Date: AttributeConvertible {
    /// Reads a point in time.
    public init?(attributeValue: AttributeValue) {
        guard case .date(let date) = attributeValue else { return nil }
        self = date
    }

    /// The point in time.
    public var attributeValue: AttributeValue { .date(self) }
}

extension Data: AttributeConvertible {
    /// Reads bytes.
    public init?(attributeValue: AttributeValue) {
        guard case .data(let bytes) = attributeValue else { return nil }
        self = bytes
    }

    /// The bytes.
    public var attributeValue: AttributeValue { .data(self) }
}

extension Optional: AttributeConvertible where Wrapped: AttributeConvertible {
    /// Reads a value, or none.
    public init?(attributeValue: AttributeValue) {
        if attributeValue.isNull {
            self = .none
        } else {
            guard let wrapped = Wrapped(attributeValue: attributeValue) else { return nil }
            self = wrapped
        }
    }

    /// The value, or none.
    public var attributeValue: AttributeValue { self?.attributeValue ?? .null }
}
