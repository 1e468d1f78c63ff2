public import Foundation
public import Stores

/// The rule by which a view's position was found: the first that applied, in this order.
public enum RestorationRule: String, Sendable, Hashable, CaseIterable, Codable {
    /// The row that was first on the screen still exists.
    case anchor
    /// The first row is gone; the nearest of its neighbors that still exists is used.
    case fallback
    /// All of them are gone; the row at the position of the first one's sort key is used.
    case sortKey
    /// The sort order is another one; the start of the section is used.
    case section
    /// The section is gone too; the content is scrolled by the same proportion.
    case proportion
    /// No rule applies: the top.
    case top
}

/// The condition under which a view may be restored.
public enum RestorationPolicy: String, Sendable, Hashable, CaseIterable {
    /// After the rows have been fetched.
    case allow
    /// After the rows have been fetched, if there are any.
    case preventWhenEmpty
    /// Never.
    case prevent
}

/// A restored position with the marks of a view.
public struct RestoredState: Sendable, Hashable {
    /// The rule by which the position was found.
    public let rule: RestorationRule
    /// The row that determined the position; `nil` for a proportion, and for the top.
    public let indexPath: IndexPath?
    /// The position in the content at which the viewport begins.
    public let contentOffset: Double
    /// A Boolean value that indicates whether the content ends too early for the row to have its old position.
    public let isClamped: Bool
    /// The marks, without rows that are gone.
    public let marks: RestorableMarks
    /// The number of marked rows that are gone.
    public let missing: Int
    /// The program's own values from the archive.
    public let values: [String: AttributeValue]
}
