internal import BridgeValues
internal import Foundation

/// A JSON text from which types are decoded: its code units, its tape, and the configuration.
///
/// Decoders and containers share it. Until ``endBorrowing()`` the units belong to the caller.
final class JSONDocument {
    // Exclusivity checks would cost more than the loads that they guard, and only endBorrowing() writes.
    @exclusivity(unchecked) private(set) var units: UnsafePointer<UInt16>
    let tokens: UnsafeMutablePointer<JSONToken>
    /// A token outside the text: the `null` that a missing `super` member decodes as.
    let missing: UInt32
    let illFormedTexts: Int
    let configuration: JSONTextDecoder.Configuration
    private let unitCount: Int
    private var ownUnits: UnsafeMutablePointer<UInt16>?
    private var indexes: [UInt32: JSONObjectIndex] = [:]

    /// Creates a document from a scan, whose tokens it takes over.
    init(of scanner: consuming JSONTapeScanner, _ configuration: JSONTextDecoder.Configuration = .init()) {
        missing = scanner.tape.append(JSONToken(start: 0, count: 0, next: 0, kind: .null, traits: []))
        units = scanner.units
        unitCount = scanner.end
        illFormedTexts = scanner.tape.illFormedTexts
        self.configuration = configuration
        tokens = scanner.tape.releaseTokens()
    }

    deinit {
        tokens.deallocate()
        ownUnits?.deallocate()
    }

    /// Copies the units, for a decoder that a type retains.
    func endBorrowing() {
        let own = UnsafeMutablePointer<UInt16>.allocate(capacity: unitCount)
        own.initialize(from: units, count: unitCount)
        ownUnits = own
        units = UnsafePointer(own)
    }

    /// The number of keys with a lone surrogate.
    var illFormedKeys: Int {
        guard illFormedTexts > 0 else { return 0 }
        return (0..<Int(missing)).count { tokens[$0].kind == .key && tokens[$0].traits.contains(.illFormed) }
    }

    // MARK: Parts

    func text(_ token: JSONToken) -> JSONText {
        JSONText(units: units + Int(token.start), count: Int(token.count))
    }

    func number(_ token: JSONToken) -> JSONNumber {
        JSONNumber(
            units: units + Int(token.start),
            count: Int(token.count),
            isWhole: token.traits.contains(.whole)
        )
    }

    /// Returns the string of a string token or key, with U+FFFD for each lone surrogate.
    @inline(__always)
    func string(_ token: JSONToken) -> String {
        token.traits.isEmpty ? text(token).plainString : text(token).string
    }

    func index(of object: UInt32) -> JSONObjectIndex {
        if let index = indexes[object] { return index }
        let index = JSONObjectIndex(of: object, in: self)
        indexes[object] = index
        return index
    }

    /// Returns the keys of an object in order, each once.
    func keys(of object: UInt32) -> [String] {
        if tokens[Int(object)].traits.contains(.indexed) { return index(of: object).members.map(\.key) }
        var keys: [String] = []
        keys.reserveCapacity(Int(tokens[Int(object)].count))
        var key = object + 1
        while key < tokens[Int(object)].next {
            keys.append(text(tokens[Int(key)]).plainString)
            key = tokens[Int(key) + 1].next
        }
        return keys
    }

    /// Returns the value of an object's member.
    ///
    /// - Complexity: Constant where members are requested in their order; otherwise linear up to 16 members, and
    ///   constant on average beyond.
    @inline(__always)
    func member(_ key: String, of object: UInt32) -> UInt32? {
        let token = tokens[Int(object)]
        guard !token.traits.contains(.indexed) else { return index(of: object).value(of: key) }
        var key = key
        return key.withUTF8 { key in
            let expected = token.start
            if expected < token.next, isKey(expected, key) {
                tokens[Int(object)].start = tokens[Int(expected) + 1].next
                return expected + 1
            }
            return search(key, of: object, token)
        }
    }

    private func search(
        _ key: UnsafeBufferPointer<UInt8>,
        of object: UInt32,
        _ token: JSONToken
    ) -> UInt32? {
        var candidate = object + 1
        while candidate < token.next {
            let next = tokens[Int(candidate) + 1].next
            if isKey(candidate, key) {
                tokens[Int(object)].start = next
                return candidate + 1
            }
            candidate = next
        }
        return nil
    }

    @inline(__always)
    private func isKey(_ candidate: UInt32, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
        let token = tokens[Int(candidate)]
        guard Int(token.count) == key.count else { return false }
        let units = units + Int(token.start)
        var index = 0
        while index < key.count {
            guard units[index] == UInt16(key[index]) else { return false }
            index += 1
        }
        return true
    }
}

/// The members of an object that has many keys, duplicate keys, or keys that cannot be compared unit by unit.
final class JSONObjectIndex {
    /// The members in the order of their first appearance; of several with the same key the last one counts.
    private(set) var members: [(key: String, value: UInt32)] = []
    private var positions: [ByteEqualKey: Int] = [:]
    private var expected = 0

    init(of object: UInt32, in document: JSONDocument) {
        let tokens = document.tokens
        let count = Int(tokens[Int(object)].count)
        members.reserveCapacity(count)
        positions.reserveCapacity(count)
        var token = object + 1
        while token < tokens[Int(object)].next {
            let key = document.string(tokens[Int(token)])
            if let position = positions[ByteEqualKey(text: key)] {
                members[position].value = token + 1
            } else {
                positions[ByteEqualKey(text: key)] = members.count
                members.append((key, token + 1))
            }
            token = tokens[Int(token) + 1].next
        }
    }

    func value(of key: String) -> UInt32? {
        let key = ByteEqualKey(text: key)
        if expected < members.count, ByteEqualKey(text: members[expected].key) == key {
            expected += 1
            return members[expected - 1].value
        }
        guard let position = positions[key] else { return nil }
        expected = position + 1
        return members[position].value
    }
}
