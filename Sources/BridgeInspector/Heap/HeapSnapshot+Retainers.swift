extension HeapSnapshot {
    /// An object that refers to another, with its reference.
    public struct Retainer: Sendable, Hashable {
        /// The object that refers.
        public let node: Node
        /// Its reference.
        public let edge: Edge
    }

    /// Returns the objects that refer directly to an object.
    ///
    /// - Parameter id: The ID of the object.
    /// - Returns: The objects, each with its reference.
    /// - Complexity: O(*n*) in the number of references.
    public func retainers(of id: Int) -> [Retainer] {
        guard let wanted = ids.firstIndex(of: id) else { return [] }
        var retainers: [Retainer] = []
        for index in ids.indices {
            for position in edges(of: index) where Int(edgeTargets[position]) == wanted && index != wanted {
                retainers.append(Retainer(node: node(at: index), edge: edge(at: position)))
            }
        }
        return retainers
    }

    /// Returns the positions of an object's references.
    func edges(of index: Int) -> Range<Int> { Int(edgeStarts[index])..<Int(edgeStarts[index + 1]) }

    /// Returns the objects and references that keep an object alive, from the root to it.
    ///
    /// Of several paths it is one with few objects and references of the engine.
    ///
    /// - Parameter id: The ID of the object.
    /// - Returns: The references, the first of which is the root's; `nil` for an unknown ID, or without a path
    ///   to it.
    /// - Complexity: O(*n*) in the number of references.
    public func path(to id: Int) -> [Retainer]? {
        guard let index = ids.firstIndex(of: id) else { return nil }
        return path(to: index, by: retainingEdges())
    }

    private func path(to index: Int, by edges: [(from: Int32, edge: Int32)]) -> [Retainer]? {
        var path: [Retainer] = []
        var index = index
        while index != 0 {
            let (from, edge) = edges[index]
            guard from >= 0 else { return nil }
            path.append(Retainer(node: node(at: Int(from)), edge: self.edge(at: Int(edge))))
            index = Int(from)
        }
        return path.reversed()
    }

    /// A way in which objects of a class are kept alive.
    public struct RetainingPath: Sendable, Hashable {
        /// The references from the root, with indices of elements left out of the comparison.
        public let path: [Retainer]
        /// The number of objects that are kept alive in this way.
        public internal(set) var count: Int
        /// One of the objects.
        public let example: Node
    }

    /// Returns the ways in which the objects of a class are kept alive, the most frequent first.
    ///
    /// - Parameter name: The name of the class.
    /// - Returns: The ways.
    /// - Complexity: O(*n*) in the number of references, and in the lengths of the paths.
    public func retainingPaths(ofClass name: String) -> [RetainingPath] {
        let edges = retainingEdges()
        var paths: [[PathStep]: RetainingPath] = [:]
        for index in indices(ofClass: name) {
            guard let path = path(to: index, by: edges) else { continue }
            let key = path.map { PathStep($0) }
            if paths[key] != nil {
                paths[key]?.count += 1
            } else {
                paths[key] = RetainingPath(path: path, count: 1, example: node(at: index))
            }
        }
        return paths.values.sorted { ($1.count, $0.example.id) < ($0.count, $1.example.id) }
    }

    private struct PathStep: Hashable {
        let className: String
        let kind: Edge.Kind
        let name: String

        init(_ retainer: Retainer) {
            className = retainer.node.className
            kind = retainer.edge.kind
            name = kind == .index ? "" : retainer.edge.name
        }
    }

    /// Returns for each object the reference by which it is reached from the root at the lowest cost; -1 where it is not
    /// reached.
    ///
    /// A reference of a script costs nothing, and one of the engine 1. An object of the engine costs more: that code has
    /// seen an object says less than the variable that holds it.
    private func retainingEdges() -> [(from: Int32, edge: Int32)] {
        var found = [(from: Int32, edge: Int32)](repeating: (-1, -1), count: nodeCount)
        guard nodeCount > 0 else { return found }
        var isReached = [Bool](repeating: false, count: nodeCount)
        // The references by cost.
        var costs: [[(node: Int32, from: Int32, edge: Int32)]] = [[(0, -1, -1)]]
        var cost = 0
        while cost < costs.count {
            var position = 0
            while position < costs[cost].count {
                let (node, from, edge) = costs[cost][position]
                position += 1
                guard !isReached[Int(node)] else { continue }
                isReached[Int(node)] = true
                found[Int(node)] = (from, edge)
                for edge in edges(of: Int(node)) where !isReached[Int(edgeTargets[edge])] {
                    let target = edgeTargets[edge]
                    let further = (edgeKinds[edge] == .internal ? 1 : 0) + (internals[Int(target)] ? 8 : 0)
                    while costs.count <= cost + further { costs.append([]) }
                    costs[cost + further].append((target, node, Int32(edge)))
                }
            }
            costs[cost] = []
            cost += 1
        }
        return found
    }
}
