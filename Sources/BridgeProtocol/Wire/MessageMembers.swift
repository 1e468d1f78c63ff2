internal import BridgeJSON
package import BridgeValues

/// The ranges of a message's members in its text, found without decoding the values.
///
/// The members may come in any order, with any whitespace. Of two members with one key the last counts, as in
/// JavaScript. The readers of a message decode the members that they need.
package struct MessageMembers: Sendable {
    /// The whole message.
    package private(set) var text: Range<Int>
    package private(set) var handlerName: Range<Int>?
    package private(set) var data: Range<Int>?
    package private(set) var callbackID: Range<Int>?
    package private(set) var extensions: Range<Int>?
    package private(set) var responseID: Range<Int>?
    package private(set) var responseData: Range<Int>?
    package private(set) var namespace: Range<Int>?

    /// Finds the members of the message at the reader's position, and stops after it.
    ///
    /// - Complexity: Linear in the length of the message; no memory, unless keys have escapes.
    init(from reader: inout JSONReader, _ keys: MessageKeyTable) throws(BridgeError) {
        reader.skipSpace()
        guard reader.current == .openBrace else {
            throw BridgeError(
                .invalidMessage,
                "A message is an object; this begins with \(reader.current.shown)."
            )
        }
        let start = reader.position
        text = start..<start
        var member = try reader.firstMember()
        while let found = member {
            switch keys.name(of: found.key, in: &reader) {
            case .handlerName: handlerName = found.value
            case .data: data = found.value
            case .callbackID: callbackID = found.value
            case .extensions: extensions = found.value
            case .responseID: responseID = found.value
            case .responseData: responseData = found.value
            case .namespace: namespace = found.value
            case nil: break
            }
            member = try reader.nextMember()
        }
        text = start..<reader.position
    }
}

/// The keys of a dialect's messages as code units.
struct MessageKeyTable: Sendable {
    enum Name: Int, CaseIterable {
        case handlerName, data, callbackID, extensions, responseID, responseData, namespace
    }

    /// The keys in the order of ``Name``, one after the other.
    private let units: [UInt16]
    /// The index after each key.
    private let ends: [Int]

    init(_ keys: MessageKeys) {
        var units: [UInt16] = []
        // The namespace comes last, because some dialects have none.
        ends = Name.allCases.compactMap { name in
            let key: String? =
                switch name {
                case .handlerName: keys.handlerName
                case .data: keys.data
                case .callbackID: keys.callbackID
                case .extensions: "x"
                case .responseID: keys.responseID
                case .responseData: keys.responseData
                case .namespace: keys.namespace
                }
            guard let key else { return nil }
            units += key.utf16
            return units.count
        }
        self.units = units
    }

    /// Returns which key a string in quotes is; `nil` for any other.
    func name(of key: Range<Int>, in reader: inout JSONReader) -> Name? {
        let content = UnsafeBufferPointer(rebasing: reader.units[key].dropFirst().dropLast())
        if let name = name(of: content) { return name }
        guard content.contains(.backslash) else { return nil }
        // A reader of its own, as the text after the key may exceed the length of any value.
        var part = JSONReader(reader.units, in: key, limits: reader.limits)
        guard let text = try? part.readName() else { return nil }
        reader.repairedTexts += part.repairedTexts
        return Array(text.utf16).withUnsafeBufferPointer { name(of: $0) }
    }

    @inline(__always)
    private func name(of key: UnsafeBufferPointer<UInt16>) -> Name? {
        var start = 0
        for (index, end) in ends.enumerated() {
            defer { start = end }
            guard end - start == key.count else { continue }
            var offset = 0
            while offset < key.count, units[start + offset] == key[offset] { offset += 1 }
            if offset == key.count { return Name(rawValue: index) }
        }
        return nil
    }
}

/// The extensions of a request that only says what its sender can do and how long it waits.
package struct RequestExtensions: Sendable {
    /// The array of the sender's capabilities; `nil` where there is none.
    package private(set) var capabilities: Range<Int>?
    /// The milliseconds that the sender waits; 0 if it waits without a limit.
    package private(set) var timeToLive = 0.0

    /// Reads the extensions of a request; returns `nil` if there are others, or if they are malformed.
    package init?(_ extensions: Range<Int>?, in units: UnsafeBufferPointer<UInt16>, limits: BridgeLimits) {
        guard let extensions else { return }
        var reader = JSONReader(units, in: extensions, limits: limits)
        do throws(BridgeError) {
            var member = try reader.firstMember()
            while let found = member {
                if reader.isKey(found.key, "acc") {
                    capabilities = found.value
                } else if reader.isKey(found.key, "ttl"), let number = Self.number(units[found.value]) {
                    timeToLive = number
                } else {
                    return nil
                }
                member = try reader.nextMember()
            }
        } catch {
            return nil
        }
        guard reader.position == extensions.upperBound else { return nil }
    }

    // A number of at most 15 digits is exact.
    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt16>>) -> Double? {
        guard (1...15).contains(digits.count), digits.count == 1 || digits.first != 0x30 else { return nil }
        var number = 0.0
        for digit in digits {
            guard digit.isDigit else { return nil }
            number = number * 10 + Double(digit - 0x30)
        }
        return number
    }
}

extension Range<Int> {
    /// Returns the content of the string in quotes that is here, if it is ASCII without escapes; `nil` for any other
    /// value.
    package func plainText(in units: UnsafeBufferPointer<UInt16>) -> UnsafeBufferPointer<UInt16>? {
        let text = units[self]
        guard text.count >= 2, text.first == .quote, text.last == .quote else { return nil }
        let content = UnsafeBufferPointer(rebasing: text.dropFirst().dropLast())
        for unit in content where unit < 0x20 || unit > 0x7E || unit == .backslash || unit == .quote {
            return nil
        }
        return content
    }
}
