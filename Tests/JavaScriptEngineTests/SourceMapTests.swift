import BridgeTesting
import BridgeValues
import Foundation
import TestSupport
import Testing

@testable import JavaScriptEngine

/// The output of another tool: scripts of `tsc`, and the source positions that node's reader of source maps reports
/// (`Fixtures/SourceMaps/make.mjs`).
private struct Fixture {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures/SourceMaps")

    static func data(_ path: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent(path))
    }

    static func text(_ path: String) throws -> String { String(decoding: try data(path), as: UTF8.self) }
}

@Suite struct SourceMapTests {
    private func map(_ mappings: String, sources: [String] = ["a.ts"], names: [String] = []) throws
        -> SourceMap
    {
        let record: [String: Any] = ["version": 3, "sources": sources, "names": names, "mappings": mappings]
        return try SourceMap(JSONSerialization.data(withJSONObject: record), scriptURL: "a.js")
    }

    @Test(
        "every position of a script has the source position that node reports",
        arguments: [("file/shop", "out/file/"), ("indexed/bundle", "out/indexed/")]
    )
    func againstNode(name: String, folder: String) throws {
        let map = try SourceMap(Fixture.data("out/\(name).js.map"), scriptURL: "")
        let script = try Fixture.text("out/\(name).js").split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let positions = try JSONSerialization.jsonObject(with: Fixture.data("\(folder)positions.json"))
        let lines = try #require(positions as? [[[Any]]])
        var count = 0
        for (line, runs) in lines.enumerated() {
            var place: [Any]?
            var next = 0
            for column in 0...(script.indices.contains(line) ? script[line].utf16.count : 0) {
                if next < runs.count, runs[next][0] as? Int == column {
                    place = runs[next][1] as? [Any]
                    next += 1
                }
                let position = map.position(line: line, column: column)
                #expect(position?.source == place?[0] as? String, "\(line):\(column)")
                #expect(position.map { $0.line - 1 } == place?[1] as? Int, "\(line):\(column)")
                #expect(position.map { $0.column - 1 } == place?[2] as? Int, "\(line):\(column)")
                count += 1
            }
        }
        #expect(count > 700)
    }

    @Test("variable-length numbers are decoded according to the format")
    func numbers() {
        let values: [(String, Int32?)] = [
            ("A", 0), ("C", 1), ("D", -1), ("e", 15), ("f", -15), ("gB", 16), ("hB", -16), ("2H", 123),
            ("qxmvrH", 123_456_789), ("+/////D", 2_147_483_647), ("//////D", -2_147_483_647), ("", nil),
            ("g", nil), ("*", nil), ("ggggggggggB", nil), ("ggggggE", nil),
        ]
        for (text, value) in values {
            let bytes = Array(text.utf8)
            var position = 0
            let read = bytes.withUnsafeBufferPointer { VLQDecoder.read($0, at: &position) }
            #expect(read == value, "\(text)")
            #expect(value == nil || position == bytes.count, "\(text)")
        }
    }

    @Test("segments of 1, 4 and 5 numbers, lines without any, and a line out of order")
    func segments() throws {
        // Line 0: column 0 from a.ts 0:0; column 4 from nothing; column 8 from b.ts 2:3 named second.
        // Line 1: nothing. Line 2: column 6 before column 2.
        let map = try map("AAAA,I,ICEGC;;MDDA,JAAC", sources: ["a.ts", "b.ts"], names: ["first", "second"])
        let start = SourceMap.Position(source: "a.ts", line: 1, column: 1)
        #expect(map.position(line: 0, column: 0) == start)
        #expect(map.position(line: 0, column: 3) == start)
        #expect(map.position(line: 0, column: 4) == nil)
        #expect(
            map.position(line: 0, column: 100)
                == SourceMap.Position(source: "b.ts", line: 3, column: 4, name: "second")
        )
        #expect(map.position(line: 1, column: 0) == nil)
        #expect(map.position(line: 2, column: 1) == nil)
        #expect(map.position(line: 2, column: 2) == SourceMap.Position(source: "a.ts", line: 2, column: 5))
        #expect(map.position(line: 2, column: 6) == SourceMap.Position(source: "a.ts", line: 2, column: 4))
        #expect(map.position(line: 3, column: 0) == nil)
        #expect(map.position(line: -1, column: 0) == nil)
        #expect(map.position(line: .max, column: .max) == nil)
    }

    @Test("names of sources are relative to the script, after the map's root")
    func paths() {
        let cases: [(String, String?, String, String)] = [
            ("a.ts", nil, "plugin.js", "a.ts"), ("a.ts", nil, "dist/plugin.js", "dist/a.ts"),
            ("../src/a.ts", nil, "dist/plugin.js", "src/a.ts"), ("../a.ts", nil, "plugin.js", "../a.ts"),
            ("a.ts", "src", "dist/p.js", "dist/src/a.ts"), ("a.ts", "/src/", "dist/p.js", "/src/a.ts"),
            ("webpack://x/./a.ts", nil, "p.js", "webpack://x/./a.ts"),
            ("/abs/a.ts", "root", "p.js", "/abs/a.ts"),
            ("../../../a.ts", nil, "https://host/b/p.js", "https://host/a.ts"),
            ("", nil, "p.js", ""), ("a:b.ts", nil, "p.js", "a:b.ts"),
            ("./x/./y.ts", nil, "/r/p.js", "/r/x/y.ts"),
        ]
        for (source, root, script, expected) in cases {
            #expect(SourcePath.resolve(source, root: root, scriptURL: script) == expected)
        }
    }

    @Test("the comment is the last one of the script, in each of its forms")
    func comments() {
        let cases: [(String, String?)] = [
            ("x\n//# sourceMappingURL=a.map", "a.map"), ("x\n//@ sourceMappingURL=a.map\n\n", "a.map"),
            ("x /*# sourceMappingURL=a.map */", "a.map"),
            ("//# sourceMappingURL=a.map\r\n// more\n", "a.map"),
            ("x//# sourceMappingURL=a.map", "a.map"), ("//# sourceMappingURL=a.map\nx()", nil),
            ("const s = '//# sourceMappingURL=a.map';", nil), ("//# sourceMappingURL=", nil), ("", nil),
            ("//# sourceMappingURL=a.map b", nil), ("// sourceMappingURL=a.map", nil),
            ("//# sourceMappingURL=1\n//# sourceMappingURL=2", "2"), (" \n\t ", nil), ("//", nil),
        ]
        for (script, url) in cases {
            #expect(SourceMapReference(in: script).map { String($0.url) } == url, "\(script)")
        }
    }

    static let broken: [(String, String)] = [
        ("[]", "form"), ("{", "form"), ("", "form"),
        (#"{"version":2,"sources":[],"mappings":""}"#, "version 2"),
        (#"{"sources":[],"mappings":""}"#, "version none"),
        (#"{"version":3,"sources":["a"],"mappings":"AA"}"#, "segment"),
        (#"{"version":3,"sources":["a"],"mappings":"AAAAAA"}"#, "segment"),
        (#"{"version":3,"sources":["a"],"mappings":"AC!A"}"#, "segment"),
        (#"{"version":3,"sources":["a"],"mappings":"ACAA"}"#, "source"),
        (#"{"version":3,"sources":["a"],"mappings":"DAAA"}"#, "segment"),
        (#"{"version":3,"sources":["a"],"names":[],"mappings":"AAAAA"}"#, "source"),
        (#"{"version":3,"sections":[{"offset":{"line":0,"column":0},"url":"x"}]}"#, "another file"),
        (#"{"version":3,"sections":[{"map":{"version":3}}]}"#, "offset"),
        (
            #"{"version":3,"sections":[{"offset":{"line":2,"column":0},"map":{"mappings":""}},{"offset":{"line":1,"column":9},"map":{"mappings":""}}]}"#,
            "order"
        ),
    ]

    @Test("an invalid map is refused with the reason", arguments: broken)
    func refusals(json: String, reason: String) throws {
        let problem = try #require(throws: SourceMapProblem.self) {
            _ = try SourceMap(Data(json.utf8), scriptURL: "p.js")
        }
        #expect(problem.message.contains(reason), "\(problem.message)")
    }

    @Test("random bytes and broken maps never trap, and the results stay in bounds")
    func randomMaps() throws {
        let whole = try Fixture.data("out/file/shop.js.map")
        let digits = Array("ABCDEFghijklmnop0189+/,;,;,;!".utf8)
        var generator = SeededGenerator.fromEnvironment()
        do {
            for _ in 0..<300 {
                var bytes: [UInt8]
                switch Int.random(in: 0..<3, using: &generator) {
                case 0:
                    bytes = (0..<Int.random(in: 0..<200, using: &generator)).map { _ in
                        UInt8.random(in: 0...255, using: &generator)
                    }
                case 1:
                    bytes = Array(whole)
                    for _ in 0..<Int.random(in: 1..<8, using: &generator) {
                        let index = Int.random(in: 0..<bytes.count, using: &generator)
                        bytes[index] = UInt8.random(in: 0...255, using: &generator)
                    }
                default:
                    let mappings = (0..<Int.random(in: 0..<400, using: &generator)).compactMap { _ in
                        digits.randomElement(using: &generator)
                    }
                    bytes = Array(#"{"version":3,"sources":["a","b"],"names":["n"],"mappings":""#.utf8)
                    bytes += mappings + Array(#""}"#.utf8)
                }
                guard let map = try? SourceMap(Data(bytes), scriptURL: "p.js") else { continue }
                for _ in 0..<20 {
                    let line = Int.random(in: -1..<40, using: &generator)
                    let position = map.position(
                        line: line,
                        column: Int.random(in: -1..<500, using: &generator)
                    )
                    #expect(position.map { $0.line > 0 && $0.column > 0 } ?? true)
                    #expect(map.names(ofLine: line).allSatisfy { $0.column >= 0 })
                }
            }
        }
    }

    @Test("a map with too many segments or lines is refused, with a test of both sides of the limit")
    func limits() throws {
        let most = String(repeating: "A,", count: SourceMapping.maximumSegmentCount)
        #expect(try map(most).position(line: 0, column: 0) == nil)
        let tooMany = try #require(throws: SourceMapProblem.self) { _ = try self.map(most + "A") }
        #expect(tooMany.message.contains("segments"))
        let lines = String(repeating: ";", count: SourceMapping.maximumLineCount - 1)
        #expect(try map(lines + "AAAA").position(line: SourceMapping.maximumLineCount - 1, column: 0) != nil)
        let tooLong = try #require(throws: SourceMapProblem.self) { _ = try self.map(lines + ";AAAA") }
        #expect(tooLong.message.contains("lines"))
    }
}

/// Source maps in the errors of scripts.
@Suite struct MappedErrorTests {
    /// Runs the fixture, and returns the error about a bad price.
    private func failure(
        in context: JSContext,
        _ script: String,
        sourceURL: String,
        startingLine: Int = 1,
        sourceMaps: SourceMapLoader? = nil
    ) throws -> JSException {
        try context.evaluate(
            script,
            sourceURL: sourceURL,
            startingLine: startingLine,
            sourceMaps: sourceMaps
        )
        let errors = Recorder<JSException>()
        context.uncaughtErrorHandler = { errors.add($0) }
        try context.evaluate("shop.buy([1, -2])")
        return try #require(errors.elements.first)
    }

    private func expectShop(_ error: JSException, source: String) {
        #expect(error.name == "RangeError")
        #expect(error.sourceURL == source)
        #expect(error.line == 25)
        #expect(error.frames.prefix(2).map(\.line) == [25, 18])
        #expect(error.frames.first?.function == "checked")
        #expect(error.frames.contains { $0.line == 34 && $0.sourceURL == source })
        #expect(error.sourceMapProblems.isEmpty)
    }

    @Test("an error of a compiled script has the frames and lines of its source, with a map in the comment")
    func inlineMap() throws {
        let context = try JSContext()
        let error = try failure(
            in: context,
            Fixture.text("out/inline/shop.js"),
            sourceURL: "out/inline/shop.js"
        )
        expectShop(error, source: "shop.ts")
        let lines = try #require(error.codeFrame).split(separator: "\n")
        #expect(lines.first == "  23 | function checked(item: Item): number {")
        #expect(lines[2].hasPrefix("> 25 |         /* 東京 */ throw new RangeError(`"))
        #expect(lines.last == "  26 |     }")
        // The marker is under `new` or the next token, after two wide characters.
        #expect(lines[3].hasPrefix("     |" + String(repeating: " ", count: 26)) && lines[3].hasSuffix("^"))
        #expect(error.description.hasPrefix("shop.ts:25:"))
        #expect(error.description.contains("    at checked (shop.ts:25:"))
    }

    @Test("a script that starts at another line is mapped too")
    func startingLine() throws {
        let context = try JSContext()
        let script = try Fixture.text("out/inline/shop.js")
        expectShop(
            try failure(in: context, script, sourceURL: "out/inline/shop.js", startingLine: 1000),
            source: "shop.ts"
        )
    }

    @Test("a loader finds a map next to the script's file, and reads it once, when it is needed")
    func fileMap() throws {
        let context = try JSContext()
        let loads = Recorder<String>()
        let loader = SourceMapLoader { url in
            loads.add(url)
            return try Fixture.data("out/file/\(url)")
        }
        let script = try Fixture.text("out/file/shop.js")
        let error = try failure(in: context, script, sourceURL: "out/file/shop.js", sourceMaps: loader)
        #expect(loads.elements.isEmpty)
        expectShop(error, source: "shop.ts")
        // Without the source's text no code frame is shown: not the script's line with the source's line number.
        #expect(error.codeFrame == nil)
        let again = try #require(throws: JSException.self) {
            try context.evaluate("new shop.Basket().add({ price: -1 }).total()")
        }
        #expect(again.frames.first?.line == 25)
        #expect(loads.elements == ["shop.js.map"])
    }

    @Test("a script that was evaluated from a string reads no file")
    func noAmbientAccess() throws {
        let context = try JSContext()
        let path = Fixture.folder.appendingPathComponent("out/file/shop.js").path
        let error = try failure(in: context, Fixture.text("out/file/shop.js"), sourceURL: path)
        #expect(error.line == 21)
        #expect(error.sourceMapProblems.isEmpty)
    }

    @Test(
        "a map next to a file is not read if its path leads out of the folder, is not a file or is too large"
    )
    func loaderBounds() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("maps-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let folder = root.appendingPathComponent("scripts")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("sub"),
            withIntermediateDirectories: true
        )
        let map = try Fixture.data("out/file/shop.js.map")
        try map.write(to: root.appendingPathComponent("outside.map"))
        try map.write(to: folder.appendingPathComponent("in side.map"))
        try map.write(to: folder.appendingPathComponent("sub/below.map"))
        try FileManager.default.createSymbolicLink(
            at: folder.appendingPathComponent("link.map"),
            withDestinationURL: root.appendingPathComponent("outside.map")
        )
        #expect(mkfifo(folder.appendingPathComponent("pipe.map").path, 0o600) == 0)
        let large = folder.appendingPathComponent("large.map").path
        #expect(FileManager.default.createFile(atPath: large, contents: nil))
        #expect(truncate(large, off_t(SourceMap.maximumByteCount + 1)) == 0)
        let loader = SourceMapLoader.beside(file: folder.appendingPathComponent("plugin.js").path)
        for right in ["in%20side.map", "sub/below.map", "./sub/../sub/below.map"] {
            #expect(try loader.load(right) == map, "\(right)")
        }
        for wrong in [
            "../outside.map", "%2e%2e/outside.map", "link.map",
            root.appendingPathComponent("outside.map").path,
            "file:///etc/hostname", "pipe.map", "large.map", "sub", "nothing.map", "", ".", "..", "a%00b",
            "%zz",
            "..\\outside.map", "/dev/zero", "sub/../../outside.map",
        ] {
            #expect(throws: (any Error).self, "\(wrong)") { _ = try loader.load(wrong) }
        }
        let context = try JSContext()
        let script = "function f() { throw new Error('x') }\nf();\n//# sourceMappingURL=../outside.map"
        let error = try #require(throws: JSException.self) {
            try context.evaluate(script, sourceURL: "plugin.js", sourceMaps: loader)
        }
        #expect(error.line == 1)
        #expect(error.codeFrame?.contains("> 1 | function f()") == true)
        #expect(
            error.sourceMapProblems == [
                "the source map of plugin.js is not used: the path of the map leads out of the script's folder"
            ]
        )
    }

    @Test("functions get their original names, from the positions of their declarations")
    func names() throws {
        let script = "function a(b){throw new Error(b)}const c=d=>{a(d)};c(1);"
        let mappings = Self.encode([
            [0, 0, 0, 0], [9, 0, 0, 9, 0], [11, 0, 0, 16, 1], [14, 0, 0, 26], [24, 0, 0, 36, 2],
            [33, 0, 1, 0], [39, 0, 1, 6, 3], [45, 0, 1, 19, 0], [51, 0, 2, 0, 3],
        ])
        let record: [String: Any] = [
            "version": 3, "sources": ["shop.ts"], "names": ["charge", "amount", "Error", "buy"],
            "mappings": mappings,
        ]
        let data = try JSONSerialization.data(withJSONObject: record).base64EncodedString()
        let context = try JSContext()
        let error = try #require(throws: JSException.self) {
            try context.evaluate(
                "\(script)\n//# sourceMappingURL=data:application/json;base64,\(data)",
                sourceURL: "shop.js"
            )
        }
        #expect(error.frames.map(\.function) == ["charge", "buy", "global code"])
        #expect(error.frames.map(\.line) == [1, 2, 3])
        #expect(error.frames.allSatisfy { $0.sourceURL == "shop.ts" })
    }

    @Test("broken maps in hostile scripts are recorded, and the error has the script's own positions")
    func hostileMaps() throws {
        let context = try JSContext()
        for url in [
            "data:", "data:application/json;base64,%%%", "data:application/json,{", "data:,null", "x.map",
            "data:application/json;base64,bm90IGpzb24=",
            "data:application/json,"
                + #"{"version":3,"sources":[],"mappings":"AAAA"}"#
                .percentEncoded,
            "data:application/json;base64," + String(repeating: "A", count: 100_000),
        ] {
            let error = try #require(throws: JSException.self) {
                try context.evaluate(
                    "\n\nthrow new Error('x');\n//# sourceMappingURL=\(url)",
                    sourceURL: "h.js"
                )
            }
            #expect(error.line == 3)
            #expect(error.codeFrame?.contains("> 3 | throw") == true)
            #expect(error.sourceMapProblems.count == (url == "x.map" ? 0 : 1), "\(url)")
        }
    }

    /// Encodes segments of one line, for maps that no tool here creates.
    private static func encode(_ segments: [[Int]]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var last = [0, 0, 0, 0, 0]
        return segments.map { segment in
            segment.enumerated().map { field, value in
                let difference = value - last[field]
                last[field] = value
                var rest = difference < 0 ? -difference << 1 | 1 : difference << 1
                var text = ""
                repeat {
                    text.append(digits[rest & 31 | (rest > 31 ? 32 : 0)])
                    rest >>= 5
                } while rest > 0
                return text
            }.joined()
        }.joined(separator: ",")
    }
}

extension String {
    fileprivate var percentEncoded: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
