extension HeapSnapshot {
    /// Writes the snapshot as a `.heapsnapshot`: JSON in the form of V8, for the tools of Chrome and VS Code.
    ///
    /// - Parameter sink: Receives the text in UTF-8, in chunks of about 64 KiB.
    /// - Throws: The errors of the sink.
    /// - Complexity: O(*n*) in the number of objects and references.
    public func write(to sink: @escaping ([UInt8]) throws -> Void) throws {
        var output = JSONOutput(sink)
        let globals = indices(ofClass: "GlobalObject")
        try output.raw("{\"snapshot\":{\"title\":\"\(Self.title(of: heap))\",\"meta\":\(Self.meta)")
        try output.raw(",\"node_count\":\(nodeCount),\"edge_count\":\(edgeCount + globals.count)")
        try output.raw(",\"trace_function_count\":0},\n\"nodes\":")
        let types = classNames.map(Self.type)
        // The strings are the classes, then the names, then that of references without a name.
        try output.array(ids.indices) { output, index in
            let name = Int(classes[index])
            let type = internals[index] && types[name] != .code ? NodeType.hidden : types[name]
            let count = edges(of: index).count + (index == 0 ? globals.count : 0)
            try output.raw("\(type.rawValue),\(name),\(ids[index]),\(sizes[index]),\(count),0,0")
        }
        try output.raw(",\n\"edges\":[")
        // DevTools finds what scripts hold by these references of the root.
        for global in globals {
            try output.raw(
                "\(EdgeType.shortcut.rawValue),\(classes[global]),\(global * Self.nodeFieldCount),"
            )
        }
        for position in edgeTargets.indices {
            let (type, name) = typeAndName(ofEdge: position)
            try output.raw("\(type.rawValue),\(name),")
            try output.integer(Int(edgeTargets[position]) * Self.nodeFieldCount)
            if position + 1 < edgeTargets.count { try output.raw(",") }
        }
        try output.raw(
            "],\n\"trace_function_infos\":[],\"trace_tree\":[],\"samples\":[],\"locations\":[],\n\"strings\":"
        )
        try output.array(classNames + names + ["(internal)"]) { try $0.string($1) }
        try output.raw("}\n")
        try output.end()
    }

    private func typeAndName(ofEdge position: Int) -> (EdgeType, Int) {
        let name = Int(edgeNames[position])
        return switch edgeKinds[position] {
        case .internal: (.internal, classNames.count + names.count)
        case .property: (.property, classNames.count + name)
        case .index: (.element, name)
        case .variable: (.context, classNames.count + name)
        }
    }

    private static func type(ofClass name: String) -> NodeType {
        if syntheticClasses.contains(name) { return .synthetic }
        if name.hasSuffix("Executable") || name.hasSuffix("CodeBlock") { return .code }
        return switch name {
        case "string": .string
        case "symbol": .symbol
        case "BigInt", "HeapBigInt": .bigInt
        case "Function", "AsyncFunction", "GeneratorFunction", "AsyncGeneratorFunction", "CallbackFunction":
            .closure
        case "RegExp": .regExp
        default: .object
        }
    }
}

// MARK: - V8's format

extension HeapSnapshot {
    /// The types of objects in V8's format, in its order.
    enum NodeType: Int {
        case hidden, array, string, object, code, closure, regExp, number, native, synthetic
        case concatenatedString, slicedString, symbol, bigInt, objectShape
    }

    /// The types of references in V8's format, in its order.
    enum EdgeType: Int {
        case context, element, property, `internal`, hidden, shortcut, weak
    }

    /// The number of numbers that describe an object.
    static let nodeFieldCount = 7

    private static let titlePrefix = "JavaScriptBridge heap "

    static func title(of heap: UInt64) -> String { titlePrefix + String(heap) }

    /// Returns the identity of the heap in a title; `nil` for a snapshot of another program.
    static func heap(inTitle title: String) -> UInt64? {
        title.hasPrefix(titlePrefix) ? UInt64(title.dropFirst(titlePrefix.count)) : nil
    }

    private static let meta = """
        {"node_fields":["type","name","id","self_size","edge_count","trace_node_id","detachedness"],\
        "node_types":[["hidden","array","string","object","code","closure","regexp","number","native","synthetic",\
        "concatenated string","sliced string","symbol","bigint","object shape"],\
        "string","number","number","number","number","number"],\
        "edge_fields":["type","name_or_index","to_node"],\
        "edge_types":[["context","element","property","internal","hidden","shortcut","weak"],\
        "string_or_number","node"],\
        "trace_function_info_fields":["function_id","name","script_name","script_id","line","column"],\
        "trace_node_fields":["id","function_info_index","count","size","children"],\
        "sample_fields":["timestamp_us","last_assigned_id"],\
        "location_fields":["object_index","script_id","line","column"]}
        """
}
