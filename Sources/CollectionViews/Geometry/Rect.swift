/// A rectangle: the position of its top left corner, and its size.
public struct Rect: Sendable, Hashable, CustomStringConvertible {
    /// The position of the top left corner.
    public var origin: Point
    /// The width and the height.
    public var size: Size

    /// Creates a rectangle from its corner and its size.
    public init(origin: Point, size: Size) {
        self.origin = origin
        self.size = size
    }

    /// Creates a rectangle from four numbers.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
    }

    /// The rectangle without extent at the top left corner.
    public static let zero = Rect(origin: .zero, size: .zero)

    /// The position of the left edge.
    public var minX: Double { origin.x }
    /// The position of the right edge.
    public var maxX: Double { origin.x + size.width }
    /// The position of the top edge.
    public var minY: Double { origin.y }
    /// The position of the bottom edge.
    public var maxY: Double { origin.y + size.height }
    /// The middle of the rectangle.
    public var center: Point { Point(x: origin.x + size.width / 2, y: origin.y + size.height / 2) }

    /// Returns whether two rectangles have a part in common; a shared edge is not a part.
    public func intersects(_ other: Rect) -> Bool {
        minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
    }

    /// Returns whether a point is in the rectangle; points on the right and the bottom edge are not.
    public func contains(_ point: Point) -> Bool {
        point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
    }

    /// A Boolean value that indicates whether all four numbers are finite and the size is not negative.
    public var isValid: Bool {
        origin.x.isFinite && origin.y.isFinite && size.width.isFinite && size.height.isFinite
            && size.width >= 0 && size.height >= 0
    }

    /// The four numbers in the order x, y, width, height.
    public var description: String { "(\(origin.x), \(origin.y), \(size.width), \(size.height))" }
}
