/// A text's two words: where they are the same, so is the text, and a literal's are always the same.
struct TextBits: Equatable {
    private let bits: (UInt64, UInt64)

    @inline(__always)
    init(_ text: String) { bits = unsafeBitCast(text, to: (UInt64, UInt64).self) }

    @inline(__always)
    static func == (left: TextBits, right: TextBits) -> Bool { left.bits == right.bits }
}

/// What a type has given after some members: the next ones that there were, and the shape that ends here.
///
/// A plain pointer to a node of a tree, since it is followed for every member of every value.
struct ShapeNode {
    private struct Node {
        let name: String
        let bits: TextBits
        let cell: ShapeCell
        let before: ShapeNode?
        var following: [ShapeNode] = []
        /// The node that came first after this one, and mostly does.
        var usual: ShapeNode?
        /// The tag of the shape; 0 as long as there is none.
        var shape = 0.0
        /// How many nodes there are, at the root.
        var count = 0
    }

    // More orders and kinds than this are no shapes but data.
    private static let maximum = 512
    private let node: UnsafeMutablePointer<Node>

    /// Makes a root.
    init() { self.init("", .tagged, after: nil) }

    private init(_ name: String, _ cell: ShapeCell, after before: ShapeNode?) {
        node = .allocate(capacity: 1)
        node.initialize(to: Node(name: name, bits: TextBits(name), cell: cell, before: before))
    }

    /// Gives the memory of this node and of all that follow back.
    func deallocate() {
        var open = [self]
        while let next = open.popLast() {
            open += next.node.pointee.following
            next.node.deinitialize(count: 1)
            next.node.deallocate()
        }
    }

    /// The tag of the shape that ends here; 0 as long as there is none.
    @inline(__always)
    var shape: Double {
        get { node.pointee.shape }
        nonmutating set { node.pointee.shape = newValue }
    }

    /// The node of a member after this one; `nil` where there are too many already.
    @inline(__always)
    func after(_ name: String, _ cell: ShapeCell, root: ShapeNode) -> ShapeNode? {
        if let usual = node.pointee.usual, usual.node.pointee.cell == cell,
            usual.node.pointee.bits == TextBits(name)
        {
            return usual
        }
        return otherNode(name, cell, root: root)
    }

    private func otherNode(_ name: String, _ cell: ShapeCell, root: ShapeNode) -> ShapeNode? {
        let known = node.pointee.following.first {
            $0.node.pointee.cell == cell && $0.node.pointee.name.hasSameBytes(as: name)
        }
        if let known { return known }
        guard root.node.pointee.count < Self.maximum else { return nil }
        root.node.pointee.count += 1
        let new = ShapeNode(name, cell, after: self)
        node.pointee.following.append(new)
        if node.pointee.usual == nil { node.pointee.usual = new }
        return new
    }

    /// The members on the way here.
    var members: [(name: String, cell: ShapeCell)] {
        var result: [(name: String, cell: ShapeCell)] = []
        var current = self
        while let before = current.node.pointee.before {
            result.append((current.node.pointee.name, current.node.pointee.cell))
            current = before
        }
        return result.reversed()
    }
}
