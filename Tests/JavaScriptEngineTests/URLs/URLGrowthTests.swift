import CJavaScriptCoreSPI
import Foundation
import Testing

@testable import JavaScriptEngine

/// Tests of the memory of `URL` for much input; its time is that of the benchmarks `url.growth`.
@Suite(.serialized, .enabled(if: URLSupport.current.isAvailable)) struct URLGrowthTests {
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
