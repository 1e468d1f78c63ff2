extension HeapSnapshot {
    /// Reads a `.heapsnapshot`, also one of Chrome or Node.
    ///
    /// - Parameter bytes: The file.
    /// - Throws: ``ProfilerError`` with the reason why it is not a snapshot.
    public init(contentsOf bytes: [UInt8]) throws(ProfilerError) {
        do {
            var file = SnapshotFile()
            try JSONScanner.read(bytes) { try file.read(&$0) }
            self = try file.snapshot()
        } catch {
            throw (error as? ProfilerError) ?? ProfilerError("the snapshot cannot be read: \(error)")
        }
    }
}

/// The content of a snapshot in V8's format.
private struct SnapshotFile {
    private var title = ""
    private var nodeFields: [String] = []
    private var nodeTypes: [String] = []
    private var edgeFields: [String] = []
    private var edgeTypes: [String] = []
    private var nodes: [Int] = []
    private var edges: [Int] = []
    private var strings: [String] = []

    mutating func read(_ scanner: inout JSONScanner) throws {
        try scanner.object { scanner, name in
            switch name {
            case "snapshot": try readHead(&scanner)
            case "nodes": nodes = try scanner.integers()
            case "edges": edges = try scanner.integers()
            case "strings": strings = try scanner.strings()
            default: try scanner.skip()
            }
        }
    }

    private mutating func readHead(_ scanner: inout JSONScanner) throws {
        try scanner.object { scanner, name in
            switch name {
            case "title": title = try scanner.string()
            case "meta":
                try scanner.object { scanner, name in
                    switch name {
                    case "node_fields": nodeFields = try scanner.strings()
                    case "edge_fields": edgeFields = try scanner.strings()
                    case "node_types": nodeTypes = try Self.firstStrings(&scanner)
                    case "edge_types": edgeTypes = try Self.firstStrings(&scanner)
                    default: try scanner.skip()
                    }
                }
            default: try scanner.skip()
            }
        }
    }

    // The types of the first field are an array; those of the others are strings.
    private static func firstStrings(_ scanner: inout JSONScanner) throws -> [String] {
        var first: [String] = []
        try scanner.array { scanner in
            if scanner.next() == UInt8(ascii: "["), first.isEmpty {
                first = try scanner.strings()
            } else {
                try scanner.skip()
            }
        }
        return first
    }

    private func field(_ name: String, of fields: [String]) throws -> Int {
        guard let index = fields.firstIndex(of: name) else {
            throw ProfilerError("the field '\(name)' is missing: it is not a .heapsnapshot")
        }
        return index
    }

    func snapshot() throws -> HeapSnapshot {
        let heap = HeapSnapshot.heap(inTitle: title)
        var builder = HeapSnapshotBuilder(heap: heap ?? 0)
        let width = nodeFields.count
        let (type, name) = (try field("type", of: nodeFields), try field("name", of: nodeFields))
        let (id, size) = (try field("id", of: nodeFields), try field("self_size", of: nodeFields))
        let edgeCount = try field("edge_count", of: nodeFields)
        guard nodes.count % width == 0, !nodes.isEmpty else {
            throw ProfilerError("the objects are incomplete")
        }
        for start in stride(from: 0, to: nodes.count, by: width) {
            guard nodeTypes.indices.contains(nodes[start + type]),
                strings.indices.contains(nodes[start + name]),
                nodes[start + size] >= 0, nodes[start + size] < 1 << 48
            else { throw ProfilerError("the object \(start / width) has a wrong type, name or size") }
            let type = nodeTypes[nodes[start + type]]
            let name = strings[nodes[start + name]]
            builder.addNode(
                id: nodes[start + id],
                className: builder.index(ofClass: heap == nil ? Self.className(name, type) : name),
                size: nodes[start + size],
                isInternal: type == "hidden" || type == "code"
            )
        }
        try addEdges(to: &builder, width: width, edgeCount: edgeCount, isOwn: heap != nil)
        return builder.build()
    }

    private func addEdges(
        to builder: inout HeapSnapshotBuilder,
        width: Int,
        edgeCount: Int,
        isOwn: Bool
    ) throws {
        let (type, name) = (try field("type", of: edgeFields), try field("name_or_index", of: edgeFields))
        let target = try field("to_node", of: edgeFields)
        var position = 0
        for index in 0..<builder.nodeCount {
            let count = nodes[index * width + edgeCount]
            guard count >= 0, count <= (edges.count - position) / edgeFields.count else {
                throw ProfilerError("the references of the object \(index) are incomplete")
            }
            for _ in 0..<count {
                defer { position += edgeFields.count }
                let node = edges[position + target]
                guard node >= 0, node % width == 0, node / width < builder.nodeCount,
                    edgeTypes.indices.contains(edges[position + type])
                else { throw ProfilerError("a reference of the object \(index) has a wrong type or target") }
                let type = edgeTypes[edges[position + type]]
                // Weak references keep nothing alive, and shortcuts repeat other references.
                if type == "weak" || isOwn && type == "shortcut" { continue }
                let value = edges[position + name]
                let kind = Self.kind(type)
                let isNamed = kind == .property || kind == .variable
                guard isNamed ? strings.indices.contains(value) : Int32(exactly: value) != nil else {
                    throw ProfilerError("a reference of the object \(index) has a wrong name")
                }
                let label =
                    isNamed ? builder.index(ofName: strings[value]) : kind == .index ? Int32(value) : 0
                builder.addEdge(from: index, to: node / width, kind, name: label)
            }
        }
    }

    private static func kind(_ type: String) -> HeapSnapshot.Edge.Kind {
        switch type {
        case "property": .property
        case "element": .index
        case "context": .variable
        default: .internal
        }
    }

    /// Returns the name under which Chrome groups an object.
    private static func className(_ name: String, _ type: String) -> String {
        switch type {
        case "object", "native", "synthetic": name.isEmpty ? "(no name)" : name
        case "closure": "Function"
        case "regexp": "RegExp"
        case "hidden": "(system)"
        case "code": "(compiled code)"
        case "concatenated string", "sliced string": "(string)"
        default: "(\(type))"
        }
    }
}
