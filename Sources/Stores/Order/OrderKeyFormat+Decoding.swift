internal import Foundation

extension OrderKeyFormat {
    /// Decodes the section's values from a key, or from the section's part of a key.
    package func sectionValues(_ key: UnsafeRawBufferPointer) -> [AttributeValue] {
        var place = 0
        return fields.prefix(sectionFieldCount).map { Self.value($0, key, &place) }
    }

    /// Decodes consecutive computed keys: ascending numbers, strings or nulls.
    package static func computedValues(_ key: UnsafeRawBufferPointer, count: Int) -> [AttributeValue] {
        var place = 0
        let field = Field(attribute: 0, type: .double, isAscending: true)
        return (0..<count).map { _ in value(field, key, &place) }
    }

    private static func value(
        _ field: Field,
        _ key: UnsafeRawBufferPointer,
        _ place: inout Int
    ) -> AttributeValue {
        let turn: UInt8 = field.isAscending ? 0 : 0xFF
        let tag = key[place] ^ turn
        place += 1
        switch tag {
        case OrderKeyTag.null: return .null
        case OrderKeyTag.number:
            var bits = UInt64(bigEndian: key.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            place += 8
            if !field.isAscending { bits = ~bits }
            return number(bits, field.type)
        default:
            var bytes: [UInt8] = []
            // A zero byte ends the value, unless it is escaped.
            while key[place] != turn || (place + 1 < key.count && key[place + 1] == 0xFF ^ turn) {
                bytes.append(key[place] ^ turn)
                place += key[place] == turn ? 2 : 1
            }
            place += field.isAscending ? 1 : 2
            return tag == OrderKeyTag.text
                ? .string(String(decoding: bytes, as: UTF8.self)) : .data(Data(bytes))
        }
    }

    private static func number(_ bits: UInt64, _ type: AttributeType) -> AttributeValue {
        switch type {
        case .boolean: return .boolean(bits != 1 << 63)
        case .integer: return .integer(Int64(bitPattern: bits ^ (1 << 63)))
        default:
            let number = Double(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
            return type == .date ? .date(Date(timeIntervalSince1970: number)) : .double(number)
        }
    }
}
