import BenchmarkHarness
import BridgeValues
import Foundation
import JavaScriptEngine

/// URLs that a script parses.
@MainActor let urlCases = [
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
]
