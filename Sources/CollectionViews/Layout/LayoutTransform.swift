/// An affine transformation of a view: a page applies it, a terminal ignores it.
public struct LayoutTransform: Sendable, Hashable {
    // The numbers, or nil for the identity: every element of every frame has a transformation, and most are that one.
    private var numbers: [Double]?

    /// The numbers of the matrix, in the order of CSS `matrix()`: a, b, c, d, tx, ty.
    public var matrix: [Double] {
        get { numbers ?? Self.identityMatrix }
        set { numbers = newValue == Self.identityMatrix ? nil : newValue }
    }

    /// Creates a transformation from six numbers.
    public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        matrix = [a, b, c, d, tx, ty]
    }

    private static let identityMatrix = [1.0, 0, 0, 1, 0, 0]

    /// The transformation that changes nothing.
    public static let identity = LayoutTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    /// A Boolean value that indicates whether no number is NaN or infinite.
    var isFinite: Bool { numbers?.allSatisfy(\.isFinite) ?? true }
}
