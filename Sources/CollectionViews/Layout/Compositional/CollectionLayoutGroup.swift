/// A part of a group in a compositional layout: an item, or a group of its own.
public protocol CollectionLayoutPart: Sendable {
    /// The size.
    var layoutSize: CollectionLayoutSize { get }
}

/// An item of a compositional layout.
public struct CollectionLayoutItem: CollectionLayoutPart, Hashable {
    /// The size, relative to the group around the item.
    public let layoutSize: CollectionLayoutSize
    /// The space around the item, which is a part of its size.
    public var contentInsets = EdgeInsets.zero

    /// Creates an item.
    public init(layoutSize: CollectionLayoutSize) { self.layoutSize = layoutSize }
}

/// A group of items and other groups, one after the other, which a section repeats.
public struct CollectionLayoutGroup: CollectionLayoutPart {
    /// The size, relative to the group or section around it.
    public let layoutSize: CollectionLayoutSize
    /// The direction in which the parts follow each other.
    public let axis: ScrollDirection
    /// The parts, which are repeated as long as they fit; with a count, the first one that many times.
    public let subitems: [any CollectionLayoutPart]
    /// The number of equal parts; `nil` for as many as fit.
    public let count: Int?
    /// The distance between two parts.
    public var interItemSpacing = 0.0

    private init(
        _ size: CollectionLayoutSize,
        _ axis: ScrollDirection,
        _ parts: [any CollectionLayoutPart],
        _ count: Int?
    ) {
        precondition(!parts.isEmpty, "compositional layout: a group has no parts")
        precondition(count ?? 1 > 0, "compositional layout: a group has \(count ?? 0) parts")
        layoutSize = size
        self.axis = axis
        subitems = parts
        self.count = count
    }

    /// Creates a row of parts, which are repeated as long as they fit.
    public static func horizontal(
        layoutSize: CollectionLayoutSize,
        subitems: [any CollectionLayoutPart]
    ) -> CollectionLayoutGroup { CollectionLayoutGroup(layoutSize, .horizontal, subitems, nil) }

    /// Creates a row of a number of equal parts, which share its width.
    public static func horizontal(
        layoutSize: CollectionLayoutSize,
        subitem: any CollectionLayoutPart,
        count: Int
    ) -> CollectionLayoutGroup { CollectionLayoutGroup(layoutSize, .horizontal, [subitem], count) }

    /// Creates a column of parts, which are repeated as long as they fit.
    public static func vertical(
        layoutSize: CollectionLayoutSize,
        subitems: [any CollectionLayoutPart]
    ) -> CollectionLayoutGroup { CollectionLayoutGroup(layoutSize, .vertical, subitems, nil) }

    /// Creates a column of a number of equal parts, which share its height.
    public static func vertical(
        layoutSize: CollectionLayoutSize,
        subitem: any CollectionLayoutPart,
        count: Int
    ) -> CollectionLayoutGroup { CollectionLayoutGroup(layoutSize, .vertical, [subitem], count) }
}

/// The positions of the items of one group.
struct SolvedGroup {
    /// The size of the group.
    var size: Size
    /// The frames of the items, from the corner of the group.
    var frames: [Rect] = []
    /// A Boolean value for each item that indicates whether its length is estimated along the scroll direction.
    var isEstimated: [Bool] = []
    /// The parts of the group, solved.
    private var parts: [SolvedGroup] = []

    /// The maximum number of items of one group.
    static let maximumItems = 10_000

    /// Solves a group in a container.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - container: The size of the group or section around it.
    ///   - direction: The scroll direction, along which lengths can be measured.
    ///   - measured: The measured lengths of items, by their number.
    ///   - first: The number of the group's first item.
    ///   - template: The same group without measured lengths, which has as many parts; `nil` if this is it.
    init(
        _ group: CollectionLayoutGroup,
        in container: Size,
        along direction: ScrollDirection,
        measured: [Int: Double] = [:],
        from first: Int = 0,
        as template: SolvedGroup? = nil
    ) {
        size = group.layoutSize.size(in: container)
        let axis = group.axis
        let extent = axis.length(of: size)
        let spacing = group.interItemSpacing
        var cursor = 0.0
        var breadth = 0.0
        var number = 0
        // Parts of one dimension may be estimated, and then the group grows with them.
        let canGrow = group.layoutSize.isEstimated(along: direction)
        func fits(_ length: Double) -> Bool {
            // A measured length moves what follows, but never into or out of the group: its items have their numbers.
            if let template { return number < template.parts.count }
            if let count = group.count { return number < count }
            // At least one round of the parts; a part without length would be repeated for ever.
            guard number >= group.subitems.count else { return true }
            return length > 0 && !(canGrow && axis == direction) && cursor + length <= extent + 1e-6
        }
        while frames.count < Self.maximumItems {
            let part = group.subitems[number % group.subitems.count]
            var room = size
            var length = axis.length(of: part.layoutSize.size(in: size))
            if let count = group.count {
                length = max(0, (extent - spacing * Double(count - 1)) / Double(count))
                room = axis.size(length: length, breadth: axis.breadth(of: size))
            }
            guard fits(length) else { break }
            let solved = Self.solve(
                part,
                in: room,
                isShared: group.count != nil,
                axis,
                direction,
                measured,
                first + frames.count,
                template?.parts[number]
            )
            let origin = axis.rect(start: cursor, length: 0, across: 0, breadth: 0).origin
            for frame in solved.frames {
                frames.append(
                    Rect(
                        origin: Point(x: frame.minX + origin.x, y: frame.minY + origin.y),
                        size: frame.size
                    )
                )
            }
            isEstimated += solved.isEstimated
            parts.append(solved)
            cursor += axis.length(of: solved.size) + spacing
            breadth = max(breadth, axis.breadth(of: solved.size))
            number += 1
        }
        guard canGrow, isEstimated.contains(true) else { return }
        size =
            axis == direction
            ? axis.size(length: max(0, cursor - spacing), breadth: axis.breadth(of: size))
            : axis.size(length: extent, breadth: breadth)
    }

    private init(size: Size) { self.size = size }

    private static func solve(
        _ part: any CollectionLayoutPart,
        in room: Size,
        isShared: Bool,
        _ axis: ScrollDirection,
        _ direction: ScrollDirection,
        _ measured: [Int: Double],
        _ first: Int,
        _ template: SolvedGroup?
    ) -> SolvedGroup {
        if let group = part as? CollectionLayoutGroup {
            return SolvedGroup(
                group,
                in: room,
                along: direction,
                measured: measured,
                from: first,
                as: template
            )
        }
        var size = part.layoutSize.size(in: room)
        if isShared { size = axis.size(length: axis.length(of: room), breadth: axis.breadth(of: size)) }
        let insets = (part as? CollectionLayoutItem)?.contentInsets ?? .zero
        let isEstimated = part.layoutSize.isEstimated(along: direction) && !(isShared && axis == direction)
        if isEstimated, let length = measured[first] {
            let along = direction.along(insets)
            size = direction.size(
                length: length + along.before + along.after,
                breadth: direction.breadth(of: size)
            )
        }
        var solved = SolvedGroup(size: size)
        solved.frames = [
            Rect(
                x: insets.left,
                y: insets.top,
                width: max(0, size.width - insets.left - insets.right),
                height: max(0, size.height - insets.top - insets.bottom)
            )
        ]
        solved.isEstimated = [isEstimated]
        return solved
    }
}
