public import Foundation
public import Stores

/// By which rule a view's place was found again: the first that applied, in this order.
public enum RestorationRule: String, Sendable, Hashable, CaseIterable, Codable {
    /// The row that was the first on the screen is there.
    case anchor
    /// It is gone; this is the nearest of its neighbours that is there.
    case fallback
    /// All of them are gone; this is the row at the place that the first one would take by its sort key.
    case sortKey
    /// It is not sorted as it was; this is the start of its section.
    case section
    /// The section is gone too; the content is scrolled as far as it was, in proportion.
    case proportion
    /// There is nothing to go by: the top.
    case top
}

/// When a view may be restored.
public enum RestorationPolicy: String, Sendable, Hashable, CaseIterable {
    /// As soon as the rows have been fetched.
    case allow
    /// When the rows have been fetched and there are some.
    case preventWhenEmpty
    /// Not now.
    case prevent
}

/// A view's place and marks, found again.
public struct RestoredState: Sendable, Hashable {
    /// By which rule the place was found.
    public let rule: RestorationRule
    /// The row that the place was found by; `nil` for a proportion, and for the top.
    public let indexPath: IndexPath?
    /// How far to scroll the content.
    public let contentOffset: Double
    /// Whether the content ends too early for the row to stand where it stood.
    public let isClamped: Bool
    /// The marks; rows that are gone are left out.
    public let marks: RestorableMarks
    /// How many rows of the marks are gone.
    public let missing: Int
    /// What the program kept with the archive.
    public let values: [String: AttributeValue]
}
