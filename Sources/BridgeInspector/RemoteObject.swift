internal import BridgeValues

/// A value of a script, as the engine's inspector describes it.
struct RemoteObject {
    private let value: Value

    init(_ value: Value) { self.value = value }

    /// The ID of an object; `nil` for another value.
    var objectID: String? { value["objectId"].stringValue }
    var type: String { value["type"].stringValue ?? "undefined" }
    /// The number of elements of an array.
    var elementCount: Int? { value["subtype"] == "array" ? value["size"].int : nil }
    /// A Boolean value that indicates whether the object has entries, as a map does.
    var hasEntries: Bool { ["map", "set", "weakmap", "weakset"].contains(value["subtype"].stringValue) }

    /// The value as a person reads it, strings in quotes.
    var text: String {
        if type == "string", let string = value["value"].stringValue { return Self.shown(string) }
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
        return String(decoding: string.utf8.prefix(maximumByteCount), as: UTF8.self) + "…"
    }

    /// The value as `String` converts it.
    var rawText: String {
        if let string = value["value"].stringValue { return string }
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
            let text = property["value"].stringValue ?? property["type"].stringValue ?? ""
            let shown = isString ? JSONText.of(.string(text)) : text
            return isArray ? shown : "\(property["name"].stringValue ?? ""): \(shown)"
        }
        if preview["overflow"].boolValue == true { parts.append("…") }
        let members = parts.joined(separator: ", ")
        return isArray ? "(\(elementCount ?? parts.count)) [\(members)]" : "{\(members)}"
    }
}
