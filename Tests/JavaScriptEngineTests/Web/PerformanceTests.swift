import BridgeTesting
import BridgeValues
import JavaScriptEngine
import TestSupport
import Testing

@Suite(.noLeaks) struct PerformanceTests {
    private struct Clocked {
        let context: JSContext
        let clock = ManualClock()
        let lines = Recorder<String>()

        init(limits: ExecutionLimits = ExecutionLimits()) throws {
            context = try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
            context.clock = clock
            context.consoleSink = { [lines] in lines.add($0.text) }
        }

        func run(_ script: String) throws -> [String] {
            try context.evaluate("{ const log = (...values) => console.log(...values); \(script) }")
            for _ in 0..<3 {
                clock.advance(by: .milliseconds(1))
                try context.runDueTimers()
            }
            return lines.elements
        }
    }

    @Test("the clock of performance is that of the context, from its start")
    func now() throws {
        let page = try Clocked()
        #expect(try page.context.evaluate("performance.now()").toValue() == 0)
        page.clock.advance(by: .microseconds(1500))
        #expect(try page.context.evaluate("performance.now()").toValue() == 1.5)
        #expect(try page.context.evaluate("new Event('x').timeStamp === performance.now()").toValue() == true)
    }

    @Test("the clock has steps of 5 us for trusted scripts and of 100 us for others")
    func precision() throws {
        let trusted = try Clocked()
        let constrained = try Clocked(limits: .constrained)
        for page in [trusted, constrained] { page.clock.advance(by: .microseconds(1237)) }
        #expect(try trusted.context.evaluate("performance.now()").toValue() == 1.235)
        #expect(try constrained.context.evaluate("performance.now()").toValue() == 1.2)
        #expect(try constrained.context.evaluate("new Event('x').timeStamp").toValue() == 1.2)
    }

    @Test("the time origin and now are the present time, never go back, and are the whole JSON")
    func timeOrigin() throws {
        let context = try JSContext()
        #expect(
            try context.evaluate(
                """
                const before = performance.now(), after = performance.now();
                before <= after && Math.abs(performance.timeOrigin + performance.now() - Date.now()) < 500
                    && performance.timeOrigin === performance.timeOrigin
                    && JSON.stringify(performance) === `{"timeOrigin":${performance.timeOrigin}}`
                    && Object.getPrototypeOf(performance.toJSON()) === Object.prototype
                """
            ).toValue() == true
        )
    }

    @Test("performance is one object, an EventTarget")
    func object() throws {
        let page = try Clocked()
        #expect(
            try page.run(
                """
                performance.addEventListener("x", function (event) { log(this === performance, event.target === performance); });
                performance.dispatchEvent(new Event("x"));
                log(performance === self.performance, performance instanceof EventTarget, String(performance));
                """
            ) == ["true true", "true true [object Performance]"]
        )
    }

    @Test("marks have the time and a copy of the detail, and the constructor records none")
    func marks() throws {
        let page = try Clocked()
        page.clock.advance(by: .milliseconds(7))
        #expect(
            try page.run(
                """
                const detail = { list: [1] };
                const mark = performance.mark("a", { detail });
                detail.list.push(2);
                log(mark instanceof PerformanceMark, mark instanceof PerformanceEntry, mark.name, mark.entryType, mark.startTime, mark.duration,
                    mark.detail.list.length, mark.detail === mark.detail);
                log(performance.mark("b", { startTime: 3 }).startTime, performance.mark("c").detail, performance.mark("d", { detail: null }).detail);
                log(new PerformanceMark("e", { detail: 0, startTime: 1.25 }).startTime, new PerformanceMark("e").startTime);
                log(performance.getEntries().map(({ name }) => name).join());
                log(JSON.stringify(performance.mark("f", { detail: 1 })));
                """
            ) == [
                "true true a mark 7 0 1 true", "3 null null", "1.25 7", "b,a,c,d",
                #"{"name":"f","entryType":"mark","startTime":7,"duration":0,"detail":1}"#,
            ]
        )
    }

    @Test(
        "a mark or a measure that is not well formed throws the error of the standard",
        arguments: [
            ("performance.mark()", "TypeError"), ("new PerformanceMark()", "TypeError"),
            ("PerformanceMark('a')", "TypeError"),
            ("performance.mark('a', { startTime: -1 })", "TypeError"),
            ("performance.mark('a', { startTime: NaN })", "TypeError"),
            ("performance.mark('a', { startTime: Infinity })", "TypeError"),
            ("performance.mark('a', 1)", "TypeError"),
            ("performance.mark('a', 'b')", "TypeError"), ("performance.mark(Symbol())", "TypeError"),
            ("performance.mark('a', { detail: Symbol() })", "DataCloneError"),
            ("performance.mark('a', { detail() {} })", "DataCloneError"),
            ("performance.measure()", "TypeError"), ("performance.measure('m', 'none')", "SyntaxError"),
            ("performance.measure('m', 'x', 'none')", "SyntaxError"),
            ("performance.measure('m', { start: 'none' })", "SyntaxError"),
            ("performance.measure('m', { end: 'none' })", "SyntaxError"),
            ("performance.measure('m', { start: 1 }, 'x')", "TypeError"),
            ("performance.measure('m', { duration: 1 })", "TypeError"),
            ("performance.measure('m', { detail: 1 })", "TypeError"),
            ("performance.measure('m', { start: 1, end: 2, duration: 3 })", "TypeError"),
            ("performance.measure('m', { start: -1 })", "TypeError"),
            ("performance.measure('m', { end: -1 })", "TypeError"),
            ("performance.measure('m', { start: 1, duration: NaN })", "TypeError"),
            ("performance.measure('m', 5)", "SyntaxError"),
            ("performance.measure('m', { start: NaN })", "TypeError"),
            ("performance.getEntriesByName()", "TypeError"),
            ("performance.getEntriesByType()", "TypeError"), ("new PerformanceObserver()", "TypeError"),
            ("new PerformanceObserver({})", "TypeError"),
            ("new PerformanceObserver(() => {}).observe()", "TypeError"),
            (
                "new PerformanceObserver(() => {}).observe({ type: 'mark', entryTypes: ['mark'] })",
                "TypeError"
            ),
            ("new PerformanceObserver(() => {}).observe({ entryTypes: 'mark' })", "TypeError"),
            ("new PerformanceObserver(() => {}).observe({ entryTypes: 1 })", "TypeError"),
            (
                "(o => { o.observe({ type: 'mark' }); o.observe({ entryTypes: ['mark'] }); })(new PerformanceObserver(() => {}))",
                "InvalidModificationError"
            ),
            ("performance.measure('m', {}, 'x')", "none"), ("performance.measure('m', null, 'x')", "none"),
            ("performance.measure('m', undefined, undefined)", "none"),
        ]
    )
    func failures(_ call: String, _ name: String) throws {
        let context = try JSContext()
        let result = try context.evaluate(
            "performance.mark('x'); (() => { try { \(call); return 'none'; } catch (error) { return error.name; } })()"
        ).toValue()
        #expect(result == .string(name))
    }

    @Test("measures take their times from marks, numbers and the present")
    func measures() throws {
        let page = try Clocked()
        page.clock.advance(by: .milliseconds(20))
        #expect(
            try page.run(
                """
                performance.mark("a", { startTime: 5 });
                performance.mark("b", { startTime: 9 });
                performance.mark("a", { startTime: 6 });
                const times = (...values) => {
                    const measure = performance.measure("m", ...values);
                    log(measure.startTime, measure.duration, measure.detail, measure instanceof PerformanceMeasure);
                };
                times(); times("a"); times("a", "b"); times(undefined, "b"); times({ start: "a" }); times({ end: "b" });
                times({ start: 1, end: 3 }); times({ start: 1, duration: 3 }); times({ end: 8, duration: 3 });
                times({ start: "a", end: "b", detail: 7 }); times({ start: 9, end: 5 });
                """
            ) == [
                "0 20 null true", "6 14 null true", "6 3 null true", "0 9 null true", "6 14 null true",
                "0 9 null true",
                "1 2 null true", "1 3 null true", "5 3 null true", "6 3 7 true", "9 -4 null true",
            ]
        )
    }

    @Test("entries are listed in the order of their start, by name and type, and cleared by name")
    func timeline() throws {
        let page = try Clocked()
        #expect(
            try page.run(
                """
                const names = (list) => list.map(({ name, entryType }) => entryType[1] + name).join();
                for (const [name, startTime] of [["a", 9], ["b", 3], ["a", 3], ["c", 1]]) performance.mark(name, { startTime });
                performance.measure("a", { start: 3, end: 4 });
                performance.measure("d", { start: 0, end: 1 });
                log(names(performance.getEntries()));
                log(names(performance.getEntriesByType("mark")), names(performance.getEntriesByType("measure")), performance.getEntriesByType("Mark").length);
                log(names(performance.getEntriesByName("a")), names(performance.getEntriesByName("a", "measure")), performance.getEntriesByName("A").length);
                performance.clearMarks("a"); performance.clearMarks("none");
                log(names(performance.getEntries()));
                performance.clearMeasures();
                log(names(performance.getEntries()));
                performance.clearMarks(undefined);
                log(performance.getEntries().length, performance.getEntries() !== performance.getEntries());
                """
            ) == [
                "ed,ac,ab,aa,ea,aa", "ac,ab,aa,aa ed,ea 0", "aa,ea,aa ea 0", "ed,ac,ab,ea", "ac,ab", "0 true",
            ]
        )
    }

    @Test("observers are called once after the code, with the entries of their types")
    func observers() throws {
        let page = try Clocked()
        #expect(
            try page.run(
                """
                const names = (list) => list.map(({ name }) => name).join();
                performance.mark("before");
                const marks = new PerformanceObserver(function (list, observer, options) {
                    log("marks", names(list.getEntries()), this === marks, observer === marks, list instanceof PerformanceObserverEntryList,
                        options.droppedEntriesCount);
                    log(names(list.getEntriesByType("mark")), list.getEntriesByType("measure").length, names(list.getEntriesByName("a")),
                        list.getEntriesByName("a", "measure").length);
                });
                marks.observe({ type: "mark", buffered: true });
                const both = new PerformanceObserver((list) => { log("both", names(list.getEntries())); throw new Error("uncaught"); });
                both.observe({ entryTypes: ["measure", "mark", "unknown"] });
                const taken = new PerformanceObserver(() => log("never"));
                taken.observe({ type: "measure" });
                const gone = new PerformanceObserver(() => log("never"));
                gone.observe({ entryTypes: ["mark"] });
                performance.mark("b", { startTime: 2 }); performance.mark("a", { startTime: 1 }); performance.measure("m");
                gone.disconnect();
                log("taken", names(taken.takeRecords()), taken.takeRecords().length);
                new PerformanceObserver(() => log("never")).observe({ entryTypes: ["unknown"] });
                log(PerformanceObserver.supportedEntryTypes.join(), PerformanceObserver.supportedEntryTypes === PerformanceObserver.supportedEntryTypes,
                    Object.isFrozen(PerformanceObserver.supportedEntryTypes));
                """
            ) == [
                "taken m 0", "mark,measure true true", "marks before,a,b true true true 0",
                "before,a,b 0 a 0", "both m,a,b",
            ]
        )
    }

    @Test("100,000 entries are sorted and cleared without a deep stack")
    func manyEntries() throws {
        let context = try JSContext()
        let result = try context.evaluate(
            """
            for (let count = 0; count < 100000; count++) performance.mark("m", { startTime: (count * 7919) % 100000 });
            const list = performance.getEntries();
            let isSorted = true;
            for (let index = 1; index < list.length; index++) if (list[index - 1].startTime > list[index].startTime) isSorted = false;
            performance.clearMarks();
            [list.length, isSorted, performance.getEntries().length].join()
            """
        ).toValue()
        #expect(result == "100000,true,0")
    }
}
