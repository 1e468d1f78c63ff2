import BenchmarkHarness
import BridgeValues
import Foundation
import JavaScriptEngine

/// URLs that a script parses, and the growth of the time with their size.
@MainActor let urlCases =
    [parseCase]
    + growthScripts.map { name, script in
        growthCase(name, script)
    }

/// Functions of a size, whose time grows with it.
private let growthScripts = [
    ("url.growth.path", "new URL('http://h/' + 'a'.repeat(size * 10));"),
    ("url.growth.query", "new URL('http://h/?' + ' é'.repeat(size * 5));"),
    ("url.growth.dots", "new URL('http://h/' + 'a/../'.repeat(size * 2));"),
    ("url.growth.host", "URL.canParse('http://' + 'é'.repeat(size * 10) + '/');"),
    ("url.growth.labels", "URL.canParse('http://' + 'a.'.repeat(size * 5) + '/');"),
    (
        "url.growth.setters",
        "const url = new URL('http://h/'); url.pathname = '?'.repeat(size * 10); url.hash = '\\\\t'.repeat(size * 10);"
    ),
    ("url.growth.parameters", "new URLSearchParams('k=%20v&'.repeat(size)).toString();"),
    ("url.growth.separators", "new URLSearchParams('&'.repeat(size * 10));"),
    ("url.growth.equals", "new URLSearchParams('='.repeat(size * 10)).toString();"),
    (
        "url.growth.append",
        "const url = new URL('http://h/'); for (let i = 0; i < size; i++) url.searchParams.append(i, i); url.href;"
    ),
    (
        "url.growth.sort",
        """
        const p = new URLSearchParams('a&'.repeat(size)); p.sort();
        let n = 0; for (const [name] of p) n += name.length; p.delete('a');
        """
    ),
    ("url.growth.pairs", "new URLSearchParams(Array.from({ length: size }, (_, i) => [i, i]));"),
    (
        "url.growth.record",
        "new URLSearchParams(Object.fromEntries(Array.from({ length: size }, (_, i) => ['k' + i, i])));"
    ),
]

@MainActor
private func growthCase(_ name: String, _ script: String) -> BenchmarkCase {
    // 1 if the time grows with the size, 0.25 if it grows with the square.
    BenchmarkCase(name, baseline: "four times the same with a quarter of the size", wanted: 0.45) {
        let context = try JSContext()
        let run = try context.evaluate("(function (size) { \(script) })")
        func runs(_ parts: Int) -> Work {
            .synchronous { operations in
                for _ in 0..<operations * parts { _ = try run.call(with: .integer(Int64(100_000 / parts))) }
                return Outcome(Double(operations))
            }
        }
        return Contest(plain: runs(4), ours: runs(1), expected: { Double($0) })
    }
}

@MainActor private let parseCase =
    BenchmarkCase(
        "url.parse",
        baseline: "Foundation's URL(string:) of the same text",
        wanted: 0.8
    ) {
        // 61 characters.
        let text = "https://www.example.com:8080/some/path/file.html?query=1#frag"
        let context = try JSContext()
        let parse = try context.evaluate(
            """
            (function (text, count) {
                let sum = 0;
                for (let index = 0; index < count; index++) if (new URL(text).href.length === 61) sum++;
                return sum;
            })
            """,
            sourceURL: "urls.js"
        )
        return Contest(
            plain: .synchronous { operations in
                var sum = 0.0
                for _ in 0..<operations {
                    guard let url = URL(string: text) else { continue }
                    if url.absoluteString.utf8.count == 61 { sum += 1 }
                }
                return Outcome(sum)
            },
            ours: .synchronous { operations in
                let sum = try parse.call(with: .string(text), .integer(Int64(operations)))
                return Outcome(sum.doubleValue ?? .nan)
            },
            expected: { Double($0) }
        )
    }
