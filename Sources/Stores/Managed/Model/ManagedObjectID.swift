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
        ModelIdentifier(
            storeIdentifier: storeIdentifier,
            entityName: entityName,
            key: [String(key.magnitude)],
            isTemporary: isTemporaryID
        ).uri
    }

    /// The identity as a URL.
    ///
    /// - Returns: `nil` only if Foundation refuses ``uri``.
    public func uriRepresentation() -> URL? { URL(string: uri) }

    /// Reads an identity from its text.
    ///
    /// - Returns: `nil` for any text that is not the ``uri`` of an identity, character by character.
    public init?(uri text: String) {
        guard let identifier = ModelIdentifier(uri: text), identifier.key.count == 1,
            let number = Int64(identifier.key[0]), number > 0
        else { return nil }
        self.init(
            storeIdentifier: identifier.storeIdentifier,
            entityName: identifier.entityName,
            key: identifier.isTemporary ? -number : number
        )
        // One object has one text: a number may be written in several ways.
        guard uri.utf8.elementsEqual(text.utf8) else { return nil }
    }
}

extension ManagedObjectID {
    /// Whether two are one object's: names by their bytes, so that what is equal has one text.
    public static func == (left: ManagedObjectID, right: ManagedObjectID) -> Bool {
        left.key == right.key && left.storeIdentifier == right.storeIdentifier
            && left.entityName.utf8.elementsEqual(right.entityName.utf8)
    }

    /// Feeds the identity to a hasher, so that equal ones agree.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(storeIdentifier)
        var name = entityName
        name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension ManagedObjectID: CustomStringConvertible {
    /// The identity as text.
    public var description: String { uri }
}
