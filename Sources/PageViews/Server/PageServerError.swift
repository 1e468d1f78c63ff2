public import Foundation

/// The reason why a page server cannot start.
public struct PageServerError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// A sentence that says what is wrong.
    public let description: String

    /// The description.
    public var errorDescription: String? { description }

    init(_ description: String) { self.description = description }
}
