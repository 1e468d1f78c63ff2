extension CPUProfile {
    /// Writes the profile as a `.cpuprofile`: JSON in the form of Chrome, VS Code and speedscope.
    ///
    /// - Parameter sink: Receives the text in UTF-8, in chunks of about 64 KiB.
    /// - Throws: The errors of the sink.
    public func write(to sink: @escaping ([UInt8]) throws -> Void) throws {
        var output = JSONOutput(sink)
        try output.raw("{\"nodes\":")
        try output.array(nodes) { try Self.write($1, to: &$0) }
        try output.raw(",\"startTime\":\(startTime),\"endTime\":\(endTime),\"samples\":")
        try output.array(samples) { try $0.integer($1) }
        try output.raw(",\"timeDeltas\":")
        try output.array(timeDeltas) { try $0.integer($1) }
        try output.raw("}\n")
        try output.end()
    }

    private static func write(_ node: Node, to output: inout JSONOutput) throws {
        let frame = node.callFrame
        try output.raw("{\"id\":\(node.id),\"callFrame\":{\"functionName\":")
        try output.string(frame.functionName)
        try output.raw(",\"scriptId\":")
        try output.string(frame.scriptID)
        try output.raw(",\"url\":")
        try output.string(frame.url)
        try output.raw(",\"lineNumber\":\(frame.lineNumber),\"columnNumber\":\(frame.columnNumber)}")
        try output.raw(",\"hitCount\":\(node.hitCount),\"children\":")
        try output.array(node.children) { try $0.integer($1) }
        if !node.linesHit.isEmpty {
            try output.raw(",\"positionTicks\":")
            try output.array(node.linesHit.sorted { $0.key < $1.key }) { output, ticks in
                try output.raw("{\"line\":\(ticks.key),\"ticks\":\(ticks.value)}")
            }
        }
        try output.raw("}")
    }

    /// Reads a `.cpuprofile`, also one of Chrome or Node.
    ///
    /// - Parameter bytes: The file.
    /// - Throws: ``ProfilerError`` with the reason why it is not a profile.
    public init(contentsOf bytes: [UInt8]) throws(ProfilerError) {
        self.init()
        nodes = []
        do {
            try JSONScanner.read(bytes) { try read(&$0) }
        } catch {
            throw (error as? ProfilerError) ?? ProfilerError("the profile cannot be read: \(error)")
        }
        try check()
        countHits()
    }

    /// Counts the samples of each node: a file may lack the counts, or have wrong ones.
    private mutating func countHits() {
        guard !samples.isEmpty else { return }
        let counts = Dictionary(samples.map { ($0, 1) }, uniquingKeysWith: +)
        for index in nodes.indices { nodes[index].hitCount = counts[nodes[index].id] ?? 0 }
    }

    private mutating func read(_ scanner: inout JSONScanner) throws {
        try scanner.object { scanner, name in
            switch name {
            case "nodes": try scanner.array { nodes.append(try Self.node(&$0)) }
            case "startTime": startTime = try time(&scanner)
            case "endTime": endTime = try time(&scanner)
            case "samples": samples = try scanner.integers()
            case "timeDeltas": timeDeltas = try scanner.integers()
            default: try scanner.skip()
            }
        }
    }

    private func time(_ scanner: inout JSONScanner) throws -> Int {
        Int(exactly: try scanner.number().rounded()) ?? Int.max
    }

    // A larger number is not a time; the sum of so many must not overflow.
    private static let maximumTime = 1 << 52

    private static func node(_ scanner: inout JSONScanner) throws -> Node {
        var node = Node(id: 0, callFrame: .root)
        try scanner.object { scanner, name in
            switch name {
            case "id": node.id = try scanner.integer()
            case "hitCount": node.hitCount = try scanner.integer()
            case "children": node.children = try scanner.integers()
            case "callFrame": node.callFrame = try callFrame(&scanner)
            default: try scanner.skip()
            }
        }
        return node
    }

    private static func callFrame(_ scanner: inout JSONScanner) throws -> CallFrame {
        var frame = CallFrame(functionName: "")
        try scanner.object { scanner, name in
            switch name {
            case "functionName": frame.functionName = try scanner.string()
            case "url": frame.url = try scanner.string()
            case "scriptId":
                let isString = scanner.next() == UInt8(ascii: "\"")
                frame.scriptID = isString ? try scanner.string() : String(try scanner.integer())
            case "lineNumber": frame.lineNumber = try scanner.integer()
            case "columnNumber": frame.columnNumber = try scanner.integer()
            default: try scanner.skip()
            }
        }
        return frame
    }

    /// Checks that the nodes are one tree, and that the samples are theirs.
    private mutating func check() throws(ProfilerError) {
        guard !nodes.isEmpty else {
            throw ProfilerError("the file has no member 'nodes': it is not a .cpuprofile")
        }
        guard samples.count == timeDeltas.count else {
            throw ProfilerError("the profile has \(samples.count) samples but \(timeDeltas.count) times")
        }
        let times = [startTime, endTime] + timeDeltas
        var sum = 0
        for time in times where sum <= 2 * Self.maximumTime {
            sum = time.magnitude <= Self.maximumTime ? sum + abs(time) : .max
        }
        guard sum <= 2 * Self.maximumTime else {
            throw ProfilerError("the times of the profile are not microseconds")
        }
        var indices: [Int: Int] = [:]
        for (index, node) in nodes.enumerated() {
            guard indices.updateValue(index, forKey: node.id) == nil else {
                throw ProfilerError("two nodes of the profile have the ID \(node.id)")
            }
        }
        var hasParent = [Bool](repeating: false, count: nodes.count)
        for (index, node) in nodes.enumerated() {
            for child in node.children {
                // Each node follows its caller in every profile, so that a cycle is impossible.
                guard let childIndex = indices[child], childIndex > index, !hasParent[childIndex] else {
                    throw ProfilerError("the node \(node.id) of the profile has the wrong child \(child)")
                }
                hasParent[childIndex] = true
            }
        }
        if let orphan = hasParent.dropFirst().firstIndex(of: false) {
            throw ProfilerError("the node \(nodes[orphan].id) of the profile is not called by any node")
        }
        if let sample = samples.first(where: { indices[$0] == nil }) {
            throw ProfilerError("a sample of the profile has the missing node \(sample)")
        }
    }
}
