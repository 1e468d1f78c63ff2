/// The direction in which a layout's content extends, and a view scrolls.
public enum ScrollDirection: Sendable, Hashable {
    /// Content extends downwards.
    case vertical
    /// Content extends to the right.
    case horizontal
}

extension ScrollDirection {
    /// Returns the part of a size along the direction.
    func length(of size: Size) -> Double { self == .vertical ? size.height : size.width }

    /// Returns the part of a size across the direction.
    func breadth(of size: Size) -> Double { self == .vertical ? size.width : size.height }

    /// Returns the position of a rectangle's first edge along the direction.
    func start(of rect: Rect) -> Double { self == .vertical ? rect.minY : rect.minX }

    /// Returns the range of a rectangle along the direction.
    func range(of rect: Rect) -> Range<Double> {
        let start = start(of: rect)
        return start..<max(start, start + length(of: rect.size))
    }

    /// Creates a size from its parts along and across the direction.
    func size(length: Double, breadth: Double) -> Size {
        self == .vertical
            ? Size(width: breadth, height: length) : Size(width: length, height: breadth)
    }

    /// Creates a rectangle from its parts along the direction and across it.
    func rect(start: Double, length: Double, across: Double, breadth: Double) -> Rect {
        self == .vertical
            ? Rect(x: across, y: start, width: breadth, height: length)
            : Rect(x: start, y: across, width: length, height: breadth)
    }

    /// Returns whether an element begins before another along the direction, or has an earlier path at the same place.
    func isBefore(_ left: LayoutAttributes, _ right: LayoutAttributes) -> Bool {
        (start(of: left.frame), left.element) < (start(of: right.frame), right.element)
    }

    /// Returns the distances from the edges along the direction.
    func along(_ insets: EdgeInsets) -> (before: Double, after: Double) {
        self == .vertical ? (insets.top, insets.bottom) : (insets.left, insets.right)
    }

    /// Returns the distances from the edges across the direction.
    func across(_ insets: EdgeInsets) -> (before: Double, after: Double) {
        self == .vertical ? (insets.left, insets.right) : (insets.top, insets.bottom)
    }
}
