/// A builder of a snapshot from objects and references in any order.
struct HeapSnapshotBuilder {
    private(set) var snapshot = HeapSnapshot()
    private var sources: [Int32] = []
    private var classIndices: [String: Int32] = [:]
    private var nameIndices: [String: Int32] = [:]

    init(heap: UInt64) { snapshot.heap = heap }

    /// The number of objects.
    var nodeCount: Int { snapshot.ids.count }

    mutating func addNode(id: Int, className: Int32, size: Int, isInternal: Bool) {
        snapshot.ids.append(id)
        snapshot.classes.append(className)
        snapshot.sizes.append(size)
        snapshot.internals.append(isInternal)
    }

    /// Adds a reference.
    ///
    /// - Parameters:
    ///   - from: The index of the object that refers.
    ///   - target: The index of the other object.
    ///   - kind: The kind.
    ///   - name: The index of the name, or that of an element.
    mutating func addEdge(from: Int, to target: Int, _ kind: HeapSnapshot.Edge.Kind, name: Int32) {
        sources.append(Int32(from))
        snapshot.edgeTargets.append(Int32(target))
        snapshot.edgeKinds.append(kind)
        snapshot.edgeNames.append(name)
    }

    /// Returns the index of a class.
    mutating func index(ofClass name: String) -> Int32 {
        if let index = classIndices[name] { return index }
        let index = Int32(snapshot.classNames.count)
        snapshot.classNames.append(name)
        classIndices[name] = index
        return index
    }

    /// Returns the index of a reference's name.
    mutating func index(ofName name: String) -> Int32 {
        if let index = nameIndices[name] { return index }
        let index = Int32(snapshot.names.count)
        snapshot.names.append(name)
        nameIndices[name] = index
        return index
    }

    /// Adds a reference from an object to each object that no other one refers to.
    ///
    /// The engine does not report the elements of a `Map` or a `Set`, and some references of native code.
    mutating func holdOrphans(by holder: Int) {
        var isHeld = [Bool](repeating: false, count: nodeCount)
        for (source, target) in zip(sources, snapshot.edgeTargets) where source != target {
            isHeld[Int(target)] = true
        }
        for index in isHeld.indices where !isHeld[index] && index != 0 && index != holder {
            addEdge(from: holder, to: index, .internal, name: 0)
        }
    }

    /// Returns the snapshot, the references sorted by the objects that refer.
    ///
    /// - Complexity: O(*n*) in the number of objects and references.
    consuming func build() -> HeapSnapshot {
        var starts = [Int32](repeating: 0, count: nodeCount + 1)
        for source in sources { starts[Int(source) + 1] += 1 }
        for index in 0..<nodeCount { starts[index + 1] += starts[index] }
        var next = starts
        var order = [Int32](repeating: 0, count: sources.count)
        for (edge, source) in sources.enumerated() {
            order[Int(next[Int(source)])] = Int32(edge)
            next[Int(source)] += 1
        }
        var result = snapshot
        result.edgeStarts = starts
        result.edgeTargets = order.map { snapshot.edgeTargets[Int($0)] }
        result.edgeKinds = order.map { snapshot.edgeKinds[Int($0)] }
        result.edgeNames = order.map { snapshot.edgeNames[Int($0)] }
        return result
    }
}

extension HeapSnapshot {
    /// The class of the object at the beginning of every path.
    static let rootClass = "(root)"
    /// The class of the object that refers to all that the engine itself keeps alive.
    static let engineClass = "(engine)"
    /// The class of the object that refers to all whose holder the engine does not report.
    static let unreportedClass = "(not reported: an element of a Map or Set, or held by native code)"
    static let syntheticClasses: Set = [rootClass, engineClass, unreportedClass]
}
