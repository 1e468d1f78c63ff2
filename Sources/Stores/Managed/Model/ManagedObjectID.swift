public import Foundation

/// The identity of a managed object: of a row of a store, or of an object that is not saved yet.
///
/// Its text is `x-store://UUID/Entity/p42`, or `…/t42` before the first save. It is a value: it goes to other
/// threads and contexts, and its text goes to other processes.
public struct ManagedObjectID: Sendable, Hashable {
    /// The store that the object is in.
    public let storeIdentifier: UUID
    /// The object's entity.
    public let entityName: String
    /// The row's identity, or a negative number of its own where there is no row yet.
    package let key: Int64

    package init(storeIdentifier: UUID, entityName: String, key: Int64) {
        self.storeIdentifier = storeIdentifier
        self.entityName = entityName
        self.key = key
    }

    /// Makes the identity of a row.
    public init(storeIdentifier: UUID, entityName: String, rowID: RowID) {
        self.init(storeIdentifier: storeIdentifier, entityName: entityName, key: rowID)
    }

    /// Whether the object has not been saved yet: the identity becomes another one then.
    public var isTemporaryID: Bool { key < 0 }

    /// The row's identity, or `nil` where there is no row yet.
    public var rowID: RowID? { isTemporaryID ? nil : key }

    /// The identity as text: `x-store://UUID/Entity/p42`.
    ///
    /// Whatever of the entity's name is not an ASCII letter, digit, `-`, `.`, `_` or `~` is percent-encoded.
    public var uri: String {
        let name = entityName.utf8.map { byte in
            Self.isPlain(byte) ? String(UnicodeScalar(byte)) : Self.escape(byte)
        }
        let number = isTemporaryID ? "t\(key.magnitude)" : "p\(key)"
        return "\(Self.scheme)\(storeIdentifier.uuidString)/\(name.joined())/\(number)"
    }

    /// The identity as a URL.
    ///
    /// - Returns: `nil` only if Foundation refuses ``uri``.
    public func uriRepresentation() -> URL? { URL(string: uri) }

    /// Reads an identity from its text.
    ///
    /// - Returns: `nil` for any text that is not the ``uri`` of an identity, character by character.
    public init?(uri text: String) {
        guard text.hasPrefix(Self.scheme), text.utf8.count < 4_096 else { return nil }
        let parts = text.utf8.dropFirst(Self.scheme.utf8.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 3, let identifier = UUID(uuidString: String(decoding: parts[0], as: UTF8.self)),
            let name = Self.unescaped(parts[1]), !name.isEmpty, let kind = parts[2].first,
            let number = Int64(String(decoding: parts[2].dropFirst(), as: UTF8.self)), number > 0
        else { return nil }
        switch kind {
        case UInt8(ascii: "p"): self.init(storeIdentifier: identifier, entityName: name, key: number)
        case UInt8(ascii: "t"): self.init(storeIdentifier: identifier, entityName: name, key: -number)
        default: return nil
        }
        // One object has one text: what would be written otherwise is none.
        guard uri.utf8.elementsEqual(text.utf8) else { return nil }
    }

    private static let scheme = "x-store://"

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func escape(_ byte: UInt8) -> String {
        "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    private static func unescaped(_ text: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension ManagedObjectID: CustomStringConvertible {
    /// The identity as text.
    public var description: String { uri }
}
