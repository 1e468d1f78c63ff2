@_spi(Reflection) internal import Swift

/// A stored property of a structure or a class, or an element of a tuple.
package struct StoredProperty {
    /// Its name, as the program has it.
    package let name: String
    /// The offset of the property in bytes from the start of the value.
    package let offset: Int
    /// Its type.
    package let type: Any.Type
}

/// A protocol of optionals, for their wrapped type.
private protocol OptionalType {
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
    fileprivate static var wrapped: Any.Type { Wrapped.self }
}

extension StoredProperty {
    /// A Boolean value that indicates whether the property holds an object of a class, or may hold one.
    package var isReference: Bool {
        let inner = (type as? any OptionalType.Type)?.wrapped ?? type
        return inner is AnyClass
    }

    /// Returns the stored properties of a structure in the order of their layout.
    ///
    /// The result is `nil` for other types, and for a structure whose description was stripped from the program.
    package static func all(of type: Any.Type) -> [StoredProperty]? {
        StoredParts.kind(of: type) == .struct ? fields(of: type, []) : nil
    }

    /// `classType`, which the standard library declares as a variable.
    fileprivate static var ofClasses: _EachFieldOptions { _EachFieldOptions(rawValue: 1) }

    fileprivate static func fields(of type: Any.Type, _ options: _EachFieldOptions) -> [StoredProperty]? {
        var properties: [StoredProperty] = []
        let isComplete = _forEachField(of: type, options: options) { name, offset, type, _ in
            properties.append(StoredProperty(name: String(cString: name), offset: offset, type: type))
            return !properties[properties.count - 1].name.isEmpty
        }
        return isComplete ? properties : nil
    }
}

/// The parts of a type's values, according to the runtime's description of the type: no code of the type runs.
enum StoredParts {
    /// The properties of a structure, or of a class and its superclasses.
    case properties([StoredProperty])
    /// The cases of an enumeration that have a payload.
    case payloads([(name: String, type: Any.Type)])
    /// The elements of a tuple.
    case elements([Any.Type])
    /// No parts: a number, a function, a type.
    case none
    /// Unknown parts: a value of any type that conforms to a protocol, or a description that was stripped.
    case unknown

    init(of type: Any.Type) {
        if type is AnyClass {
            self =
                StoredProperty.fields(of: type, StoredProperty.ofClasses).map { .properties($0) } ?? .unknown
            return
        }
        switch Self.kind(of: type) {
        case .struct: self = StoredProperty.fields(of: type, []).map { .properties($0) } ?? .unknown
        case .enum: self = EnumerationDescription(of: type).payloads.map { .payloads($0) } ?? .unknown
        case .tuple:
            // Elements need no names.
            var elements: [Any.Type] = []
            _forEachField(of: type) { _, _, type, _ in
                elements.append(type)
                return true
            }
            self = .elements(elements)
        case .opaque, .function, .metatype, .existentialMetatype: self = .none
        default: self = .unknown
        }
    }

    /// Returns whether a type is declared in a module: a structure, an enumeration or a class.
    static func isDeclared(_ type: Any.Type) -> Bool {
        if type is AnyClass { return true }
        switch kind(of: type) {
        case .struct, .enum, .optional, .foreignClass: return true
        default: return false
        }
    }

    // The first word of a type's metadata has its kind.
    fileprivate static func kind(of type: Any.Type) -> _MetadataKind? {
        _MetadataKind(rawValue: unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee)
    }
}

/// The compiler's description of an enumeration, which the standard library has no function for.
///
/// Its layout is part of Swift's stable binary interface (`TargetEnumDescriptor` and `FieldDescriptor` in its sources).
package struct EnumerationDescription {
    /// The words of the type's metadata: its kind, its description, and its generic arguments.
    private let metadata: UnsafePointer<UInt>
    private let description: UnsafeRawPointer?

    init(of type: Any.Type) {
        metadata = unsafeBitCast(type, to: UnsafePointer<UInt>.self)
        description = UnsafeRawPointer(bitPattern: metadata[1])
    }

    /// Returns the number of cases of an enumeration; `nil` where one of them has a payload, and for other types.
    package static func caseCount(of type: Any.Type) -> Int? {
        guard StoredParts.kind(of: type) == .enum,
            let description = EnumerationDescription(of: type).description
        else {
            return nil
        }
        // After the fields follow the number of cases with a payload, whose upper 8 bits have another meaning, and of
        // those without.
        let withPayload = description.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
        return withPayload == 0 ? Int(description.load(fromByteOffset: 24, as: UInt32.self)) : nil
    }

    /// The cases that have a payload; `nil` where the program was built without descriptions.
    var payloads: [(name: String, type: Any.Type)]? {
        // Flags, parent, name, accessor; then the fields.
        guard let description, let fields = Self.target(of: description + 16) else { return nil }
        let recordSize = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
        let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
        var payloads: [(name: String, type: Any.Type)] = []
        for index in 0..<count {
            // Flags, type, name. A case without a payload has no type.
            let record = fields + 16 + index * recordSize
            guard let mangled = Self.target(of: record + 4) else { continue }
            guard let name = Self.target(of: record + 8), let type = type(named: mangled) else { return nil }
            payloads.append((String(cString: name.assumingMemoryBound(to: CChar.self)), type))
        }
        return payloads
    }

    private func type(named mangled: UnsafeRawPointer) -> Any.Type? {
        let bytes = mangled.assumingMemoryBound(to: UInt8.self)
        var length = 0
        while bytes[length] != 0 {
            // The mangled name contains symbolic references: an offset of 4 bytes, or an address.
            switch bytes[length] {
            case 0x01...0x17: length += 5
            case 0x18...0x1F: length += 1 + MemoryLayout<UInt>.size
            default: length += 1
            }
        }
        return _getTypeByMangledNameInContext(
            bytes,
            UInt(length),
            genericContext: description,
            genericArguments: UnsafeRawPointer(metadata + 2)
        )
    }

    /// Returns the target of a relative pointer; `nil` for a null pointer.
    private static func target(of pointer: UnsafeRawPointer) -> UnsafeRawPointer? {
        let distance = pointer.load(as: Int32.self)
        return distance == 0 ? nil : pointer + Int(distance)
    }
}
