public import Foundation

/// The part of a view that a layout sees: counts and bounds, and neither the data source nor the delegate.
public protocol LayoutHost: AnyObject {
    /// The number of sections.
    var numberOfSections: Int { get }
    /// The visible part of the content.
    var bounds: Rect { get }

    /// Returns the number of items of a section, or 0 for an index out of range.
    func numberOfItems(inSection section: Int) -> Int

    /// Requests a layout pass, because a layout was invalidated.
    func setNeedsLayout()

    /// Requests the lengths of items again, because a layout has discarded them without being prepared again.
    func setNeedsMeasurement(forItemsAt indexPaths: [IndexPath])
}
