import BridgeTesting
import BridgeValues
import CJavaScriptCoreSPI
import TestSupport
import Testing

@testable import JavaScriptEngine

@Suite(.noLeaks) struct UncaughtEventTests {
    /// A context, and the lines that its scripts and the host write about errors.
    private struct Report {
        let context: JSContext
        let clock = ManualClock()
        let lines = Recorder<String>()

        init(globals: GlobalSet = .web) throws {
            context = try JSContext(globals: globals)
            context.clock = clock
            context.consoleSink = { [lines] in lines.add($0.text) }
            context.uncaughtErrorHandler = { [lines] in lines.add("host: \($0.message)") }
        }

        func run(_ script: String, milliseconds: Int = 3) throws -> [String] {
            try context.evaluate(script, sourceURL: "page.js")
            for _ in 0..<milliseconds {
                clock.advance(by: .milliseconds(1))
                try context.runDueTimers()
            }
            return lines.elements
        }
    }

    @Test("WA26 an uncaught error has one event with its place, and then goes to the host")
    func errorEvent() throws {
        let lines = try Report().run(
            """
            addEventListener("error", (event) => {
                const { message, filename, lineno, colno, error, cancelable, bubbles, isTrusted } = event;
                console.log([event instanceof ErrorEvent, message, filename, lineno, colno > 0, error === thrown, cancelable, bubbles, isTrusted]
                    .join(" "));
            });
            let thrown;
            setTimeout(() => {
                thrown = new RangeError("late"); throw thrown; }, 1);
            """
        )
        #expect(lines == ["true RangeError: late page.js 8 true true true false true", "host: late"])
    }

    @Test(
        "preventDefault, a handler that returns true and one that throws decide about the report",
        arguments: [
            ("addEventListener('error', (event) => event.preventDefault())", ["end"]),
            ("onerror = () => true", ["end"]),
            ("onerror = () => false", ["host: a", "end"]),
            ("onerror = () => 1", ["host: a", "end"]),
            ("addEventListener('error', () => true)", ["host: a", "end"]),
            ("onerror = () => { throw new Error('b'); }", ["host: b", "host: a", "end"]),
            (
                "addEventListener('error', (event) => { reportError(new Error('b')); event.preventDefault(); })",
                ["host: b", "end"]
            ),
            ("onerror = 7", ["host: a", "end"]),
            ("onerror = { handleEvent() { return true; } }", ["host: a", "end"]),
        ] as [(String, [String])]
    )
    func canceling(_ script: String, _ expected: [String]) throws {
        let lines = try Report().run("\(script); reportError(new Error('a')); console.log('end');")
        #expect(lines == expected)
    }

    @Test("onerror gets five arguments, and one for an event of another class")
    func onerrorArguments() throws {
        let lines = try Report().run(
            """
            onerror = function (...values) {
                console.log(values.length + " " + (this === globalThis) + " " + typeof values[0]);
                return values.length === 5 ? true : undefined;
            };
            reportError(new Error("a"));
            console.log(dispatchEvent(new ErrorEvent("error", { cancelable: true, message: "m" })));
            console.log(dispatchEvent(new Event("error", { cancelable: true })));
            onerror = () => false;
            console.log(dispatchEvent(new Event("error", { cancelable: true })));
            """
        )
        #expect(lines == ["5 true string", "5 true string", "false", "1 true object", "true", "false"])
    }

    @Test("a handler keeps its place among the listeners until it is null, and reads as it was set")
    func handlerPlaces() throws {
        let lines = try Report().run(
            """
            console.log(String(onerror));
            onerror = () => { console.log("first"); };
            addEventListener("error", (event) => { console.log("listener"); event.preventDefault(); });
            onerror = () => { console.log("second"); };
            reportError(1);
            onerror = null;
            onerror = () => { console.log("third"); };
            reportError(2);
            const object = {};
            onerror = object;
            console.log(onerror === object);
            onerror = "text";
            console.log(String(onerror));
            """
        )
        #expect(lines == ["null", "second", "listener", "listener", "third", "true", "null"])
    }

    @Test("reportError takes any value with the place of its call, and runs no getter of it")
    func reportingValues() throws {
        let lines = try Report().run(
            """
            addEventListener("error", (event) => {
                console.log([event.message !== "", event.filename, event.lineno, event.colno > 0, event.error === value].join(" "));
            });
            let value;
            for (value of [1, undefined, null, Symbol("s"), "text"]) {
                reportError(value); }
            value = { get name() { console.log("ran"); }, get message() { console.log("ran"); }, get stack() { console.log("ran"); } };
            reportError(value);
            try { reportError(); } catch (error) { console.log(error.name); }
            """
        )
        #expect(lines.filter { $0 == "true page.js 6 true true" }.count == 5)
        #expect(lines.contains("true page.js 8 true true"))
        #expect(!lines.contains("ran"))
        #expect(lines.last == "TypeError")
        #expect(lines.filter { $0.hasPrefix("host: ") }.count == 6)
    }

    @Test("errors of timers, microtasks and listeners have one event each")
    func sources() throws {
        let lines = try Report().run(
            """
            onerror = (message) => { console.log(message); return true; };
            setTimeout(() => { throw "timer"; }, 1);
            queueMicrotask(() => { throw "microtask"; });
            const target = new EventTarget();
            target.addEventListener("x", () => { throw "listener"; });
            target.dispatchEvent(new Event("x"));
            new AbortController().signal.onabort = 1;
            """
        )
        #expect(lines == ["listener", "microtask", "timer"])
    }

    @Test("an error of the script that the host runs goes to the host alone")
    func thrownToHost() throws {
        let report = try Report()
        #expect(throws: JSException.self) {
            try report.context.evaluate(
                "onerror = () => { console.log('noticed'); return true; }; throw new Error('a')"
            )
        }
        #expect(report.lines.elements == [])
    }

    // MARK: - Rejections

    @Test(
        "WA26 a promise that is unhandled at the end of a turn has one event, one that is handled in it none"
    )
    func unhandledRejection() throws {
        let lines = try Report().run(
            """
            addEventListener("unhandledrejection", (event) => {
                const { promise, reason, cancelable, isTrusted } = event;
                console.log([event instanceof PromiseRejectionEvent, promise === kept, reason, cancelable, isTrusted].join(" "));
                if (reason === "silent") event.preventDefault();
            });
            let kept = Promise.reject("loud");
            Promise.reject("caught").catch(() => {});
            const late = Promise.reject("caught later");
            queueMicrotask(() => { late.catch(() => {}); });
            (async () => { try { await Promise.reject("awaited"); } catch { } })();
            setTimeout(() => { kept = Promise.reject("silent"); }, 1);
            """
        )
        #expect(lines == ["true true loud true true", "host: loud", "true true silent true true"])
    }

    @Test(
        "WA26 a handler after the report has one event, rejectionhandled, as a task of its own",
        .enabled(if: RejectionSupport.current.isAvailable)
    )
    func rejectionHandled() throws {
        let lines = try Report().run(
            """
            onunhandledrejection = (event) => { console.log("unhandled " + event.reason); event.preventDefault(); };
            addEventListener("rejectionhandled", (event) => {
                console.log(["handled", event.reason, event.promise === first, event.cancelable, event.isTrusted].join(" "));
            });
            const first = Promise.reject(1);
            setTimeout(() => { first.catch(() => {}); first.then(() => {}, () => {}); console.log("caught"); }, 1);
            """,
            milliseconds: 4
        )
        #expect(lines == ["unhandled 1", "caught", "handled 1 true false true"])
    }

    @Test(
        "WA26 after the first report, further rejections are reported in order and once",
        .enabled(if: RejectionSupport.current.isAvailable)
    )
    func laterRejections() throws {
        let lines = try Report().run(
            """
            onunhandledrejection = (event) => { console.log("unhandled " + event.reason); event.preventDefault(); };
            onrejectionhandled = (event) => { console.log("handled " + event.reason); };
            Promise.reject(0);
            let kept;
            setTimeout(() => {
                Promise.reject(1);
                kept = Promise.reject(2);
                Promise.reject("never").catch(() => {});
                const late = Promise.reject("never");
                Promise.resolve().then(() => { late.catch(() => {}); });
                (async () => { throw 3; })();
                Promise.reject(4).finally(() => {});
            }, 1);
            setTimeout(() => { kept.catch(() => {}); }, 2);
            """,
            milliseconds: 5
        )
        #expect(
            lines == ["unhandled 0", "unhandled 1", "unhandled 2", "unhandled 3", "unhandled 4", "handled 2"]
        )
    }

    @Test("WA26 a handler that a listener of the event adds causes no second event")
    func handledInListener() throws {
        let lines = try Report().run(
            """
            onunhandledrejection = (event) => { event.promise.catch(() => {}); console.log("unhandled " + event.reason); };
            onrejectionhandled = (event) => { console.log("handled " + event.reason); };
            Promise.reject(1);
            setTimeout(() => { Promise.reject(2); }, 1);
            """,
            milliseconds: 5
        )
        #expect(lines == ["unhandled 1", "host: 1", "unhandled 2", "host: 2"])
    }

    @Test(
        "WA26 without a listener the host alone gets the report, and a listener that comes later learns of handlers",
        .enabled(if: RejectionSupport.current.isAvailable)
    )
    func lateListeners() throws {
        let lines = try Report().run(
            """
            const first = Promise.reject(1);
            setTimeout(() => {
                onrejectionhandled = (event) => { console.log("handled " + event.reason); };
                first.catch(() => {});
            }, 1);
            """,
            milliseconds: 4
        )
        #expect(lines == ["host: 1", "handled 1"])
    }

    @Test("WA26 a rejection in a listener of the event is reported too")
    func nestedRejection() throws {
        let lines = try Report().run(
            """
            let count = 0;
            onunhandledrejection = (event) => {
                console.log("unhandled " + event.reason);
                event.preventDefault();
                if (count++ < 2) Promise.reject("nested " + count);
            };
            Promise.reject("first");
            """
        )
        #expect(lines == ["unhandled first", "unhandled nested 1", "unhandled nested 2"])
    }

    @Test("an error of a listener of the event is an uncaught error, and the rejection is still reported")
    func failingListener() throws {
        let lines = try Report().run(
            """
            onerror = (message) => { console.log("error " + message); return true; };
            onunhandledrejection = () => { throw "thrown"; };
            Promise.reject("reason");
            """
        )
        #expect(lines == ["error thrown", "host: reason"])
    }

    @Test("the minimal set reports errors and rejections to the host alone")
    func minimal() throws {
        let lines = try Report(globals: .minimal).run(
            """
            globalThis.onerror = globalThis.onunhandledrejection = () => { console.log("noticed"); return true; };
            setTimeout(() => { throw new Error("a"); }, 1);
            Promise.reject(new Error("b"));
            """
        )
        #expect(lines == ["host: b", "host: a"])
    }

    @Test("many rejections that are handled in their turn leave nothing behind")
    func manyRejections() throws {
        let report = try Report()
        let lines = try report.run(
            """
            Promise.reject("first");
            setTimeout(() => {
                for (let count = 0; count < 20000; count++) Promise.reject(count).catch(() => {});
                for (let count = 0; count < 50; count++) Promise.reject("last");
            }, 1);
            """
        )
        #expect(lines.count == 51)
        #expect(lines.allSatisfy { $0 == "host: last" || $0 == "host: first" })
    }

    @Test("the hook of rejections is used with tested versions, where the self-test passes")
    func support() {
        let feature = RejectionSupport.feature
        #expect(!feature.decide(setting: nil, version: "2.40.0") { nil }.isAvailable)
        guard feature.isTestedProcessor else { return }
        #expect(feature.decide(setting: nil, version: "2.50.6") { nil }.isAvailable)
        let refused = feature.decide(setting: nil, version: "2.50.6") { "a difference" }
        #expect(refused.reason.contains("a difference"))
    }

    // MARK: - Classes

    @Test("the constructors of the events convert their options as Web IDL does")
    func constructors() throws {
        let context = try JSContext()
        let result = try context.evaluate(
            """
            (() => {
                const read = [], options = new Proxy({}, { get(_, key) { read.push(key); } });
                const lines = [];
                new ErrorEvent("x", options);
                lines.push(read.join());
                const empty = new ErrorEvent("x");
                lines.push([empty.message, empty.filename, empty.lineno, empty.colno, String(empty.error)].join());
                const event = new ErrorEvent("x", { message: 1, filename: "a\\uD800", lineno: -1, colno: 4294967298.9, error: options, bubbles: true });
                lines.push([event.message, event.filename === "a\\uFFFD", event.lineno, event.colno, event.error === options, event.bubbles].join());
                const failures = [
                    () => new PromiseRejectionEvent("x"), () => new PromiseRejectionEvent(), () => new PromiseRejectionEvent("x", {}),
                    () => new PromiseRejectionEvent("x", { promise: 1 }), () => new ErrorEvent(), () => new ErrorEvent("x", 1),
                    () => ErrorEvent("x"), () => new ErrorEvent("x", { lineno: 1n }), () => new ErrorEvent("x", { filename: Symbol() }),
                ];
                for (const fail of failures) {
                    try { fail(); lines.push("none"); } catch (error) { if (!(error instanceof TypeError)) lines.push(String(error)); }
                }
                const promise = Promise.resolve(), thenable = { then() {} };
                lines.push(new PromiseRejectionEvent("x", { promise, reason: 5 }).reason);
                lines.push(new PromiseRejectionEvent("x", { promise }).reason === undefined);
                lines.push(new PromiseRejectionEvent("x", { promise }).promise === promise);
                lines.push(new PromiseRejectionEvent("x", { promise: thenable }).promise === thenable);
                class Own extends ErrorEvent {}
                lines.push(new Own("x", { message: "m" }).message + (new Own("x") instanceof ErrorEvent) + new Own("x").isTrusted);
                return lines.join("\\n");
            })()
            """
        ).toValue()
        #expect(
            result == """
                bubbles,cancelable,composed,colno,error,filename,lineno,message
                ,,0,0,undefined
                1,true,4294967295,2,true,true
                5
                true
                true
                true
                mtruefalse
                """
        )
    }
}
