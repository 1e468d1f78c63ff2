@_spi(Reflection) internal import Swift

/// A stored property of a structure.
struct StoredProperty {
    let name: String
    /// Where it lies, in bytes from the beginning of the value.
    let offset: Int
    let type: Any.Type
}

extension StoredProperty {
    /// The stored properties of a structure in their order, as the compiler laid them out; `nil` for what is no
    /// structure, or one whose description was stripped from the program.
    static func all(of type: Any.Type) -> [StoredProperty]? {
        var properties: [StoredProperty] = []
        let isComplete = _forEachField(of: type) { name, offset, type, _ in
            properties.append(StoredProperty(name: String(cString: name), offset: offset, type: type))
            return !properties[properties.count - 1].name.isEmpty
        }
        return isComplete ? properties : nil
    }
}
