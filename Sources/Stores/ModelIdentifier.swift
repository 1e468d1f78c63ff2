public import Foundation

/// The identity of a row as text that outlives the process: `x-store://UUID/Entity/p42`.
///
/// The text names the store, the entity and the key. A key of several parts, or of text, has its parts
/// percent-encoded and joined by commas: `x-store://…/flight/pLH%2F400,2024-05-01`. An object that is not
/// saved yet has `t` in place of `p`; such an identity is temporary and belongs in no saved state.
public struct ModelIdentifier: Sendable, Hashable {
    /// The store.
    public let storeIdentifier: UUID
    /// The entity.
    public let entityName: String
    /// The parts of the key, mostly one: a row's identity.
    public let key: [String]
    /// Whether the object was not saved when the identity was made.
    public let isTemporary: Bool

    /// Makes an identity of a key with one or more parts.
    public init(storeIdentifier: UUID, entityName: String, key: [String], isTemporary: Bool = false) {
        self.storeIdentifier = storeIdentifier
        self.entityName = entityName
        self.key = key
        self.isTemporary = isTemporary
    }

    /// Makes the identity of a row.
    public init(storeIdentifier: UUID, entityName: String, rowID: RowID) {
        self.init(storeIdentifier: storeIdentifier, entityName: entityName, key: [String(rowID)])
    }

    /// The row's identity; `nil` for a key that is no single number, and for a temporary one.
    public var rowID: RowID? {
        guard !isTemporary, key.count == 1, let number = RowID(key[0]), String(number) == key[0] else {
            return nil
        }
        return number
    }

    /// The identity as text.
    ///
    /// Whatever is not an ASCII letter, digit, `-`, `.`, `_` or `~` is percent-encoded.
    public var uri: String {
        let key = key.map { Self.encoded($0) }.joined(separator: ",")
        return Self.scheme + storeIdentifier.uuidString + "/" + Self.encoded(entityName) + "/"
            + (isTemporary ? "t" : "p") + key
    }

    /// Reads an identity from its text.
    ///
    /// - Returns: `nil` for any text that is not the ``uri`` of an identity, character by character.
    public init?(uri text: String) {
        guard text.hasPrefix(Self.scheme), text.utf8.count < 4_096 else { return nil }
        let parts = text.utf8.dropFirst(Self.scheme.utf8.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 3, let store = UUID(uuidString: String(decoding: parts[0], as: UTF8.self)),
            let entity = Self.decoded(parts[1]), !entity.isEmpty, let kind = parts[2].first
        else { return nil }
        let key = parts[2].dropFirst()
            .split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { Self.decoded($0) }
        guard kind == UInt8(ascii: "p") || kind == UInt8(ascii: "t"), !key.contains(nil), key != [""] else {
            return nil
        }
        self.init(
            storeIdentifier: store,
            entityName: entity,
            key: key.compactMap { $0 },
            isTemporary: kind == UInt8(ascii: "t")
        )
        // One row has one text: what would be written otherwise is none.
        guard uri.utf8.elementsEqual(text.utf8) else { return nil }
    }

    private static let scheme = "x-store://"

    private static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isPlain(byte) {
                bytes.append(byte)
            } else {
                let digits = Array("0123456789ABCDEF".utf8)
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func decoded(_ text: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst(), let low = rest.popFirst(),
                let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension ModelIdentifier: CustomStringConvertible {
    /// The identity as text.
    public var description: String { uri }
}
