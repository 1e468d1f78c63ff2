/// The two words of a string: if they are equal, the strings are equal, and those of a literal never change.
struct TextBits: Equatable {
    private let bits: (UInt64, UInt64)

    @inline(__always)
    init(_ text: String) { bits = unsafeBitCast(text, to: (UInt64, UInt64).self) }

    @inline(__always)
    static func == (left: TextBits, right: TextBits) -> Bool { left.bits == right.bits }
}

/// A node of the tree of member sequences that a type has encoded, with the next members and the shape that ends here.
///
/// It is a plain pointer, because it is followed for every member of every value.
struct ShapeNode {
    private struct Node {
        let name: String
        let bits: TextBits
        let cell: ShapeCell
        let before: ShapeNode?
        var following: [ShapeNode] = []
        /// The node that followed first, and usually follows.
        var usual: ShapeNode?
        /// The tag of the shape; 0 if there is none yet.
        var shape = 0.0
        /// The number of nodes, stored at the root.
        var count = 0
    }

    // A type with more orders and kinds than this does not have shapes.
    private static let maximum = 512
    private let node: UnsafeMutablePointer<Node>

    /// Creates a root.
    init() { self.init("", .tagged, after: nil) }

    private init(_ name: String, _ cell: ShapeCell, after before: ShapeNode?) {
        node = .allocate(capacity: 1)
        node.initialize(to: Node(name: name, bits: TextBits(name), cell: cell, before: before))
    }

    /// Frees this node and all that follow.
    func deallocate() {
        var open = [self]
        while let next = open.popLast() {
            open += next.node.pointee.following
            next.node.deinitialize(count: 1)
            next.node.deallocate()
        }
    }

    /// The tag of the shape that ends here; 0 if there is none yet.
    @inline(__always)
    var shape: Double {
        get { node.pointee.shape }
        nonmutating set { node.pointee.shape = newValue }
    }

    /// Returns the node of a member after this one, or `nil` if there are too many already.
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

    /// The name of the nested object that is open at this node.
    var openName: String? {
        members.last { $0.cell == .nested || $0.cell == .end }.flatMap { $0.cell == .nested ? $0.name : nil }
    }

    /// A Boolean value that indicates whether nested objects on the path to this node have the same name: they would be
    /// one object.
    var hasRepeatedNestedName: Bool {
        let names = members.filter { $0.cell == .nested }.map(\.name)
        return Set(names).count < names.count
    }

    /// The members on the path from the root to this node.
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
