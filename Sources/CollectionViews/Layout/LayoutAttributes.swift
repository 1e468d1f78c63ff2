internal import DataSources
public import Foundation

/// The position and the appearance that a layout gives to one element.
public struct LayoutAttributes: Sendable, Hashable {
    /// The element.
    public let element: ElementIdentifier
    /// The rectangle in the content.
    public var frame: Rect
    /// The opacity, from 0 to 1.
    public var alpha = 1.0
    /// The order of overlapping elements; higher ones are in front.
    public var zIndex = 0
    /// A Boolean value that indicates whether the element is not displayed.
    ///
    /// No view is created for a hidden element.
    public var isHidden = false
    /// The transformation.
    public var transform = LayoutTransform.identity

    /// Creates the attributes of an element.
    public init(_ element: ElementIdentifier, frame: Rect = .zero) {
        self.element = element
        self.frame = frame
    }

    /// Creates the attributes of a cell.
    public init(forCellWith indexPath: IndexPath, frame: Rect = .zero) {
        self.init(.cell(ItemPath(checking: indexPath)), frame: frame)
    }

    /// Creates the attributes of a supplementary view.
    public init(forSupplementaryViewOfKind kind: String, with indexPath: IndexPath, frame: Rect = .zero) {
        self.init(
            ElementIdentifier(category: .supplementaryView, kind: kind, path: ItemPath(checking: indexPath)),
            frame: frame
        )
    }

    /// Creates the attributes of a decoration view.
    public init(forDecorationViewOfKind kind: String, with indexPath: IndexPath, frame: Rect = .zero) {
        self.init(
            ElementIdentifier(category: .decorationView, kind: kind, path: ItemPath(checking: indexPath)),
            frame: frame
        )
    }

    /// The path of the item or section.
    public var indexPath: IndexPath { element.indexPath }
    /// The category of the element.
    public var representedElementCategory: ElementCategory { element.category }
    /// The kind of a supplementary or decoration view; `nil` for a cell.
    public var representedElementKind: String? { element.category == .cell ? nil : element.kind }
    /// The size of the frame.
    public var size: Size {
        get { frame.size }
        set { frame.size = newValue }
    }
    /// The rectangle of the frame's size without its position; a new size keeps the middle of the frame.
    public var bounds: Rect {
        get { Rect(origin: .zero, size: frame.size) }
        set {
            let middle = center
            frame.size = newValue.size
            center = middle
        }
    }
    /// The middle of the frame.
    public var center: Point {
        get { frame.center }
        set {
            frame.origin = Point(x: newValue.x - frame.size.width / 2, y: newValue.y - frame.size.height / 2)
        }
    }

    /// Returns the same attributes for an element at another path.
    func moved(to path: ItemPath) -> LayoutAttributes {
        var result = LayoutAttributes(element.moved(to: path), frame: frame)
        result.alpha = alpha
        result.zIndex = zIndex
        result.isHidden = isHidden
        result.transform = transform
        return result
    }

    /// Returns whether an element is drawn before another: by the order of overlapping elements, then by path.
    static func isBehind(_ left: LayoutAttributes, _ right: LayoutAttributes) -> Bool {
        (left.zIndex, left.element) < (right.zIndex, right.element)
    }
}
