/// A position in the content of a view, in the unit of its renderer: character cells, or CSS pixels.
public struct Point: Sendable, Hashable {
    /// The position in the horizontal direction, from the left edge.
    public var x: Double
    /// The position in the vertical direction, from the top edge.
    public var y: Double

    /// Creates a point.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The point at the top left corner.
    public static let zero = Point(x: 0, y: 0)
}
