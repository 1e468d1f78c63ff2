internal import Stores

/// A wrapper for an attribute as a property of a ``ManagedObject`` subclass.
///
/// ```swift
/// final class Author: ManagedObject {
///     @Managed("name", default: "") var name: String
///     @Managed("born", default: nil) var born: Date?
/// }
/// ```
///
/// Reading returns the default value if the attribute is null, has another type, or cannot be read;
/// ``ManagedObject/value(forKey:)`` throws the reason. Setting a value that the attribute cannot have is a programming
/// error and traps.
@propertyWrapper
public struct Managed<Value: AttributeConvertible> {
    private let key: String
    private let defaultValue: Value

    /// Creates a property for an attribute.
    public init(_ key: String, default defaultValue: Value) {
        self.key = key
        self.defaultValue = defaultValue
    }

    /// The value, which is unavailable outside of a managed object.
    @available(*, unavailable, message: "only properties of ManagedObject subclasses are managed")
    public var wrappedValue: Value {
        get { preconditionFailure("only properties of ManagedObject subclasses are managed") }
        set { preconditionFailure("only properties of ManagedObject subclasses are managed") }
    }

    /// Reads and sets the attribute of the object that has the property.
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object,
        wrapped _: ReferenceWritableKeyPath<Object, Value>,
        storage storage: ReferenceWritableKeyPath<Object, Managed<Value>>
    ) -> Value {
        get {
            let managed = object[keyPath: storage]
            return object[managed.key].flatMap { Value(attributeValue: $0) } ?? managed.defaultValue
        }
        set { object[object[keyPath: storage].key] = newValue.attributeValue }
    }
}
