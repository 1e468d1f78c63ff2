internal import BridgeValues

/// A value of a script, as the engine's inspector describes it.
struct RemoteObject {
    private let value: Value

    init(_ value: Value) { self.value = value }

    /// The ID of an object; `nil` for another value.
    var objectID: String? { value["objectId"].stringValue }
    var type: String { value["type"].stringValue ?? "undefined" }
    /// The class of an object, such as `TypeError`; `nil` for another value.
    var className: String? { value["className"].nonEmptyString }
    /// The number of elements of an array.
    var elementCount: Int? { value["subtype"] == "array" ? value["size"].int : nil }
    /// The number of entries of a map or a set.
    var entryCount: Int? { hasEntries ? value["size"].int : nil }
    /// A Boolean value that indicates whether the object has entries, as a map does.
    var hasEntries: Bool { ["map", "set", "weakmap", "weakset"].contains(value["subtype"].stringValue) }

    /// The value as a person reads it, strings in quotes.
    var text: String {
        if type == "string", let string = value["value"].repairedString { return Self.shown(string) }
        if let entryCount { return "\(Self.beginning(of: rawText))(\(entryCount))" }
        return preview ?? Self.beginning(of: rawText)
    }

    /// The value as a person copies it, with all characters of a string.
    var wholeText: String { type == "string" ? rawText : text }

    /// The number of bytes beyond which only the beginning of a string is shown.
    static let maximumByteCount = 10_000

    private static func shown(_ string: String) -> String {
        guard string.utf8.count > maximumByteCount else { return JSONText.of(.string(string)) }
        return "\(JSONText.of(.string(beginning(of: string)))) (\(string.utf16.count) characters)"
    }

    private static func beginning(of string: String) -> String {
        guard string.utf8.count > maximumByteCount else { return string }
        // The end of a substring is that of a character's code point.
        return string[..<string.utf8.index(string.startIndex, offsetBy: maximumByteCount)] + "…"
    }

    /// The value as `String` converts it.
    var rawText: String {
        if let string = value["value"].repairedString { return string }
        if let description = value["description"].stringValue { return description }
        if value["subtype"] == "null" { return "null" }
        guard let member = value.objectValue?["value"], member != .undefined else { return type }
        return JSONText.of(member)
    }

    /// The first members of a plain object or an array.
    private var preview: String? {
        let preview = value["preview"]
        guard let properties = preview["properties"].arrayValue,
            ["Object", "Array"].contains(preview["description"].stringValue)
        else { return nil }
        let isArray = value["subtype"] == "array"
        var parts = properties.filter { $0["isPrivate"].boolValue != true }.map { property -> String in
            let isString = property["type"] == "string"
            // The engine leaves out the middle of a long string, possibly with halves of pairs of surrogates.
            let text = (property["value"].repairedString ?? property["type"].stringValue ?? "")
                .replacing("\u{FFFD}…", with: "…").replacing("…\u{FFFD}", with: "…")
            let shown = isString ? JSONText.of(.string(text)) : text
            return isArray ? shown : "\(property["name"].stringValue ?? ""): \(shown)"
        }
        if preview["overflow"].boolValue == true { parts.append("…") }
        let members = parts.joined(separator: ", ")
        return isArray ? "(\(elementCount ?? parts.count)) [\(members)]" : "{\(members)}"
    }
}

extension Value {
    /// The string, with U+FFFD for each lone surrogate.
    fileprivate var repairedString: String? {
        if case .illFormedString(let units) = self {
            String(decoding: units, as: UTF16.self)
        } else {
            stringValue
        }
    }
}
