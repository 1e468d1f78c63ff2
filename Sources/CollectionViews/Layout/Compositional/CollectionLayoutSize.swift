/// The width or the height of an item or a group in a compositional layout.
public enum CollectionLayoutDimension: Sendable, Hashable {
    /// A part of the width of the group or section around it.
    case fractionalWidth(Double)
    /// A part of the height of the group or section around it.
    case fractionalHeight(Double)
    /// A length in the unit of the renderer.
    case absolute(Double)
    /// A length until the cell is measured, along the scroll direction; across it, the same as an absolute one.
    case estimated(Double)

    var isEstimated: Bool {
        if case .estimated = self { return true }
        return false
    }

    /// Returns the length in a container.
    func length(in container: Size) -> Double {
        let length =
            switch self {
            case .fractionalWidth(let part): container.width * part
            case .fractionalHeight(let part): container.height * part
            case .absolute(let length), .estimated(let length): length
            }
        // A part of an infinite or negative container comes from the program, like a wrong length.
        precondition(
            length.isFinite && length >= 0,
            "compositional layout: the length of \(self) is \(length)"
        )
        return length
    }
}

/// The size of an item or a group in a compositional layout.
public struct CollectionLayoutSize: Sendable, Hashable {
    /// The width.
    public let widthDimension: CollectionLayoutDimension
    /// The height.
    public let heightDimension: CollectionLayoutDimension

    /// Creates a size.
    public init(widthDimension: CollectionLayoutDimension, heightDimension: CollectionLayoutDimension) {
        self.widthDimension = widthDimension
        self.heightDimension = heightDimension
    }

    func size(in container: Size) -> Size {
        Size(width: widthDimension.length(in: container), height: heightDimension.length(in: container))
    }

    func isEstimated(along direction: ScrollDirection) -> Bool {
        direction == .vertical ? heightDimension.isEstimated : widthDimension.isEstimated
    }
}
