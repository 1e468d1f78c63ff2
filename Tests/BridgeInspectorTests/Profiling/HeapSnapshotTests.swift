import Foundation
import Testing

@testable import BridgeInspector

/// Heap snapshots as the engine and V8 write them, without an engine.
@Suite struct HeapSnapshotTests {
    /// Returns the engine's response for objects `(id, size, class, flags)` and edges `(from, to, type, data)`.
    private func response(
        _ nodes: [[Int]],
        _ edges: [[Int]],
        classes: [String] = ["<root>", "Object", "Leaky", "GlobalObject", "Structure"],
        names: [String] = ["cache", "a \"b\"\n\u{1F600}"],
        version: Int = 3,
        types: String = "\"Internal\",\"Property\",\"Index\",\"Variable\""
    ) throws -> String {
        func array(_ strings: [String]) throws -> String {
            String(decoding: try JSONSerialization.data(withJSONObject: strings), as: UTF8.self)
        }
        let data =
            "{\"version\":\(version),\"type\":\"Inspector\",\"nodes\":\(nodes.flatMap { $0 }),"
            + "\"nodeClassNames\":\(try array(classes)),\"edges\":\(edges.flatMap { $0 }),"
            + "\"edgeTypes\":[\(types)],\"edgeNames\":\(try array(names))}"
        let outer = try JSONSerialization.data(withJSONObject: [
            "result": ["timestamp": 1.5, "snapshotData": data]
        ])
        return String(decoding: outer, as: UTF8.self)
    }

    /// Returns a global object with `cache`, an array with two `Leaky`, and one whose holder is not reported.
    private func sample(_ more: [[Int]] = [], heap: UInt64 = 5) throws -> HeapSnapshot {
        let nodes = [
            [0, 0, 0, 0], [1, 100, 3, 0], [2, 32, 1, 2], [3, 24, 2, 2], [4, 24, 2, 2], [5, 24, 2, 2],
            [6, 112, 4, 1],
        ]
        let edges = [
            [2, 4, 2, 1], [0, 1, 0, 0], [1, 2, 1, 0], [2, 3, 2, 0], [3, 6, 0, 0], [4, 6, 0, 0], [5, 3, 3, 1],
        ]
        return try EngineSnapshotReader.snapshot(of: response(nodes + more, edges), heap: heap)
    }

    @Test("objects are summed up by class")
    func classes() throws {
        let summaries = try sample().classSummaries
        #expect(summaries.map(\.className).prefix(4) == ["Structure", "GlobalObject", "Leaky", "Object"])
        let leaky = try #require(summaries.first { $0.className == "Leaky" })
        #expect(leaky.count == 3 && leaky.size == 72)
        #expect(try sample().totalSize == 100 + 32 + 72 + 112)
        #expect(try sample().nodes(ofClass: "Leaky").map(\.id) == [7, 9, 11])
        #expect(try sample().nodes(ofClass: "None").isEmpty)
    }

    @Test("an object is followed to the root, by references of scripts where there are some")
    func paths() throws {
        let snapshot = try sample()
        let path = try #require(snapshot.path(to: 9))
        #expect(path.map(\.node.className) == ["(root)", "(engine)", "GlobalObject", "Object"])
        #expect(path.map(\.edge.name) == ["", "", "cache", "1"])
        #expect(path.last?.edge.kind == .index)
        let retainers = snapshot.retainers(of: 7)
        #expect(retainers.map(\.node.className) == ["Object", "Leaky"])
        #expect(retainers.last?.edge.name == "a \"b\"\n\u{1F600}")
        #expect(snapshot.path(to: 99) == nil && snapshot.retainers(of: 99).isEmpty)
        // Held by what the engine does not report.
        #expect(snapshot.path(to: 11)?.last?.node.className == HeapSnapshot.unreportedClass)
        let ways = snapshot.retainingPaths(ofClass: "Leaky")
        #expect(ways.map(\.count) == [2, 1])
        #expect(ways.first?.example.id == 7)
    }

    @Test("a cycle that nothing holds has no path, and does not hang")
    func unreachableCycle() throws {
        let nodes = [[0, 0, 0, 0], [1, 8, 1, 0], [2, 8, 1, 0]]
        let snapshot = try EngineSnapshotReader.snapshot(
            of: response(nodes, [[1, 2, 1, 0], [2, 1, 1, 0]]),
            heap: 1
        )
        #expect(snapshot.path(to: 3) == nil)
        #expect(snapshot.retainingPaths(ofClass: "Object").isEmpty)
    }

    @Test("snapshots of one heap differ by objects, those of two by numbers")
    func difference() throws {
        let before = try sample()
        let after = try sample([[8, 24, 2, 2], [9, 24, 2, 2], [10, 40, 1, 2]])
        let changes = after.difference(from: before)
        #expect(changes.map(\.className) == ["Leaky", "Object"])
        #expect(changes.map(\.addedCount) == [2, 1] && changes.map(\.sizeChange) == [48, 40])
        #expect(after.addedNodes(ofClass: "Leaky", from: before).map(\.id) == [17, 19])
        #expect(before.difference(from: after).map(\.removedCount) == [1, 2])
        #expect(before.difference(from: before).isEmpty)
        let other = try sample([[8, 24, 2, 2]], heap: 6)
        #expect(!other.sharesIDs(with: before))
        #expect(other.difference(from: before).map(\.addedCount) == [1])
        #expect(before.difference(from: other).map(\.removedSize) == [24])
    }

    @Test("an independent reader of V8's format finds the same objects and references")
    func file() throws {
        let snapshot = try sample()
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(bytes(snapshot))) as? [String: Any]
        )
        let reader = try #require(V8Snapshot(object))
        #expect(reader.problems.isEmpty, "\(reader.problems)")
        #expect(reader.nodeCount == snapshot.nodeCount)
        // One more from the root to the global object, for Chrome.
        #expect(reader.edges.count == snapshot.edgeCount + 1)
        #expect(reader.edges.contains("GlobalObject -property cache-> Object"))
        #expect(reader.edges.contains("Object -element 1-> Leaky"))
        #expect(reader.edges.contains("Leaky -context a \"b\"\n\u{1F600}-> Leaky"))
        #expect(reader.edges.contains("(root) -shortcut GlobalObject-> GlobalObject"))
        #expect(reader.types["Structure"] == "hidden" && reader.types["(root)"] == "synthetic")
        #expect(try HeapSnapshot(contentsOf: bytes(snapshot)) == canonical(snapshot))
    }

    @Test("a snapshot of another program is read with Chrome's names of classes")
    func otherProgram() throws {
        let text = """
            {"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count"],
            "node_types":[["hidden","string","object","closure"],"string","number","number","number"],
            "edge_fields":["type","name_or_index","to_node"],
            "edge_types":[["property","weak"],"string_or_number","node"]},"node_count":3,"edge_count":3},
            "nodes":[2,0,1,0,2, 2,1,3,16,1, 1,2,5,20,0],
            "edges":[0,3,5, 1,0,10, 0,3,10],
            "strings":["","Thing","a long text","name"]}
            """
        let snapshot = try HeapSnapshot(contentsOf: Array(text.utf8))
        #expect(snapshot.classSummaries.map(\.className) == ["(string)", "Thing", "(no name)"])
        // The weak reference is left out.
        #expect(snapshot.edgeCount == 2)
        #expect(snapshot.path(to: 5)?.map(\.edge.name) == ["name", "name"])
        #expect(!snapshot.sharesIDs(with: snapshot))
    }

    @Test(
        "a file that is not a snapshot is refused with the reason",
        arguments: [
            ("", "an object is expected"), ("{}", "the field 'type' is missing"),
            ("{\"nodes\":[1,2", "',' or ']' is expected"),
        ]
    )
    func badFile(text: String, reason: String) {
        let error = #expect(throws: ProfilerError.self) { _ = try HeapSnapshot(contentsOf: Array(text.utf8)) }
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }

    @Test("numbers of a file that point outside are refused, whichever is changed")
    func wrongNumbers() throws {
        let text = String(decoding: try bytes(sample()), as: UTF8.self)
        for key in ["nodes", "edges"] {
            let start = try #require(text.range(of: "\"\(key)\":[")).upperBound
            let end = try #require(text.range(of: "]", range: start..<text.endIndex)).lowerBound
            let numbers = text[start..<end].split(separator: ",").map(String.init)
            for (index, wrong) in numbers.indices.flatMap({ index in ["999999", "-1"].map { (index, $0) } }) {
                var changed = numbers
                changed[index] = wrong
                let broken = text.replacingCharacters(in: start..<end, with: changed.joined(separator: ","))
                // It is read or refused, but never trapped; a size, an ID or an index may be any number.
                if let snapshot = try? HeapSnapshot(contentsOf: Array(broken.utf8)) {
                    _ = snapshot.retainingPaths(ofClass: "Leaky")
                }
            }
        }
    }

    @Test("a snapshot in which two objects have the same ID is not used")
    func repeatedID() throws {
        let text = try response([[0, 0, 0, 0], [1, 8, 1, 0], [1, 8, 2, 0]], [])
        #expect(throws: EngineSnapshotReader.RepeatedID.self) {
            _ = try EngineSnapshotReader.snapshot(of: text, heap: 1)
        }
    }

    @Test("a snapshot of another version of the engine's format is refused")
    func otherFormats() throws {
        let root = [[0, 0, 0, 0]]
        let cases: [(String, String)] = [
            (try response(root, [], version: 4), "is 4, not 3"),
            (try response(root, [], types: "\"Internal\",\"Other\""), "the kind 'Other'"),
            (try response([[0, 0, 9, 0]], []), "a class is missing"),
            (try response(root, [[0, 7, 0, 0]]), "an object of a reference is missing"),
            (try response(root, [[0, 0, 1, 9]]), "the name of a reference is missing"),
            (try response([[0, 0, 0]], []), "incomplete"), ("{\"result\":{}}", "an object is expected"),
        ]
        for (text, reason) in cases {
            let error = #expect(throws: (any Error).self) {
                _ = try EngineSnapshotReader.snapshot(of: text, heap: 1)
            }
            #expect("\(String(describing: error))".contains(reason), "\(String(describing: error))")
        }
    }

    /// Returns a snapshot with its strings in the order of a file.
    private func canonical(_ snapshot: HeapSnapshot) throws -> HeapSnapshot {
        try HeapSnapshot(contentsOf: bytes(HeapSnapshot(contentsOf: bytes(snapshot))))
    }

    private func bytes(_ snapshot: HeapSnapshot) throws -> [UInt8] {
        let collected = CollectedBytes()
        try snapshot.write { collected.bytes += $0 }
        return collected.bytes
    }
}

/// A reader of V8's format by its description, which shares no code with the writer.
private struct V8Snapshot {
    var problems: [String] = []
    var nodeCount = 0
    var edges: [String] = []
    var types: [String: String] = [:]

    init?(_ file: [String: Any]) {
        guard let head = file["snapshot"] as? [String: Any], let meta = head["meta"] as? [String: Any],
            let nodes = file["nodes"] as? [Int], let edges = file["edges"] as? [Int],
            let strings = file["strings"] as? [String], let fields = meta["node_fields"] as? [String],
            let nodeTypes = (meta["node_types"] as? [Any])?.first as? [String],
            let edgeTypes = (meta["edge_types"] as? [Any])?.first as? [String]
        else { return nil }
        nodeCount = nodes.count / fields.count
        if head["node_count"] as? Int != nodeCount { problems.append("node_count") }
        if head["edge_count"] as? Int != edges.count / 3 { problems.append("edge_count") }
        if (meta["node_types"] as? [Any])?.count != fields.count { problems.append("node_types") }
        var position = 0
        var seen = Set<Int>()
        for start in stride(from: 0, to: nodes.count, by: fields.count) {
            let name = strings[nodes[start + 1]]
            types[name] = nodeTypes[nodes[start]]
            if !seen.insert(nodes[start + 2]).inserted { problems.append("ID \(nodes[start + 2])") }
            for _ in 0..<nodes[start + 4] {
                let (type, label, target) = (
                    edgeTypes[edges[position]], edges[position + 1], edges[position + 2]
                )
                position += 3
                if target % fields.count != 0 || target >= nodes.count {
                    problems.append("to_node")
                    continue
                }
                let text = ["element", "hidden"].contains(type) ? String(label) : strings[label]
                self.edges.append("\(name) -\(type) \(text)-> \(strings[nodes[target + 1]])")
            }
        }
        if position != edges.count { problems.append("edges") }
    }
}
