extension Value {
    /// The size of the value as a payload: 8 bytes for each value, 2 for each UTF-16 unit of strings and keys, and the
    /// bytes of buffers.
    ///
    /// - Complexity: Linear in the number of values and the length of strings.
    package var payloadBytes: Int {
        var bytes = 0
        // Not recursive: the value may be as deep as the limits allow.
        var open = [self]
        while let value = open.popLast() {
            bytes += 8
            switch value {
            case .undefined, .null, .bool, .integer, .double, .date, .reference: break
            case .bigInt(let digits): bytes += 2 * digits.utf8.count
            case .string(let text): bytes += 2 * text.utf16.count
            case .illFormedString(let units): bytes += 2 * units.count
            case .bytes(let data): bytes += data.count
            case .array(let elements): open.append(contentsOf: elements)
            case .object(let object):
                for member in object.members {
                    bytes += 2 * member.key.utf16.count
                    open.append(member.value)
                }
            }
        }
        return bytes
    }
}
