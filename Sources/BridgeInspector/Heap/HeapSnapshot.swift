/// The objects on a script's heap, and the references between them.
///
/// The engine reports the class and the size of each object, and who refers to it, but not the text of strings.
///
/// ```swift
/// let before = try await profiler.heapSnapshot()
/// try await bridge.callHandler("work")
/// let after = try await profiler.heapSnapshot()
/// for change in after.difference(from: before) { print(change.className, change.addedCount) }
/// ```
public struct HeapSnapshot: Sendable, Hashable {
    /// An object.
    public struct Node: Sendable, Hashable {
        /// The ID, which is the same in all snapshots of a profiler.
        public let id: Int
        /// The name of the class, as `Object`, `Map` or `string`.
        public let className: String
        /// The size of the object itself in bytes.
        public let size: Int
        /// A Boolean value that indicates whether the object is one of the engine, which scripts cannot see.
        public let isInternal: Bool
        /// A Boolean value that indicates whether this is not an object, but a group in which every path begins.
        public var isGroup: Bool { HeapSnapshot.syntheticClasses.contains(className) }
    }

    /// A reference from one object to another.
    public struct Edge: Sendable, Hashable {
        /// The kind of a reference.
        public enum Kind: UInt8, Sendable, Hashable {
            /// A reference of the engine, as from a function to its scope.
            case `internal`
            /// A property.
            case property
            /// An element of an array.
            case index
            /// A variable that a function captures.
            case variable
        }

        /// The kind.
        public let kind: Kind
        /// The name of the property or the variable, or the index; empty for a reference of the engine.
        public let name: String
    }

    /// The objects, the root first; the edges of each are contiguous.
    var ids: [Int] = []
    var classes: [Int32] = []
    var sizes: [Int] = []
    var internals: [Bool] = []
    /// The position of each object's first edge, and the number of all edges at the end.
    var edgeStarts: [Int32] = []
    var edgeTargets: [Int32] = []
    var edgeKinds: [Edge.Kind] = []
    /// The index of each edge's name, or the index of an element.
    var edgeNames: [Int32] = []
    var classNames: [String] = []
    var names: [String] = []
    /// The identity of the heap; 0 if it is unknown.
    var heap: UInt64 = 0

    /// The number of objects.
    public var nodeCount: Int { ids.count }
    /// The number of references.
    public var edgeCount: Int { edgeTargets.count }
    /// The sum of the sizes of all objects, in bytes.
    public var totalSize: Int { sizes.reduce(0, +) }

    /// Returns the object at a position.
    func node(at index: Int) -> Node {
        Node(
            id: ids[index],
            className: classNames[Int(classes[index])],
            size: sizes[index],
            isInternal: internals[index]
        )
    }

    /// Returns the reference at a position.
    func edge(at position: Int) -> Edge {
        let kind = edgeKinds[position]
        let name = edgeNames[position]
        switch kind {
        case .internal: return Edge(kind: kind, name: "")
        case .index: return Edge(kind: kind, name: String(name))
        case .property, .variable: return Edge(kind: kind, name: names[Int(name)])
        }
    }

    /// Returns the object with an ID; `nil` if there is none.
    ///
    /// - Complexity: O(*n*) in the number of objects.
    public func node(id: Int) -> Node? { ids.firstIndex(of: id).map(node(at:)) }

    /// Returns the objects of a class.
    ///
    /// - Complexity: O(*n*) in the number of objects.
    public func nodes(ofClass name: String) -> [Node] { indices(ofClass: name).map(node(at:)) }

    func indices(ofClass name: String) -> [Int] {
        guard let wanted = classNames.firstIndex(of: name) else { return [] }
        return classes.indices.filter { classes[$0] == Int32(wanted) }
    }

    // MARK: - Classes

    /// The objects of a class.
    public struct ClassSummary: Sendable, Hashable {
        /// The name of the class.
        public let className: String
        /// The number of its objects.
        public internal(set) var count: Int
        /// The sum of their sizes in bytes.
        public internal(set) var size: Int
    }

    /// The classes, the one with the largest size first.
    ///
    /// - Complexity: O(*n*) in the number of objects.
    public var classSummaries: [ClassSummary] {
        var summaries = classNames.map { ClassSummary(className: $0, count: 0, size: 0) }
        for (index, name) in classes.enumerated() {
            summaries[Int(name)].count += 1
            summaries[Int(name)].size += sizes[index]
        }
        return summaries.filter { $0.count > 0 }.sorted {
            ($1.size, $1.count, $0.className) < ($0.size, $0.count, $1.className)
        }
    }
}
