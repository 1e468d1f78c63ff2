import Foundation
import Testing

@testable import BridgeInspector

/// The form and the arithmetic of CPU profiles, without an engine.
@Suite struct CPUProfileTests {
    typealias Frame = ProfileBuilder.Frame

    private func frame(_ name: String, _ url: String = "file:///a.js", line: Int = 3) -> Frame {
        Frame(name: name, url: url, scriptID: "7", line: line, column: 5, currentLine: line + 1)
    }

    /// Builds a profile of stacks, the innermost frame first, that took the times together.
    private func profile(_ stacks: [[Frame]], busy: [(Int, Int)], end: Int) -> CPUProfile {
        var builder = ProfileBuilder()
        for stack in stacks { builder.add(stack) }
        var times = BusyTimes()
        for (start, end) in busy { times.add(start, end) }
        return builder.build(busy: times, end: end)
    }

    private func names(_ profile: CPUProfile) -> [String] {
        profile.samples.map { id in profile.nodes.first { $0.id == id }?.callFrame.functionName ?? "missing" }
    }

    @Test("samples share the running time equally, and the pauses are idle")
    func times() throws {
        let (a, b) = (frame("a"), frame("b"))
        let profile = profile([[a], [a], [b], [b]], busy: [(1000, 3000), (10_000, 12_000)], end: 20_000)
        #expect(names(profile) == ["(idle)", "a", "a", "(idle)", "b", "b", "(idle)"])
        #expect(profile.timeDeltas == [0, 1000, 1000, 1000, 7000, 1000, 1000])
        #expect(profile.durations == [1000, 1000, 1000, 7000, 1000, 1000, 8000])
        #expect(profile.endTime == 20_000)
        #expect(profile.runningTime == 4000)
        #expect(profile.runningSampleCount == 4)
        #expect(profile.functions.map(\.selfTime) == [2000, 2000])
    }

    @Test("a sample that a pause divides continues after it", arguments: [1, 2, 3, 5, 7, 1000])
    func divided(count: Int) {
        let stacks = (0..<count).map { [frame("f\($0)")] }
        let profile = profile(
            stacks,
            busy: [(0, 1_001_000), (5_000_000, 5_000_002), (9_000_000, 9_999_000)],
            end: 12_000_000
        )
        #expect(profile.runningTime == 1_001_000 + 2 + 999_000)
        #expect(profile.durations.reduce(0, +) == 12_000_000)
        #expect(profile.timeDeltas.allSatisfy { $0 >= 0 })
        #expect(Set(names(profile)).subtracting(["(idle)"]).count == count)
    }

    @Test("nothing that ran is an empty profile; a short script has one sample without a function")
    func empty() throws {
        let nothing = profile([], busy: [], end: 500)
        #expect(nothing.samples.isEmpty && nothing.nodes.count == 1 && nothing.functions.isEmpty)
        #expect(try CPUProfile(contentsOf: bytes(nothing)) == nothing)
        let short = profile([], busy: [(0, 100)], end: 100)
        #expect(names(short) == ["(program)"])
        // A script that is still running has no time of its own yet.
        #expect(profile([[frame("a")]], busy: [], end: 700).functions.first?.selfTime == 700)
    }

    @Test("more samples than the reported times can have are of a script that is still running")
    func running() {
        let spin = Array(repeating: [frame("spin")], count: 100)
        let profile = profile(spin, busy: [(0, 2000), (50_000, 51_000)], end: 151_000)
        #expect(profile.runningTime == 103_000)
        #expect(profile.functions.first?.selfTime == 103_000)
        // As many as fit are of the scripts that have ended.
        let ended = self.profile(spin, busy: [(0, 90_000)], end: 151_000)
        #expect(ended.runningTime == 90_000)
    }

    @Test("frames of the package that a script calls become one frame; those that call it are left out")
    func folding() {
        let glue = frame("dispatch", "jsbridge:bridge.js")
        let call = frame("callHandler", "jsbridge:bridge.js")
        let native = Frame(name: "send", url: "", scriptID: "4294967295", line: -1, column: -1)
        let stacks =
            [[glue, call, frame("user"), glue, glue], [native, glue, call, frame("user")], [glue]]
            + [[native, frame("user"), native, glue], [native, frame("builtin", "")]]
        let profile = profile(stacks, busy: [(0, 5000)], end: 5000)
        func path(_ id: Int) -> [String] {
            var path: [String] = []
            var index = id - 1
            let parents = profile.parents
            while index > 0 {
                path.insert(profile.nodes[index].callFrame.functionName, at: 0)
                index = parents[index]
            }
            return path
        }
        #expect(
            profile.samples.map(path) == [
                ["user", "callHandler"], ["user", "callHandler"], ["(program)"],
                ["user", "send"], ["builtin", "send"],
            ]
        )
        #expect(
            profile.nodes.first { $0.callFrame.functionName == "callHandler" }?.callFrame.place == "bridge"
        )
        #expect(profile.nodes.first { $0.callFrame.functionName == "send" }?.callFrame.place == "native")
    }

    @Test("a recursive function counts once in its total time")
    func recursion() {
        let (f, g) = (frame("f"), frame("g", line: 9))
        let profile = profile([[f, g, f, g], [f, f]], busy: [(0, 2000)], end: 2000)
        let functions = Dictionary(
            uniqueKeysWithValues: profile.functions.map { ($0.callFrame.functionName, $0) }
        )
        #expect(functions["f"]?.selfTime == 2000)
        #expect(functions["f"]?.totalTime == 2000)
        #expect(functions["g"]?.selfTime == 0)
        #expect(functions["g"]?.totalTime == 1000)
    }

    static let evilNames = [
        "", "a\"b\\c", "line\nbreak\u{0}\u{7}", "]]></svg><script>alert(1)</script>", "\u{1F600}\u{202E}x",
        "\u{FFFF}&amp;",
    ]

    @Test("an independent reader reads the file, with any name", arguments: evilNames)
    func file(name: String) throws {
        let profile = profile(
            [[frame(name, "file:///\(name)\u{1F600}.js")], [frame("b"), frame(name)]],
            busy: [(0, 2000)],
            end: 2500
        )
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(bytes(profile))) as? [String: Any]
        )
        let problems = ChromeProfileCheck.problems(of: object)
        #expect(problems.isEmpty, "\(problems)")
        let nodes = try #require(object["nodes"] as? [[String: Any]])
        let frames = nodes.compactMap { $0["callFrame"] as? [String: Any] }
        #expect(frames.contains { $0["functionName"] as? String == name && $0["lineNumber"] as? Int == 2 })
        #expect(
            (nodes.compactMap { $0["positionTicks"] as? [[String: Int]] }.first ?? []) == [
                ["line": 4, "ticks": 1]
            ]
        )
        let copy = try CPUProfile(contentsOf: bytes(profile))
        #expect(copy.nodes.map(\.callFrame) == profile.nodes.map(\.callFrame))
        #expect(copy.samples == profile.samples && copy.timeDeltas == profile.timeDeltas)
    }

    @Test(
        "the samples are counted if a file lacks the counts, or has wrong ones",
        arguments: ["", "\"hitCount\": 99,"]
    )
    func hitCounts(count: String) throws {
        let frame = "\"callFrame\": {\"functionName\": \"f\", \"url\": \"a.js\", \"lineNumber\": 1}"
        let text = """
            {"nodes": [{"id": 1, \(count) "callFrame": {"functionName": "(root)"}, "children": [2]},
             {"id": 2, \(count) \(frame)}],
             "startTime": 0, "endTime": 3000, "samples": [2, 2, 2], "timeDeltas": [0, 1000, 1000]}
            """
        let profile = try CPUProfile(contentsOf: Array(text.utf8))
        #expect(profile.nodes.map(\.hitCount) == [0, 3])
        #expect(profile.runningSampleCount == 3)
    }

    @Test("a flame graph is well-formed XML without scripts, with any name", arguments: evilNames)
    func flameGraph(name: String) throws {
        let profile = profile(
            [[frame(name)], [frame("below"), frame(name)], [frame("<b>")]],
            busy: [(0, 3000)],
            end: 3000
        )
        let document = profile.flameGraph(title: "<\(name)>")
        let reader = XMLNames()
        let parser = XMLParser(data: Data(document.utf8))
        parser.delegate = reader
        #expect(parser.parse(), "\(String(describing: parser.parserError)) \(document)")
        #expect(reader.names == ["svg", "rect", "text", "g", "title"])
        // The root, two functions of the top level and one that is called.
        #expect(reader.count(of: "g") == 4)
        #expect(
            document.contains("3.0 ms, 100.0 %") && document.contains("&lt;b&gt; (a.js:3): 1.0 ms, 33.3 %")
        )
    }

    @Test("a flame graph of nothing, and of a recursion without end, is a picture too")
    func extremeFlameGraphs() {
        #expect(profile([], busy: [], end: 0).flameGraph(title: "x").contains("no samples"))
        let deep = (0..<2000).map { frame("f\($0)") }
        let document = profile([deep], busy: [(0, 1000)], end: 1000).flameGraph(title: "x")
        #expect(document.utf8.count < 200_000)
    }

    @Test(
        "a file that is not a profile is refused with the reason",
        arguments: [
            ("", "the text ends where an object is expected"),
            ("[]", "byte 0: an object is expected"),
            ("{}", "no member 'nodes'"),
            ("{\"nodes\":[]}", "no member 'nodes'"),
            ("{\"nodes\":[{\"id\":1},{\"id\":1}]}", "two nodes of the profile have the ID 1"),
            ("{\"nodes\":[{\"id\":1,\"children\":[1]}]}", "wrong child 1"),
            ("{\"nodes\":[{\"id\":1},{\"id\":2}]}", "not called by any node"),
            ("{\"nodes\":[{\"id\":1}],\"samples\":[2],\"timeDeltas\":[0]}", "missing node 2"),
            ("{\"nodes\":[{\"id\":1}],\"samples\":[1]}", "1 samples but 0 times"),
            ("{\"nodes\":[{\"id\":1}],\"endTime\":1e300}", "not microseconds"),
            ("{\"nodes\":[{\"id\":1}],\"samples\":[1],\"timeDeltas\":[9000000000000000000]}", "microseconds"),
            ("{\"nodes\":[{\"id\":1.5}]}", "an integer is expected"),
            ("{\"nodes\":[{\"id\":1}]} x", "the end of the text is expected"),
            (String(repeating: "[", count: 100_000), "an object is expected"),
            ("{\"x\":" + String(repeating: "[", count: 100_000), "too many nested values (limit 256)"),
            ("{\"x\":\"\\uD83D\\u12\"}", "four hexadecimal digits"),
        ]
    )
    func badFile(text: String, reason: String) {
        let error = #expect(throws: ProfilerError.self) { _ = try CPUProfile(contentsOf: Array(text.utf8)) }
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }

    private func bytes(_ profile: CPUProfile) throws -> [UInt8] {
        let collected = CollectedBytes()
        try profile.write { collected.bytes += $0 }
        return collected.bytes
    }
}

/// The bytes that a writer passed on.
final class CollectedBytes {
    var bytes: [UInt8] = []
    var chunkCount = 0
}

/// A reader of profiles by the rules of Chrome, which shares no code with the writer.
enum ChromeProfileCheck {
    static func problems(of profile: [String: Any]) -> [String] {
        var problems: [String] = []
        let nodes = profile["nodes"] as? [[String: Any]] ?? []
        let samples = profile["samples"] as? [Int] ?? []
        let deltas = profile["timeDeltas"] as? [Int] ?? []
        guard let start = profile["startTime"] as? Int, let end = profile["endTime"] as? Int else {
            return ["no times"]
        }
        var hits: [Int: Int] = [:]
        for sample in samples { hits[sample, default: 0] += 1 }
        let ids = nodes.compactMap { $0["id"] as? Int }
        if Set(ids).count != nodes.count || nodes.isEmpty { problems.append("IDs") }
        var children = Set<Int>()
        for node in nodes {
            let frame = node["callFrame"] as? [String: Any] ?? [:]
            for key in ["functionName", "scriptId", "url"] where !(frame[key] is String) {
                problems.append(key)
            }
            for key in ["lineNumber", "columnNumber"] where (frame[key] as? Int).map({ $0 < -1 }) ?? true {
                problems.append(key)
            }
            if node["hitCount"] as? Int != hits[node["id"] as? Int ?? -1, default: 0] {
                problems.append("hitCount")
            }
            for child in node["children"] as? [Int] ?? [-1]
            where !ids.contains(child) || !children.insert(child).inserted {
                problems.append("child \(child)")
            }
        }
        if children.count != nodes.count - 1 { problems.append("not a tree") }
        if samples.count != deltas.count { problems.append("counts") }
        if samples.contains(where: { !ids.contains($0) }) { problems.append("sample") }
        if deltas.contains(where: { $0 < 0 }) || start + deltas.reduce(0, +) > end { problems.append("time") }
        let first = (nodes.first?["callFrame"] as? [String: Any])?["functionName"] as? String
        if first != "(root)" { problems.append("root") }
        return problems
    }
}

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The names of the elements of a document.
private final class XMLNames: NSObject, XMLParserDelegate {
    private(set) var all: [String] = []
    var names: Set<String> { Set(all) }
    func count(of name: String) -> Int { all.count { $0 == name } }

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) { all.append(name) }
}
