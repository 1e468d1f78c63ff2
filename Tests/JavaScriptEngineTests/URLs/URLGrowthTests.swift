import CJavaScriptCoreSPI
import Foundation
import Testing

@testable import JavaScriptEngine

/// Tests of the time and the memory of `URL` for much input.
@Suite(.serialized, .enabled(if: URLSupport.current.isAvailable)) struct URLGrowthTests {
    /// Returns the processor time of a function of a script for a size, the smallest of three calls.
    private func seconds(_ script: String, _ size: Int) throws -> Double {
        let context = try JSContext()
        let run = try context.evaluate("(function (size) { \(script) })")
        var best = Double.infinity
        for _ in 0..<3 {
            let start = Self.processorTime
            _ = try run.call(with: .integer(Int64(size)))
            best = min(best, Self.processorTime - start)
        }
        return best
    }

    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static let scripts = [
        "new URL('http://h/' + 'a'.repeat(size * 10));",
        "new URL('http://h/?' + ' é'.repeat(size * 5));",
        "new URL('http://h/' + 'a/../'.repeat(size * 2));",
        "URL.canParse('http://' + 'é'.repeat(size * 10) + '/');",
        "URL.canParse('http://' + 'a.'.repeat(size * 5) + '/');",
        "const url = new URL('http://h/'); url.pathname = '?'.repeat(size * 10); url.hash = '\\\\t'.repeat(size * 10);",
        "new URLSearchParams('k=%20v&'.repeat(size)).toString();",
        "new URLSearchParams('&'.repeat(size * 10));",
        "new URLSearchParams('='.repeat(size * 10)).toString();",
        "const url = new URL('http://h/'); for (let i = 0; i < size; i++) url.searchParams.append(i, i); url.href;",
        "const p = new URLSearchParams('a&'.repeat(size)); p.sort(); let n = 0; for (const [name] of p) n += name.length; p.delete('a');",
        "new URLSearchParams(Array.from({ length: size }, (_, i) => [i, i]));",
        "new URLSearchParams(Object.fromEntries(Array.from({ length: size }, (_, i) => ['k' + i, i])));",
    ]

    @Test("the time of 100,000 parameters, and of a URL of 1 MB, grows with the size", arguments: scripts)
    func growth(_ script: String) throws {
        let small = try seconds(script, 25_000)
        let large = try seconds(script, 100_000)
        // A time that grows with the square is 16 times as large. Short times are mostly those of the engine.
        #expect(large < 9 * max(small, 0.002), "\(small) s, then \(large) s")
    }

    @Test("WA5 a million URLs leave no memory behind")
    func leaks() async throws {
        // The figures are those of the process, in which other tests create URLs too.
        await #expect(processExitsWith: .success) {
            let count = jsb_url_parser_count()
            try Self.makeURLs(parsers: count)
            #expect(jsb_url_parser_count() == count)
        }
    }

    private static func makeURLs(parsers count: Int) throws {
        let context = try JSContext()
        let make = try context.evaluate(
            """
            (function (count) {
                let sum = 0;
                for (let index = 0; index < count; index++) {
                    sum += new URL("HTTPS://EXAMPLE.com/" + index % 100 + "?é#x").href.length;
                    if (index % 10 === 0) sum += URL.canParse("http://a b/") + new URL("../" + index, "http://h/" + index).pathname.length;
                }
                return sum;
            })
            """
        )
        _ = try make.call(with: .integer(100_000))
        context.virtualMachine.collectGarbage()
        let before = HeapGuard.residentBytes()
        for _ in 0..<10 { _ = try make.call(with: .integer(100_000)) }
        context.virtualMachine.collectGarbage()
        let growth = Int(HeapGuard.residentBytes()) - Int(before)
        // A leaked string has at least 48 bytes.
        #expect(growth < 16 << 20, "\(growth) bytes")
        #expect(jsb_url_parser_count() == count + 1)
    }

    @Test("a string above the limit is refused, and nothing is read of it")
    func limit() throws {
        let context = try JSContext()
        let result = try context.evaluate(
            """
            (() => {
                const long = "x:" + "y".repeat(1 << 24);
                try { return new URL(long); } catch (error) { return [error.name, error.message.slice(-12), URL.canParse(long), URL.parse(long)].join(); }
            })()
            """
        ).toValue()
        #expect(result == "TypeError, is too long,false,")
    }
}
