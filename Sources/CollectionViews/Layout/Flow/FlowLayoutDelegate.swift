public import Foundation

/// An object that gives a flow layout sizes and distances that differ between sections or items.
///
/// Every method has a default, which returns the property of the layout. A length must be finite and not negative.
public protocol FlowLayoutDelegate: AnyObject {
    /// Returns the size of an item, or `nil` if all items of the section have the size of the layout, the default.
    ///
    /// For a section whose first item has a size, this method is called for all items when the layout is prepared.
    func flowLayout(_ layout: FlowLayout, sizeForItemAt indexPath: IndexPath) -> Size?

    /// Returns the distances of a section's items from the edges of the view, the header and the footer.
    func flowLayout(_ layout: FlowLayout, insetForSectionAt section: Int) -> EdgeInsets

    /// Returns the distance between two lines of a section.
    func flowLayout(_ layout: FlowLayout, minimumLineSpacingForSectionAt section: Int) -> Double

    /// Returns the least distance between two items of a line.
    func flowLayout(_ layout: FlowLayout, minimumInteritemSpacingForSectionAt section: Int) -> Double

    /// Returns the size of a section's header, of which the length along the scroll direction is used.
    func flowLayout(_ layout: FlowLayout, referenceSizeForHeaderInSection section: Int) -> Size

    /// Returns the size of a section's footer, of which the length along the scroll direction is used.
    func flowLayout(_ layout: FlowLayout, referenceSizeForFooterInSection section: Int) -> Size
}

extension FlowLayoutDelegate {
    /// Returns `nil`.
    public func flowLayout(_ layout: FlowLayout, sizeForItemAt indexPath: IndexPath) -> Size? { nil }

    /// Returns the layout's section inset.
    public func flowLayout(_ layout: FlowLayout, insetForSectionAt section: Int) -> EdgeInsets {
        layout.sectionInset
    }

    /// Returns the layout's line spacing.
    public func flowLayout(_ layout: FlowLayout, minimumLineSpacingForSectionAt section: Int) -> Double {
        layout.minimumLineSpacing
    }

    /// Returns the layout's spacing of items.
    public func flowLayout(_ layout: FlowLayout, minimumInteritemSpacingForSectionAt section: Int) -> Double {
        layout.minimumInteritemSpacing
    }

    /// Returns the layout's header size.
    public func flowLayout(_ layout: FlowLayout, referenceSizeForHeaderInSection section: Int) -> Size {
        layout.headerReferenceSize
    }

    /// Returns the layout's footer size.
    public func flowLayout(_ layout: FlowLayout, referenceSizeForFooterInSection section: Int) -> Size {
        layout.footerReferenceSize
    }
}
