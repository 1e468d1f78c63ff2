import BridgeJSON
import TestSupport

/// A generator of valid and nearly valid JSON texts.
struct JSONDocumentGenerator {
    var random: SeededGenerator
    private var keyCount = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// Returns a JSON text, damaged in half of all cases.
    mutating func document() -> [UInt16] {
        var units = space() + value(depth: Int.random(in: 0...4, using: &random)) + space()
        guard Bool.random(using: &random) else { return units }
        for _ in 0..<Int.random(in: 1...3, using: &random) { damage(&units) }
        return units
    }

    /// Returns the text of one value.
    mutating func value(depth: Int) -> [UInt16] {
        switch Int.random(in: 0..<(depth > 0 ? 14 : 7), using: &random) {
        case 0: return Array(["null", "true", "false"].randomElement(using: &random)?.utf16 ?? "".utf16)
        case 1...3: return Array(number().utf16)
        case 4...6: return text()
        case 7...9:
            let elements = (0..<Int.random(in: 0..<5, using: &random)).map { _ in value(depth: depth - 1) }
            return list("[", "]", elements)
        default:
            // Sometimes more members than are compared one by one.
            let count =
                Int.random(in: 0..<12, using: &random) == 0 ? 20 : Int.random(in: 0..<6, using: &random)
            var members: [[UInt16]] = []
            for _ in 0..<count {
                members.append(key() + space() + Array(":".utf16) + space() + value(depth: depth - 1))
            }
            return list("{", "}", members)
        }
    }

    private mutating func list(_ open: String, _ close: String, _ parts: [[UInt16]]) -> [UInt16] {
        var result = Array(open.utf16) + space()
        for (index, part) in parts.enumerated() {
            if index > 0 { result += space() + Array(",".utf16) + space() }
            result += part
        }
        return result + space() + Array(close.utf16)
    }

    private mutating func space() -> [UInt16] {
        guard Int.random(in: 0..<5, using: &random) == 0 else { return [] }
        return (0..<Int.random(in: 1...3, using: &random)).map { _ in
            [0x20, 0x09, 0x0A, 0x0D].randomElement(using: &random) ?? 0x20
        }
    }

    /// Returns a number in one of its written forms.
    mutating func number() -> String {
        let sign = Int.random(in: 0..<3, using: &random) == 0 ? "-" : ""
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2: return sign + String(Int.random(in: 0...300, using: &random))
        case 3:
            return String(
                Int64(truncatingIfNeeded: random.next()) >> Int64.random(in: 0..<63, using: &random)
            )
        case 4: return String(random.next())
        case 5:
            let double = Double(bitPattern: random.next())
            return double.isFinite ? "\(double)" : "0.5"
        case 6:
            return sign + digits(1...17) + "." + String(digits(1...17).reversed())
        case 7:
            let power = Int.random(in: 0...330, using: &random)
            let e = Bool.random(using: &random) ? "e" : "E"
            return sign + digits(1...3) + e + (["", "+", "-"].randomElement(using: &random) ?? "")
                + String(power)
        case 8:
            return [
                "0", "-0", "0.0", "-0.0", "1.0", "1e0", "10e-1", "9007199254740991", "9007199254740993",
                "1e400",
                "9223372036854775807", "-9223372036854775808", "18446744073709551615", "5e-324", "2e-324",
                "1e-400",
                "1.7976931348623157e308", "1.7976931348623159e308", "2.2250738585072011e-308", "0e5", "01",
                "1.", "-",
                "18446744073709551616", "100000000000000000000", "123456789012345678901234567890", "0.1e1",
                "1e+2",
            ].randomElement(using: &random) ?? "0"
        default: return sign + String(Double(Int.random(in: 0...1_000_000, using: &random)) / 1000)
        }
    }

    private mutating func digits(_ count: ClosedRange<Int>) -> String {
        String(
            (0..<Int.random(in: count, using: &random)).reduce(into: "1") { text, _ in
                text += String(Int.random(in: 0...9, using: &random))
            }
        )
    }

    /// Returns a unique key: Foundation uses the first of two equal ones, this package the last.
    private mutating func key() -> [UInt16] {
        keyCount += 1
        if Int.random(in: 0..<4, using: &random) == 0 {
            return text().dropLast() + Array("\(keyCount)\"".utf16)
        }
        let name =
            ["a", "id", "name", "elevation", "_", "isOpen", "longerThanMost"].randomElement(using: &random)
            ?? "a"
        return Array("\"\(name)\(keyCount)\"".utf16)
    }

    private mutating func text() -> [UInt16] {
        var units = Array("\"".utf16)
        for _ in 0..<Int.random(in: 0..<12, using: &random) {
            switch Int.random(in: 0..<24, using: &random) {
            case 0...13: units.append(UInt16.random(in: 0x61...0x7A, using: &random))
            case 14:
                units += Array(
                    (#"\" \\ \/ \b \f \n \r \t \u0000 \u2028"#.split(separator: " ").randomElement(
                        using: &random
                    ) ?? "").utf16
                )
            case 15: units += escape(UInt16.random(in: 0x20...0xD7FF, using: &random))
            case 16:
                units += Array(
                    ["é", "ß", "漢", "\u{2028}", "\u{7F}", "\u{FFFF}", "\u{800}"].randomElement(
                        using: &random
                    )?.utf16 ?? "".utf16
                )
            case 17: units += [0xD83D, 0xDE00]
            case 18: units += escape(0xD83D) + escape(0xDE00)
            case 19 where Int.random(in: 0..<10, using: &random) == 0:
                units += escape(UInt16.random(in: 0xD800...0xDFFF, using: &random))
            default: units += Array("plain text ".utf16)
            }
        }
        return units + Array("\"".utf16)
    }

    private mutating func escape(_ unit: UInt16) -> [UInt16] {
        let digits = String(unit, radix: 16, uppercase: Bool.random(using: &random))
        return Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf16)
    }

    private mutating func damage(_ units: inout [UInt16]) {
        guard !units.isEmpty else { return units.append(0x5B) }
        let place = Int.random(in: 0..<units.count, using: &random)
        let alphabet = Array("{}[]\",:\\/u0d8eE-+. tfnx\u{1}\u{1f}19".utf16) + [0xD800, 0xDC00, 0xFFFF, 0xE9]
        let unit = alphabet.randomElement(using: &random) ?? 0x22
        switch Int.random(in: 0..<6, using: &random) {
        case 0: units[place] = unit
        case 1: units.remove(at: place)
        case 2: units.insert(unit, at: place)
        case 3: units.swapAt(place, Int.random(in: 0..<units.count, using: &random))
        case 4: units.removeLast(units.count - place)
        default:
            let end = Int.random(in: place..<units.count, using: &random)
            units.insert(contentsOf: units[place...end], at: place)
        }
    }
}
