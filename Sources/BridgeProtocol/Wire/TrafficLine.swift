internal import BridgeJSON
internal import BridgeValues

/// A line of WebViewJavascriptBridge's traffic log (P71, P72).
package enum TrafficLine {
    /// The default maximum number of UTF-16 units of a message in a line.
    package static let defaultMaximumLength = 500

    /// Returns the line of a sent message, whose text is its compact JSON.
    package static func sent(_ text: String, maximumLength: Int = defaultMaximumLength) -> String {
        "WVJB SEND: " + cut(text, to: maximumLength)
    }

    /// Returns the line of a received message, whose text is its JSON over several lines.
    package static func received(_ text: String, maximumLength: Int = defaultMaximumLength) -> String {
        "WVJB RCVD: " + cut(text, to: maximumLength)
    }

    /// Cuts a string that is longer than a number of UTF-16 units, and marks that it was cut.
    ///
    /// A surrogate pair at the edge is left out as a whole, so that the result may be one unit shorter.
    static func cut(_ text: String, to maximumLength: Int) -> String {
        let units = text.utf16
        let length = max(0, maximumLength)
        guard units.count > length else { return text }
        var end = units.index(units.startIndex, offsetBy: length)
        if end > units.startIndex, units[units.index(before: end)].isHighSurrogate {
            end = units.index(before: end)
        }
        return String(decoding: units[..<end], as: UTF16.self) + " [...]"
    }
}
