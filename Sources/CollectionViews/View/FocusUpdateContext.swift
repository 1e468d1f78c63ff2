internal import DataSources
public import Foundation

/// A move of the focus by the user, about which a delegate is asked and notified.
public struct FocusUpdateContext: Sendable, Hashable {
    /// The path of the item that has the focus before; `nil` for none.
    public let previouslyFocusedIndexPath: IndexPath?
    /// The path of the item that has the focus afterwards.
    public let nextFocusedIndexPath: IndexPath
}
