/// An affine transformation of a view: a page applies it, a terminal ignores it.
public struct LayoutTransform: Sendable, Hashable {
    /// The numbers of the matrix, in the order of CSS `matrix()`: a, b, c, d, tx, ty.
    public var matrix: [Double]

    /// Creates a transformation from six numbers.
    public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        matrix = [a, b, c, d, tx, ty]
    }

    /// The transformation that changes nothing.
    public static let identity = LayoutTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)
}
