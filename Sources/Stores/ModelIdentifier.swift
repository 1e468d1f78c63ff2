public import Foundation

/// A persistent row identity with a string form: `x-store://UUID/Entity/p42`.
///
/// The string contains the store, the entity and the key. The parts of a key are percent-encoded and joined by commas:
/// `x-store://…/flight/pLH%2F400,2024-05-01`. An unsaved object has `t` in place of `p`; such an identity is temporary
/// and must not be saved.
public struct ModelIdentifier: Sendable, Hashable {
    /// The identifier of the store.
    public let storeIdentifier: UUID
    /// The name of the entity.
    public let entityName: String
    /// The parts of the key; usually one, the row's identity.
    public let key: [String]
    /// A Boolean value that indicates whether the object was unsaved when the identity was created.
    public let isTemporary: Bool

    /// Creates an identity with a key of one or more parts.
    public init(storeIdentifier: UUID, entityName: String, key: [String], isTemporary: Bool = false) {
        self.storeIdentifier = storeIdentifier
        self.entityName = entityName
        self.key = key
        self.isTemporary = isTemporary
    }

    /// Creates the identity of a row.
    public init(storeIdentifier: UUID, entityName: String, rowID: RowID) {
        self.init(storeIdentifier: storeIdentifier, entityName: entityName, key: [String(rowID)])
    }

    /// The row's identity; `nil` if the key is not a single number or the identity is temporary.
    public var rowID: RowID? {
        guard !isTemporary, key.count == 1, let number = RowID(key[0]), String(number) == key[0] else {
            return nil
        }
        return number
    }

    /// The identity as a string.
    ///
    /// Characters other than ASCII letters, digits, `-`, `.`, `_` and `~` are percent-encoded.
    public var uri: String {
        let key = key.map { Self.encoded($0) }.joined(separator: ",")
        return Self.scheme + storeIdentifier.uuidString + "/" + Self.encoded(entityName) + "/"
            + (isTemporary ? "t" : "p") + key
    }

    /// Parses an identity.
    ///
    /// - Returns: `nil` for any string that is not exactly the ``uri`` of an identity.
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
        // Each row has exactly one string form, so any other spelling is refused.
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
    /// The identity as a string.
    public var description: String { uri }
}
