/// The reason why a snapshot could not be changed or applied, with the offending identifier.
public struct DiffableSnapshotError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// An identifier would occur twice.
        case duplicateIdentifier
        /// An identifier is not in the snapshot.
        case unknownIdentifier
        /// Items were appended to a snapshot without sections.
        case noSection
    }

    /// The kind of the error.
    public let code: Code
    /// The description of the identifier.
    public let identifier: String

    init(_ code: Code, _ identifier: Any) {
        self.code = code
        self.identifier = "\(identifier)"
    }

    /// A sentence with the identifier.
    public var description: String {
        switch code {
        case .duplicateIdentifier: "the identifier \(identifier) occurs twice in a snapshot"
        case .unknownIdentifier: "the identifier \(identifier) is not in the snapshot"
        case .noSection: "the item \(identifier) was appended to a snapshot without sections"
        }
    }
}
