internal import BridgeValues
internal import Foundation

/// Placeholder values of types whose own decoding is not run, or that validate their input.
///
/// There are several, so that a type that chooses by one of them is recognized. The contents have numbers: booleans,
/// numbers and strings take both of their values, and an enumeration takes its cases in turn.
enum EmptyValue {
    static func of<Wanted>(_ type: Wanted.Type, contents: Int) -> Wanted? {
        let isSecond = contents % 4 == 1 || contents % 4 == 3
        return switch type {
        case is String.Type: (isSecond ? "x" : "") as? Wanted
        case is Bool.Type: (contents % 4 == 1 || contents % 4 == 2) as? Wanted
        case is Date.Type: Date(timeIntervalSince1970: isSecond ? 1 : 0) as? Wanted
        case is Data.Type: Data(isSecond ? [1] : []) as? Wanted
        case is CharacterSet.Type: CharacterSet(charactersIn: isSecond ? "x" : "") as? Wanted
        case is UUID.Type: UUID() as? Wanted
        case is URL.Type: URL(string: "about:blank") as? Wanted
        case let type as any ExpressibleByIntegerLiteral.Type: number(type, isSecond) as? Wanted
        case is Value.Type: (isSecond ? Value.bool(true) : .null) as? Wanted
        // All cases of an enumeration, as its own `allCases` may leave some out.
        case let cases as any CaseIterable.Type:
            (EnumerationCases.count(of: type) == nil ? nil : enumeration(type, contents))
                ?? element(cases, contents) as? Wanted
        default: enumeration(type, contents)
        }
    }

    private static func number<Number: ExpressibleByIntegerLiteral>(
        _ type: Number.Type,
        _ isOne: Bool
    ) -> Number { isOne ? 1 : 0 }

    private static func element<Cases: CaseIterable>(_ type: Cases.Type, _ contents: Int) -> Cases? {
        let cases = Array(Cases.allCases.prefix(contents + 1))
        return cases.isEmpty ? nil : cases[contents % cases.count]
    }

    // An enumeration with raw values has cases without payloads. A structure with a raw value of one byte, such as an
    // option set, also has a value whose bytes are zero.
    private static func enumeration<Wanted>(_ type: Wanted.Type, _ contents: Int) -> Wanted? {
        guard type is any RawRepresentable.Type, _isPOD(type), MemoryLayout<Wanted>.size <= 1 else {
            return nil
        }
        let count = EnumerationCases.count(of: type) ?? 1
        return count > 0 ? EnumerationCases.value(of: type, at: contents % count) : nil
    }
}

/// The cases of an enumeration without payloads, which need not be `CaseIterable`.
enum EnumerationCases {
    /// Returns the number of cases; `nil` for types other than enumerations of fewer than 65,536 cases.
    static func count<Cases>(of type: Cases.Type) -> Int? {
        guard let count = EnumerationDescription.caseCount(of: type) else { return nil }
        // One case needs no byte. Several are numbered, and `nil` has the next number. Enumerations of C, whose values
        // the program chooses, have no such number.
        let size = count < 2 ? 0 : count < 256 ? 1 : 2
        guard _isPOD(type), MemoryLayout<Cases>.size == size, MemoryLayout<Cases?>.size == max(size, 1) else {
            return nil
        }
        return count
    }

    /// Returns the case with a number, which must exist.
    static func value<Cases>(of type: Cases.Type, at index: Int) -> Cases {
        withUnsafeTemporaryAllocation(byteCount: 8, alignment: 8) { bytes in
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            bytes.storeBytes(of: UInt16(truncatingIfNeeded: index).littleEndian, as: UInt16.self)
            return bytes.load(as: Cases.self)
        }
    }

    /// Returns all cases; `nil` where the type is not an enumeration without payloads.
    static func all<Cases>(of type: Cases.Type) -> [Cases]? {
        count(of: type).map { count in (0..<count).map { value(of: type, at: $0) } }
    }
}
