public import DataSources
public import Foundation

/// The category of a view in a collection view.
public enum ElementCategory: Int, Sendable, Hashable, Comparable {
    /// The cell of an item.
    case cell
    /// A view that the data source provides beside the items, such as a header.
    case supplementaryView
    /// A view that belongs to the layout, such as a background.
    case decorationView

    /// Returns whether a category is before another.
    public static func < (left: ElementCategory, right: ElementCategory) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The identity of an element within one state of a view: its category, kind and path.
public struct ElementIdentifier: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The category.
    public let category: ElementCategory
    /// The kind of a supplementary or decoration view; empty for a cell.
    public let kind: String
    /// The path of the item, or of the section with item 0.
    public let path: ItemPath

    /// Creates the identity of a cell.
    public static func cell(_ path: ItemPath) -> ElementIdentifier {
        ElementIdentifier(category: .cell, kind: "", path: path)
    }

    /// The path as an index path.
    public var indexPath: IndexPath { path.indexPath }

    /// The category, the kind and the path.
    public var description: String { category == .cell ? "cell \(path)" : "\(kind) \(path)" }

    /// Returns whether an element is before another: by path, then by category and kind.
    public static func < (left: ElementIdentifier, right: ElementIdentifier) -> Bool {
        if left.path != right.path { return left.path < right.path }
        return (left.category, left.kind) < (right.category, right.kind)
    }

    /// Hashes the path, and the kind of views that are not cells.
    ///
    /// Tables of elements are searched several times for each cell of a frame. The other members differ rarely.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(UInt64(UInt32(bitPattern: path.section)) << 32 | UInt64(UInt32(bitPattern: path.item)))
        if category != .cell { hasher.combine(kind) }
    }

    func moved(to path: ItemPath) -> ElementIdentifier {
        ElementIdentifier(category: category, kind: kind, path: path)
    }
}

extension ItemPath {
    /// Creates a path from an index path of a program, which must have two numbers of 32 bits.
    init(checking indexPath: IndexPath) {
        guard let path = ItemPath(indexPath) else {
            preconditionFailure("index path \(Array(indexPath)) is not a section and an item of 32 bits each")
        }
        self = path
    }
}
