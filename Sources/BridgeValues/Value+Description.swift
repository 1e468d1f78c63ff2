internal import Foundation

/// A readable form: `{"name": "Ada", "born": 1815-12-10T00:00:00Z, "tags": [1, 2n, undefined]}`.
///
/// Its length is bounded for any value: deep and long parts are shortened and marked. Members that are known to contain
/// a ``Secret`` are `[secret]`, and strings cannot contain terminal control sequences.
extension Value: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The value in a form for people.
    ///
    /// It is not meant to be parsed. Strings of more than 1,000 characters are shortened, and so are arrays and objects
    /// of more than 100 members or nested more than 8 deep. No description is much longer than 10,000 characters.
    public var description: String {
        var writer = DescriptionWriter()
        writer.write(self, depth: 0)
        return writer.text
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` shows ``description``: bounded, and without secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A readable form: `{"name": "Ada"}`.
extension ValueObject: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The object in a form for people, shortened as ``Value/description``.
    public var description: String { Value.object(self).description }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` shows ``description``.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A readable form.
extension ValueObject.Member: CustomStringConvertible {
    /// The member as `"key": value`, shortened as ``Value/description``.
    public var description: String {
        let text = ValueObject([(key, value)]).description
        return String(text.dropFirst().dropLast())
    }
}

/// A readable form.
extension Reference: CustomStringConvertible {
    /// The kind of the target: `function` or `object`.
    public var description: String { target.record.kind == .object ? "object" : "function" }
}

/// A writer of values for people, with bounded length.
private struct DescriptionWriter {
    private static let maximumDepth = 8
    private static let maximumCount = 100
    private static let maximumStringLength = 1000
    private static let maximumLength = 10_000

    var text = ""

    // Separate from the string, whose own count takes linear time.
    private var length = 0
    private var isFull: Bool { length >= Self.maximumLength }

    private mutating func put(_ part: String) {
        text += part
        length += part.utf8.count
    }

    mutating func write(_ value: Value, depth: Int) {
        switch value {
        case .undefined, .null, .bool: put(value.excerpt)
        case .double(let number): put(number == 0 && number.sign == .minus ? "-0" : value.excerpt)
        case .integer(let number):
            put(number.magnitude > UInt64(Value.maximumSafeInteger) ? "\(number)n" : "\(number)")
        case .bigInt(let digits):
            let (shown, rest) = Self.cut(digits.unicodeScalars)
            put("\(Printable.text(shown))n\(rest)")
        case .string(let text): write(string: text)
        case .illFormedString(let units): write(units: units)
        case .date(let date): put(date.safeText)
        case .bytes(let data):
            let shown = data.prefix(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            let rest = data.count > shown.count ? " ..." : ""
            put("<\(data.count) bytes\(shown.isEmpty ? "" : ": ")\(shown.joined(separator: " "))\(rest)>")
        case .array(let elements):
            write(elements, "[", "]", depth) { writer, element in writer.write(element, depth: depth + 1) }
        case .object(let object):
            write(object.members, "{", "}", depth) { writer, member in
                writer.write(string: member.key)
                writer.put(": ")
                if SecretMembers.shared.isSecret(member.key) { return writer.put(SecretMembers.mark) }
                writer.write(member.value, depth: depth + 1)
            }
        case .reference(let reference): put("<\(reference)>")
        }
    }

    private mutating func write<Part>(
        _ parts: [Part],
        _ open: String,
        _ close: String,
        _ depth: Int,
        _ body: (inout DescriptionWriter, Part) -> Void
    ) {
        put(open)
        defer { put(close) }
        if depth >= Self.maximumDepth, !parts.isEmpty { return put("...") }
        for (index, part) in parts.enumerated() {
            if index > 0 { put(", ") }
            if index == Self.maximumCount || isFull { return put("... \(parts.count - index) more") }
            body(&self, part)
        }
    }

    private mutating func write(string: String) {
        let (shown, rest) = Self.cut(string.unicodeScalars)
        put("\"\(Self.escaped(shown))\"\(rest)")
    }

    private mutating func write(units: [UInt16]) {
        var shown = ""
        var rest = units.prefix(Self.maximumStringLength)
        while let unit = rest.popFirst() {
            let isLead = unit & 0xFC00 == 0xD800
            if isLead, let next = rest.first, next & 0xFC00 == 0xDC00 {
                rest.removeFirst()
                shown += String(decoding: [unit, next], as: UTF16.self)
            } else if let scalar = Unicode.Scalar(unit) {
                shown += Self.escaped(String(scalar))
            } else {
                shown += "\\u{\(String(unit, radix: 16))}"
            }
        }
        let more = units.count - Self.maximumStringLength
        put("\"\(shown)\"\(more > 0 ? "... \(more) more" : "")")
    }

    private static func cut(_ scalars: String.UnicodeScalarView) -> (String, String) {
        guard
            let end = scalars.index(
                scalars.startIndex,
                offsetBy: maximumStringLength,
                limitedBy: scalars.endIndex
            ),
            end < scalars.endIndex
        else { return (String(scalars), "") }
        return (String(scalars[..<end]), "... \(scalars[end...].count) more")
    }

    private static func escaped(_ string: String) -> String {
        Printable.text(string.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))
    }
}
