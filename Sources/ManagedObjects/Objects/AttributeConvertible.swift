public import Foundation
public import Stores

/// A type that can be converted to and from attribute values.
public protocol AttributeConvertible {
    /// Creates a value, or returns `nil` if the attribute's value has another type or is out of range.
    init?(attributeValue: AttributeValue)
    /// The attribute value.
    var attributeValue: AttributeValue { get }
}

extension Bool: AttributeConvertible {
    /// Creates a Boolean from an attribute value.
    public init?(attributeValue: AttributeValue) {
        guard case .boolean(let flag) = attributeValue else { return nil }
        self = flag
    }

    /// The attribute value of the Boolean.
    public var attributeValue: AttributeValue { .boolean(self) }
}

extension Int64: AttributeConvertible {
    /// Creates an integer from an attribute value.
    public init?(attributeValue: AttributeValue) {
        guard case .integer(let number) = attributeValue else { return nil }
        self = number
    }

    /// The attribute value of the integer.
    public var attributeValue: AttributeValue { .integer(self) }
}

extension Int: AttributeConvertible {
    /// Creates an integer from an attribute value.
    public init?(attributeValue: AttributeValue) {
        guard case .integer(let number) = attributeValue else { return nil }
        self.init(exactly: number)
    }

    /// The attribute value of the integer.
    public var attributeValue: AttributeValue { .integer(Int64(self)) }
}

extension Double: AttributeConvertible {
    /// Creates a double from an attribute value; an integer must convert exactly.
    public init?(attributeValue: AttributeValue) {
        switch attributeValue {
        case .double(let number): self = number
        case .integer(let number): self.init(exactly: number)
        default: return nil
        }
    }

    /// The attribute value of the double.
    public var attributeValue: AttributeValue { .double(self) }
}

extension String: AttributeConvertible {
    /// Creates a string from an attribute value.
    public init?(attributeValue: AttributeValue) {
        guard case .string(let text) = attributeValue else { return nil }
        self = text
    }

    /// The attribute value of the string.
    public var attributeValue: AttributeValue { .string(self) }
}

extension Date: AttributeConvertible {
    /// Creates a date from an attribute value.
    public init?(attributeValue: AttributeValue) {
        guard case .date(let date) = attributeValue else { return nil }
        self = date
    }

    /// The attribute value of the date.
    public var attributeValue: AttributeValue { .date(self) }
}

extension Data: AttributeConvertible {
    /// Creates data from an attribute value.
    public init?(attributeValue: AttributeValue) {
        guard case .data(let bytes) = attributeValue else { return nil }
        self = bytes
    }

    /// The attribute value of the data.
    public var attributeValue: AttributeValue { .data(self) }
}

extension Optional: AttributeConvertible where Wrapped: AttributeConvertible {
    /// Creates an optional value; null becomes `nil`.
    public init?(attributeValue: AttributeValue) {
        if attributeValue.isNull {
            self = .none
        } else {
            guard let wrapped = Wrapped(attributeValue: attributeValue) else { return nil }
            self = wrapped
        }
    }

    /// The attribute value; `nil` becomes null.
    public var attributeValue: AttributeValue { self?.attributeValue ?? .null }
}
