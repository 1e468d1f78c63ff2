import BridgeValues

@testable import BridgeInspector

/// A script of two sources with helper code between them, and its source map.
enum MappedBundle {
    static let price = """
        export function price(count) {
            const base = 5;
            return base * count;
        }
        """
    static let main = """
        import { price } from './price.js';
        console.log(price(3));
        """

    // The lines of the script, each with its source and the line there.
    private static let lines: [(text: String, source: Int, line: Int)?] = [
        nil, nil, nil, nil,
        ("    function price(count) {", 0, 0),
        ("        const base = 5;", 0, 1),
        nil, nil,
        ("        return base * count;", 0, 2),
        ("    }", 0, 3),
        ("    console.log(price(3));", 1, 1),
        nil,
    ]
    private static let helpers = [
        0: "(() => {", 1: "    function helper(x) {", 2: "        return x * 2;", 3: "    }",
        6: "        helper(base);", 7: "        helper(helper(base));", 11: "})();",
    ]

    static var script: String {
        lines.enumerated().map { index, line in line?.text ?? helpers[index] ?? "" }.joined(separator: "\n")
            + "\n//# sourceMappingURL=bundle.js.map\n"
    }

    /// Returns the files of the bundle; without those of its sources, the map contains their texts.
    static func files(withSources: Bool) -> [String: String] {
        var files = ["bundle.js": script, "bundle.js.map": map(withContents: !withSources)]
        if withSources { files.merge(["price.js": price, "main.js": main]) { first, _ in first } }
        return files
    }

    private static func map(withContents: Bool) -> String {
        var last = (source: 0, line: 0)
        let mappings = lines.map { line -> String in
            guard let line else { return "" }
            defer { last = (line.source, line.line) }
            return vlq(0) + vlq(line.source - last.source) + vlq(line.line - last.line) + vlq(0)
        }
        let contents: Value = withContents ? [.string(price), .string(main)] : [.null, .null]
        return JSONText.of([
            "version": 3, "sources": ["price.js", "main.js"], "sourcesContent": contents,
            "mappings": .string(mappings.joined(separator: ";")),
        ])
    }

    private static func vlq(_ number: Int) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var rest = number < 0 ? -number << 1 | 1 : number << 1
        var result = ""
        repeat {
            let digit = rest & 31
            rest >>= 5
            result.append(digits[rest > 0 ? digit | 32 : digit])
        } while rest > 0
        return result
    }
}
