internal import BridgeJSON
internal import BridgeValues

/// Requests and replies in the form in which this package and WebViewJavascriptBridge write most of them: members in a
/// fixed order, no whitespace between them, names and ids without escapes.
///
/// Parsing creates no objects, so that a message costs little more than one pass over its text. ``MessageCodec``
/// handles all other forms, and gives the same results for this one.
package struct PlainWire: Sendable {
    /// The ranges of a request's parts in the text.
    package struct Request {
        /// The whole message.
        package var text: Range<Int>
        package var name: Range<Int>
        package var payload: Range<Int>
        /// The id; `nil` in a notification.
        package var callbackID: Range<Int>?
        /// The text of the array of the sender's capabilities; `nil` where there is none.
        package var acceptance: Range<Int>?
        /// The digits of the milliseconds that the sender waits; `nil` where there are none.
        package var timeToLive: Range<Int>?
    }

    private let opening: [UInt16]
    private let data: [UInt16]
    private let callbackID = PlainWire.units(#","callbackId":""#)
    private let extensions = PlainWire.units(#","x":{"acc":["#)
    private let timeToLive = PlainWire.units(#","ttl":"#)
    private let replyOpening: [UInt16]
    private let replyData: [UInt16]
    private let null = PlainWire.units("null")
    private let maximumLength: Int

    /// Creates the form of a dialect; `nil` if the dialect has other keys than WebViewJavascriptBridge, or its payloads
    /// are strings.
    init?(_ dialect: BridgeDialect, limits: BridgeLimits) {
        guard dialect.scriptKeys == MessageKeys(), dialect.nativeKeys == MessageKeys(), !dialect.payloadIsText
        else {
            return nil
        }
        opening = Self.units(#"{"handlerName":""#)
        data = Self.units(#","data":"#)
        replyOpening = Self.units(#"{"responseId":""#)
        replyData = Self.units(#"","responseData":"#)
        maximumLength = limits.maximumMessageLength
    }

    private static func units(_ text: StaticString) -> [UInt16] {
        text.withUTF8Buffer { $0.map(UInt16.init) }
    }

    /// Finds the parts of a request that begins at an index; returns `nil` for any other message or form.
    ///
    /// - Complexity: Linear in the length of the request; no memory.
    package func request(in units: UnsafeBufferPointer<UInt16>, at start: Int) -> Request? {
        var position = start
        guard Self.skip(opening, in: units, &position), let name = Self.text(in: units, &position),
            Self.skip(data, in: units, &position)
        else { return nil }
        let end = JSONScanner(units: units).endOfValue(from: position)
        guard end > position, end < units.count else { return nil }
        var request = Request(text: start..<end, name: name, payload: position..<end)
        position = end
        if Self.skip(callbackID, in: units, &position) {
            guard let id = Self.text(in: units, &position), !id.isEmpty else { return nil }
            request.callbackID = id
        }
        if Self.skip(extensions, in: units, &position) {
            let first = position
            while position < units.count, units[position] != .closeBracket {
                // A brace would end the message for the code that splits batches: the search must not go beyond it.
                guard units[position] != .backslash, units[position] != .openBrace,
                    units[position] != .closeBrace, !units[position].isSpace
                else { return nil }
                position += 1
            }
            request.acceptance = first..<position
            position += 1
            if Self.skip(timeToLive, in: units, &position) {
                let first = position
                while position < units.count, units[position].isDigit { position += 1 }
                guard first < position, position - first < 16 else { return nil }
                request.timeToLive = first..<position
            }
            guard position < units.count, units[position] == .closeBrace else { return nil }
            position += 1
        }
        guard position < units.count, units[position] == .closeBrace else { return nil }
        request.text = start..<position + 1
        return request.text.count <= maximumLength ? request : nil
    }

    @inline(__always)
    private static func skip(
        _ expected: [UInt16],
        in units: UnsafeBufferPointer<UInt16>,
        _ position: inout Int
    ) -> Bool {
        guard units.count - position >= expected.count else { return false }
        for index in 0..<expected.count where units[position + index] != expected[index] { return false }
        position += expected.count
        return true
    }

    // Returns the content of a string in quotes without escapes; the position is then after the closing quote.
    @inline(__always)
    private static func text(in units: UnsafeBufferPointer<UInt16>, _ position: inout Int) -> Range<Int>? {
        let start = position
        while position < units.count {
            switch units[position] {
            case .quote:
                position += 1
                return start..<position - 1
            case .backslash, 0..<0x20, 0x7F...: return nil
            default: position += 1
            }
        }
        return nil
    }

    /// Parses the digits of a time to live, in milliseconds.
    package func milliseconds(_ digits: UnsafeBufferPointer<UInt16>) -> Double {
        digits.reduce(0) { $0 * 10 + Double($1 - 0x30) }
    }

    /// Parses the capabilities of a sender from the content of their array.
    package func acceptance(of list: UnsafeBufferPointer<UInt16>) -> CallerCapabilities {
        let text = String(decoding: list, as: UTF16.self)
        return CallerCapabilities(
            names: text.split(separator: ",").prefix(64).map { String($0.dropFirst().dropLast()) }
        )
    }

    /// The index of the id in the text of a reply.
    package var replyIDOffset: Int { replyOpening.count }

    /// Appends a reply to a text.
    ///
    /// - Parameters:
    ///   - id: The id of the request, as in its text.
    ///   - payload: The result's JSON; `nil` for none.
    ///   - text: The text; unchanged if this returns false.
    /// - Returns: Whether the reply is within the length limit.
    package func append(
        replyTo id: ArraySlice<UInt16>,
        _ payload: UnsafeBufferPointer<UInt16>?,
        to text: inout [UInt16]
    ) -> Bool {
        let count = replyOpening.count + id.count + replyData.count + (payload?.count ?? null.count) + 1
        guard count <= maximumLength else { return false }
        text.append(contentsOf: replyOpening)
        text.append(contentsOf: id)
        text.append(contentsOf: replyData)
        if let payload { text.append(contentsOf: payload) } else { text.append(contentsOf: null) }
        text.append(.closeBrace)
        return true
    }
}
