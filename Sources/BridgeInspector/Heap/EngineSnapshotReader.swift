/// A reader of the engine's heap snapshots, in its format of version 3.
enum EngineSnapshotReader {
    /// The error of a snapshot in which two objects have the same ID.
    ///
    /// The engine counts IDs for all contexts of a process together, and begins again when the inspector of any of them
    /// that took a snapshot is closed.
    struct RepeatedID: Error {}

    private struct Content {
        var version = 0
        var nodes: [Int] = []
        var classNames: [String] = []
        var edges: [Int] = []
        var edgeTypes: [String] = []
        var edgeNames: [String] = []
    }

    /// Returns the snapshot in a response to `Heap.snapshot`.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - heap: The identity of the heap.
    /// - Returns: The snapshot.
    /// - Throws: ``ProfilerError`` if it has another form.
    static func snapshot(of response: String, heap: UInt64) throws -> HeapSnapshot {
        var data: [UInt8] = []
        try JSONScanner.read(response) { scanner in
            try scanner.object { scanner, name in
                guard name == "result" else { return try scanner.skip() }
                try scanner.object { scanner, name in
                    guard name == "snapshotData" else { return try scanner.skip() }
                    data = try scanner.stringBytes()
                }
            }
        }
        return try build(try content(of: data), heap: heap)
    }

    private static func content(of data: [UInt8]) throws -> Content {
        var content = Content()
        try JSONScanner.read(data) { scanner in
            try scanner.object { scanner, name in
                switch name {
                case "version": content.version = try scanner.integer()
                case "nodes": content.nodes = try scanner.integers()
                case "nodeClassNames": content.classNames = try scanner.strings()
                case "edges": content.edges = try scanner.integers()
                case "edgeTypes": content.edgeTypes = try scanner.strings()
                case "edgeNames": content.edgeNames = try scanner.strings()
                default: try scanner.skip()
                }
            }
        }
        guard content.version == 3 else {
            throw ProfilerError("the version of the format is \(content.version), not 3")
        }
        guard content.nodes.count % 4 == 0, content.edges.count % 4 == 0, content.nodes.first == 0 else {
            throw ProfilerError("the objects or references are incomplete")
        }
        return content
    }

    private static func build(_ content: Content, heap: UInt64) throws -> HeapSnapshot {
        var builder = HeapSnapshotBuilder(heap: heap)
        let classes = content.classNames.map {
            builder.index(ofClass: $0 == "<root>" ? HeapSnapshot.rootClass : $0)
        }
        let kinds = try content.edgeTypes.map { try kind(named: $0) }
        let names = content.edgeNames.map { builder.index(ofName: $0) }
        // As in V8, objects have odd IDs and groups have even ones.
        let nodes = content.nodes
        var indices: [Int: Int] = [:]
        indices.reserveCapacity(nodes.count / 4)
        for start in stride(from: 0, to: nodes.count, by: 4) {
            guard classes.indices.contains(nodes[start + 2]) else {
                throw ProfilerError("a class is missing")
            }
            guard indices.updateValue(builder.nodeCount, forKey: nodes[start]) == nil else {
                throw RepeatedID()
            }
            builder.addNode(
                id: nodes[start] * 2 + 1,
                className: classes[nodes[start + 2]],
                size: nodes[start + 1],
                isInternal: nodes[start + 3] & 1 != 0
            )
        }
        let engine = builder.nodeCount
        let engineClass = builder.index(ofClass: HeapSnapshot.engineClass)
        builder.addNode(id: 2, className: engineClass, size: 0, isInternal: false)
        let unreported = builder.nodeCount
        let unreportedClass = builder.index(ofClass: HeapSnapshot.unreportedClass)
        builder.addNode(id: 4, className: unreportedClass, size: 0, isInternal: false)
        let edges = content.edges
        for start in stride(from: 0, to: edges.count, by: 4) {
            guard let from = indices[edges[start]], let target = indices[edges[start + 1]],
                kinds.indices.contains(edges[start + 2]), let data = Int32(exactly: edges[start + 3])
            else { throw ProfilerError("an object of a reference is missing") }
            let kind = kinds[edges[start + 2]]
            guard kind == .index || kind == .internal || names.indices.contains(Int(data)) else {
                throw ProfilerError("the name of a reference is missing")
            }
            let name = kind == .index ? data : kind == .internal ? 0 : names[Int(data)]
            builder.addEdge(from: from == 0 ? engine : from, to: target, kind, name: name)
        }
        builder.addEdge(from: 0, to: engine, .internal, name: 0)
        builder.addEdge(from: engine, to: unreported, .internal, name: 0)
        builder.holdOrphans(by: unreported)
        return builder.build()
    }

    private static func kind(named name: String) throws -> HeapSnapshot.Edge.Kind {
        switch name {
        case "Internal": .internal
        case "Property": .property
        case "Index": .index
        case "Variable": .variable
        default: throw ProfilerError("the kind '\(name)' of a reference is unknown")
        }
    }
}
