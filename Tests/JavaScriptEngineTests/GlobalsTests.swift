import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

@Suite(.noLeaks) struct GlobalsTests {
    private func lines(_ script: String) throws -> [String] {
        let context = try JSContext()
        let lines = Recorder<String>()
        context.consoleSink = { lines.add("\($0.level.rawValue): \($0.text)") }
        try context.evaluate(script)
        return lines.elements
    }

    @Test("console formats values for people")
    func formats() throws {
        #expect(
            try lines("console.log('a', 1, -0, true, null, undefined, 10n, Symbol('s'))") == [
                "log: a 1 -0 true null undefined 10n Symbol(s)"
            ]
        )
        #expect(
            try lines(
                "console.log({ a: [1, 'x', { b: null }], 'c d': new Map([[1, { z: 2 }]]), e: new Set([3]) })"
            )
                == [
                    """
                    log: {
                      a: [ 1, 'x', { b: null } ],
                      'c d': Map(1) { 1 => { z: 2 } },
                      e: Set(1) { 3 }
                    }
                    """
                ]
        )
        #expect(
            try lines(
                "const o = {}; o.o = o; console.log(o, { get x() { throw 1 } }, () => 1, function named() {})"
            )
                == [
                    "log: <ref *1> { o: [Circular *1] } { x: [Getter] } [Function (anonymous)] [Function: named]"
                ]
        )
        #expect(
            try lines("console.log('%s is %d%% of %i and %o', 'x', 5, 7.9, { a: 1 }, 'rest')") == [
                "log: x is 5% of 7 and { a: 1 } rest"
            ]
        )
        #expect(
            try lines(
                "console.warn('w'); console.error('e'); console.info('i'); console.debug('d'); console.assert(false, 'no'); console.assert(true)"
            )
                == ["warn: w", "error: e", "info: i", "debug: d", "error: Assertion failed: no"]
        )
        #expect(
            try lines("console.group('g'); console.log('x\\ny'); console.groupEnd(); console.log('z')") == [
                "log: g", "log:   x\n  y", "log: z",
            ]
        )
        #expect(
            try lines("console.count(); console.count(); console.countReset(); console.count('a')") == [
                "log: default: 1", "log: default: 2", "log: a: 1",
            ]
        )
        #expect(
            try lines("console.log(new Uint8Array([1, 2]), new Date(0), /x/g, [1,,2])") == [
                "log: Uint8Array(2) [ 1, 2 ] 1970-01-01T00:00:00.000Z /x/g [ 1, <1 empty item>, 2 ]"
            ]
        )
        #expect(try lines("console.log(new Error('boom'))")[0].hasPrefix("log: Error: boom"))
    }

    @Test("console.table aligns columns of every writing system by their width on a terminal")
    func table() throws {
        let printed = try lines(
            "console.table([{ city: 'Oslo', n: 5 }, { city: '東京', n: 14000 }, { city: 'Sa\\u0303o Paulo', n: 3 }, { city: '👩‍👩‍👧', n: 1 }])"
        )
        #expect(
            printed == [
                """
                log: (index)  city           n
                -------  ---------  -----
                      0  Oslo           5
                      1  東京       14000
                      2  Sa\u{303}o Paulo      3
                      3  👩‍👩‍👧             1
                """
            ]
        )
    }

    @Test("timers run in order of their deadlines, equal ones in the order in which they were started")
    func timers() throws {
        let context = try JSContext()
        let clock = ManualClock()
        context.clock = clock
        try context.evaluate(
            """
            var log = [];
            setTimeout(x => log.push('b' + x), 10, 1); setTimeout(() => log.push('a'), 5); setTimeout(() => log.push('c'), 10);
            const stopped = setTimeout(() => log.push('never'), 1); clearTimeout(stopped);
            const every = setInterval(() => { log.push('i'); if (log.length > 6) clearInterval(every); }, 4);
            setTimeout(() => { setTimeout(() => log.push('nested'), 0); Promise.resolve().then(() => log.push('micro')); log.push('outer') }, 30);
            """
        )
        for _ in 0..<32 {
            clock.advance(by: .milliseconds(1))
            try context.runDueTimers()
        }
        #expect(try context.evaluate("log.join()").toValue() == "i,a,i,b1,c,i,i,outer,micro,nested")
        #expect(context.nextTimerDeadline == nil)
    }

    @Test("a timer needs a function, and one timer too many throws")
    func timerErrors() throws {
        let context = try JSContext()
        #expect(throws: JSException.self) { try context.evaluate("setTimeout('code')") }
        let error = try #require(throws: JSException.self) {
            try context.evaluate("for (;;) setTimeout(() => {}, 1e6)")
        }
        #expect(error.code == "limitExceeded")
    }

    @Test("a timer that restarts itself does not prevent a round from ending")
    func selfStartingTimer() throws {
        let context = try JSContext()
        context.clock = ManualClock()
        try context.evaluate("var n = 0; (function again() { n++; setTimeout(again, 0) })()")
        for _ in 0..<3 { try context.runDueTimers() }
        #expect(try context.evaluate("n").toValue() == 4)
    }

    @Test("a runtime runs timers by itself, and jobs in the order of their addition")
    func runtime() async throws {
        let runtime = try JavaScriptRuntime()
        let done: Int64 = try await withCheckedThrowingContinuation { continuation in
            Task {
                do {
                    try await runtime.withContext { context in
                        let finish = try context.makeFunction(named: "finish", parameterCount: 1) {
                            arguments in
                            continuation.resume(returning: try arguments[0].toValue().integerValue ?? -1)
                            return nil
                        }
                        try context.globalObject.setValue(finish, forProperty: "finish")
                        try context.evaluate(
                            "let n = 0; const every = setInterval(() => { if (++n === 3) { clearInterval(every); finish(n) } }, 1)"
                        )
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
        #expect(done == 3)
    }
}
