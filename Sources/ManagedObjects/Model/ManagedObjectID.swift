public import Foundation
public import Stores

/// The identity of a managed object: of a row in a store, or of an unsaved object.
///
/// Its string form is `x-store://UUID/Entity/p42`, or `…/t42` before the first save. It is a value that can be passed
/// to other threads and contexts; its string form can be passed to other processes.
public struct ManagedObjectID: Sendable, Hashable {
    /// The store that contains the object.
    public let storeIdentifier: UUID
    /// The object's entity.
    public let entityName: String
    /// The row's identity, or a unique negative number before the first save.
    package let key: Int64

    package init(storeIdentifier: UUID, entityName: String, key: Int64) {
        self.storeIdentifier = storeIdentifier
        self.entityName = entityName
        self.key = key
    }

    /// Creates the identity of a row.
    public init(storeIdentifier: UUID, entityName: String, rowID: RowID) {
        self.init(storeIdentifier: storeIdentifier, entityName: entityName, key: rowID)
    }

    /// A Boolean value that indicates whether the object is unsaved.
    ///
    /// The first save replaces the identity with a permanent one.
    public var isTemporaryID: Bool { key < 0 }

    /// The row's identity, or `nil` before the first save.
    public var rowID: RowID? { isTemporaryID ? nil : key }

    /// The identity as a string: `x-store://UUID/Entity/p42`.
    ///
    /// Characters of the entity's name other than ASCII letters, digits, `-`, `.`, `_` and `~` are percent-encoded.
    public var uri: String {
        ModelIdentifier(
            storeIdentifier: storeIdentifier,
            entityName: entityName,
            key: [String(key.magnitude)],
            isTemporary: isTemporaryID
        ).uri
    }

    /// Returns the identity as a URL.
    ///
    /// - Returns: `nil` only if Foundation refuses ``uri``.
    public func uriRepresentation() -> URL? { URL(string: uri) }

    /// Parses an identity.
    ///
    /// - Returns: `nil` for any string that is not exactly the ``uri`` of an identity.
    public init?(uri text: String) {
        guard let identifier = ModelIdentifier(uri: text), identifier.key.count == 1,
            let number = Int64(identifier.key[0]), number > 0
        else { return nil }
        self.init(
            storeIdentifier: identifier.storeIdentifier,
            entityName: identifier.entityName,
            key: identifier.isTemporary ? -number : number
        )
        // Each object has exactly one string form, although a number can be written in several ways.
        guard uri.utf8.elementsEqual(text.utf8) else { return nil }
    }
}

extension ManagedObjectID {
    /// Returns whether two identities are equal.
    ///
    /// Names are compared by their bytes, so that equal identities have equal string forms.
    public static func == (left: ManagedObjectID, right: ManagedObjectID) -> Bool {
        left.key == right.key && left.storeIdentifier == right.storeIdentifier
            && left.entityName.utf8.elementsEqual(right.entityName.utf8)
    }

    /// Feeds the identity to a hasher, so that equal identities have equal hashes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(storeIdentifier)
        var name = entityName
        name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension ManagedObjectID: CustomStringConvertible {
    /// The identity as a string.
    public var description: String { uri }
}
