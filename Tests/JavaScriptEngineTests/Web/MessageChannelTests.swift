import BridgeTesting
import BridgeValues
import JavaScriptEngine
import TestSupport
import Testing

@Suite(.noLeaks) struct MessageChannelTests {
    /// Returns the lines that a script logs while its messages are delivered.
    private func lines(_ script: String, milliseconds: Int = 4) throws -> [String] {
        let context = try JSContext()
        let clock = ManualClock()
        let lines = Recorder<String>()
        context.clock = clock
        context.consoleSink = { lines.add($0.text) }
        context.uncaughtErrorHandler = { lines.add("host: \($0.message)") }
        try context.evaluate(
            "const { port1, port2 } = new MessageChannel(); const log = (...values) => console.log(...values);"
        )
        try context.evaluate(script)
        for _ in 0..<milliseconds {
            clock.advance(by: .milliseconds(1))
            try context.runDueTimers()
        }
        return lines.elements
    }

    @Test("a message arrives as a copy, in a turn of its own, before the microtasks of the next one")
    func delivery() throws {
        let result = try lines(
            """
            const sent = { list: [1], date: new Date(0) };
            port1.onmessage = (event) => {
                log(event instanceof MessageEvent, event.isTrusted, event.target === port1, event.data === sent, event.data.list?.length,
                    event.origin, event.source, event.ports.length, Object.isFrozen(event.ports), event.ports === event.ports);
                queueMicrotask(() => log("microtask"));
            };
            port2.postMessage(sent);
            sent.list.push(2);
            port2.postMessage("second");
            log("sent");
            """
        )
        #expect(
            result == [
                "sent", "true true true false 1  null 0 true true", "microtask",
                "true true true false undefined  null 0 true true", "microtask",
            ]
        )
    }

    @Test("messages and timers are delivered in the order of their start")
    func order() throws {
        let result = try lines(
            """
            port1.onmessage = ({ data }) => log(data);
            setTimeout(log, 0, "timer 1");
            for (let index = 0; index < 200; index++) port2.postMessage(index);
            setTimeout(log, 0, "timer 2");
            """
        )
        let numbers: [String] = (0..<200).map { "\($0)" }
        #expect(result == ["timer 1"] + numbers + ["timer 2"])
    }

    @Test("onmessage starts a port, addEventListener does not, and start delivers what has waited")
    func starting() throws {
        #expect(
            try lines("port1.addEventListener('message', () => log('never')); port2.postMessage(1)") == []
        )
        #expect(
            try lines(
                """
                port1.addEventListener('message', ({ data }) => log(data)); port2.postMessage(1); port2.postMessage(2);
                setTimeout(() => { port1.start(); port1.start(); }, 1);
                """
            ) == ["1", "2"]
        )
        #expect(
            try lines(
                "port2.postMessage(1); setTimeout(() => { port1.onmessage = ({ data }) => log(data); }, 1)"
            ) == ["1"]
        )
        #expect(
            try lines(
                "port1.onmessage = null; port1.addEventListener('message', ({ data }) => log(data)); port2.postMessage(1)"
            ) == ["1"]
        )
    }

    @Test("a closed port sends and receives nothing more, but what was sent before arrives")
    func closing() throws {
        #expect(try lines("port1.onmessage = () => log('never'); port1.close(); port2.postMessage(1)") == [])
        #expect(try lines("port1.onmessage = () => log('never'); port2.close(); port2.postMessage(1)") == [])
        #expect(
            try lines(
                "port1.onmessage = ({ data }) => log(data); port2.postMessage(1); port2.close(); port2.close()"
            )
                == ["1"]
        )
        #expect(
            try lines(
                """
                port1.onmessage = ({ data }) => { log(data); port1.close(); };
                port2.postMessage(1); port2.postMessage(2);
                setTimeout(() => port2.postMessage(3), 1);
                """
            ) == ["1", "2"]
        )
    }

    @Test("the other port gets a close event, after the messages")
    func closeEvent() throws {
        #expect(
            try lines(
                """
                port1.onmessage = ({ data }) => log(data);
                port1.onclose = (event) => log(event.type, event.constructor === Event, event.isTrusted);
                port2.onclose = () => log("never");
                port2.postMessage(1); port2.close();
                """
            ) == ["1", "close true true"]
        )
    }

    @Test("a port moves with its queue, and is detached where it was")
    func movingPorts() throws {
        #expect(
            try lines(
                """
                const other = new MessageChannel();
                port1.onmessage = ({ data, ports }) => {
                    log(data.inside === ports[0], ports[0] instanceof MessagePort, ports[0] === other.port1, ports.length);
                    ports[0].onmessage = ({ data }) => log(data);
                    ports[0].postMessage("back");
                };
                other.port2.onmessage = ({ data }) => log(data);
                other.port2.postMessage("before");
                port2.postMessage({ inside: other.port1 }, [other.port1]);
                other.port2.postMessage("after");
                other.port1.postMessage("never");
                other.port1.onmessage = () => log("never");
                try { port2.postMessage(1, [other.port1]); } catch (error) { log(error.name); }
                """
            ) == ["DataCloneError", "true true false 1", "before", "after", "back"]
        )
    }

    @Test("a port moves through three channels and keeps every message")
    func movingThrice() throws {
        #expect(
            try lines(
                """
                const carried = new MessageChannel();
                let hops = 0;
                function hop(port) {
                    if (hops++ === 3) { port.onmessage = ({ data }) => log(data); return; }
                    const carrier = new MessageChannel();
                    carrier.port1.onmessage = ({ ports }) => hop(ports[0]);
                    carrier.port2.postMessage(null, [port]);
                    carried.port2.postMessage(hops);
                }
                hop(carried.port1);
                setTimeout(() => carried.port2.postMessage("end"), 3);
                """,
                milliseconds: 12
            ) == ["1", "2", "3", "end"]
        )
    }

    @Test("structuredClone moves ports")
    func cloningPorts() throws {
        #expect(
            try lines(
                """
                const copy = structuredClone({ port: port1 }, { transfer: [port1] });
                log(copy.port instanceof MessagePort, copy.port === port1);
                copy.port.onmessage = ({ data }) => log(data);
                port2.postMessage("moved");
                try { structuredClone(port2); } catch (error) { log(error.name, error.message); }
                try { structuredClone(null, { transfer: [port2, port2] }); } catch (error) { log(error.name, error.message); }
                """
            ) == [
                "true false", "DataCloneError value cannot be cloned: it is an object that is not data",
                "DataCloneError an object is transferred twice", "moved",
            ]
        )
    }

    @Test("buffers move with a message, and a message that cannot be copied moves nothing")
    func movingBuffers() throws {
        #expect(
            try lines(
                """
                port1.onmessage = ({ data, ports }) => log(new Uint8Array(data)[0], ports.length);
                const buffer = new Uint8Array([7]).buffer;
                try { port2.postMessage(() => {}, [buffer]); } catch (error) { log(error.name, buffer.byteLength); }
                port2.postMessage(buffer, { transfer: [buffer] });
                log(buffer.byteLength);
                try { port2.postMessage(buffer, [buffer]); } catch (error) { log(error.name); }
                """
            ) == ["DataCloneError 1", "0", "DataCloneError", "7 0"]
        )
    }

    @Test("a port cannot move through itself, and one that is sent to itself is lost")
    func ownPorts() throws {
        #expect(
            try lines(
                """
                port1.onmessage = () => log("never");
                try { port2.postMessage(null, [port2]); } catch (error) { log(error.name); }
                port2.postMessage(null, [port1]);
                log("sent");
                """
            ) == ["DataCloneError", "sent"]
        )
    }

    @Test(
        "the second argument is a sequence or a dictionary, by Web IDL's rules",
        arguments: [
            ("undefined", "1"), ("null", "1"), ("{}", "1"), ("[]", "1"), ("new Set()", "1"),
            ("{ transfer: [] }", "1"),
            ("1", "TypeError"), ("'x'", "TypeError"), ("[1]", "TypeError"), ("{ transfer: 1 }", "TypeError"),
            ("[null]", "TypeError"),
            ("[{}]", "DataCloneError"), ("{ transfer: [{}] }", "DataCloneError"),
            ("{ [Symbol.iterator]: 1 }", "TypeError"),
        ]
    )
    func secondArgument(_ argument: String, _ expected: String) throws {
        let result = try lines(
            """
            port1.onmessage = ({ data }) => log(data);
            try { port2.postMessage(1, \(argument)); } catch (error) { log(error.name); }
            """
        )
        #expect(result == [expected])
    }

    @Test("postMessage needs a message, and an error of a handler is an uncaught error")
    func errors() throws {
        #expect(try lines("try { port1.postMessage(); } catch (error) { log(error.name); }") == ["TypeError"])
        #expect(
            try lines(
                "port1.onmessage = () => { throw new Error('boom'); }; port2.postMessage(1); port2.postMessage(2)"
            )
                == ["host: boom", "host: boom"]
        )
    }

    @Test("a MessageEvent has the defaults and conversions of the standard")
    func messageEvents() throws {
        #expect(
            try lines(
                """
                const plain = new MessageEvent("x");
                log(plain.data, plain.origin === "", plain.lastEventId === "", plain.source, plain.ports.length);
                const event = new MessageEvent("x", { data: 5, origin: "o", lastEventId: 3, source: port1, ports: [port1, port2], bubbles: true });
                log(event.data, event.origin, event.lastEventId, event.source === port1, event.ports[1] === port2, event.bubbles,
                    event.ports === event.ports, Object.isFrozen(event.ports));
                log(new MessageEvent("x", { source: globalThis }).source === globalThis, new MessageEvent("x", { data: undefined }).data);
                for (const options of [{ source: {} }, { ports: 1 }, { ports: [{}] }, { ports: [null] }, 1]) {
                    try { new MessageEvent("x", options); log("none"); } catch (error) { log(error.name); }
                }
                event.initMessageEvent("y", false, true, "d", "p", "i", null, [port2]);
                log(event.type, event.bubbles, event.cancelable, event.data, event.origin, event.lastEventId, event.source, event.ports[0] === port2);
                event.initMessageEvent("z");
                log(event.type, event.data, event.origin === "", event.ports.length);
                """
            ) == [
                "null true true null 0", "5 o 3 true true true true true", "true null", "TypeError",
                "TypeError", "TypeError",
                "TypeError", "TypeError", "y false true d p i null true", "z null true 0",
            ]
        )
    }

    @Test("a pending message keeps a run alive, and a port that waits does not")
    func keepingAlive() throws {
        let context = try JSContext()
        let clock = ManualClock()
        context.clock = clock
        try context.evaluate("const c = new MessageChannel(); c.port1.onmessage = () => {};")
        #expect(!context.hasReferencedTimers)
        try context.evaluate("c.port2.postMessage(1)")
        #expect(context.hasReferencedTimers)
        clock.advance(by: .milliseconds(1))
        try context.runDueTimers()
        #expect(!context.hasReferencedTimers)
    }

    @Test("ports that nothing refers to are collected, with their queues")
    func collection() throws {
        let context = try JSContext()
        try context.evaluate(
            """
            const refs = [];
            for (let count = 0; count < 200; count++) {
                const channel = new MessageChannel();
                channel.port2.postMessage(new ArrayBuffer(1000));
                refs.push(new WeakRef(channel.port1));
            }
            """
        )
        context.virtualMachine.collectGarbage()
        let alive =
            try context.evaluate("refs.filter((ref) => ref.deref() !== undefined).length").toValue()
            .doubleValue ?? 200
        // The collector is conservative about what a stack may refer to.
        #expect(alive < 20)
    }
}
