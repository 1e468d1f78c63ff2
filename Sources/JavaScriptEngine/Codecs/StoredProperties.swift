@_spi(Reflection) internal import Swift

/// A stored property of a structure.
struct StoredProperty {
    let name: String
    /// Where it lies, in bytes from the beginning of the value.
    let offset: Int
    let type: Any.Type
}

/// An optional, to ask what it is one of.
private protocol OptionalType {
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
    fileprivate static var wrapped: Any.Type { Wrapped.self }
}

extension StoredProperty {
    /// Whether this holds an object of a class, or may.
    var isReference: Bool {
        let inner = (type as? any OptionalType.Type)?.wrapped ?? type
        return inner is AnyClass
    }
    /// The stored properties of a structure in their order, as the compiler laid them out; `nil` for what is no
    /// structure, or one whose description was stripped from the program.
    static func all(of type: Any.Type) -> [StoredProperty]? {
        // The first word of a type's description says of what kind it is; the fields of an enumeration are none.
        let kind = unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee
        guard _MetadataKind(rawValue: kind) == .struct else { return nil }
        var properties: [StoredProperty] = []
        let isComplete = _forEachField(of: type) { name, offset, type, _ in
            properties.append(StoredProperty(name: String(cString: name), offset: offset, type: type))
            return !properties[properties.count - 1].name.isEmpty
        }
        return isComplete ? properties : nil
    }
}
