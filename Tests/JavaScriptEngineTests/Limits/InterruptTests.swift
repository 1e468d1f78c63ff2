import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptEngine
import Synchronization
import TestSupport
import Testing

extension LimitTests {
    /// Interrupts: another thread ends the running turn, and nothing else.
    @Suite struct InterruptTests {
        private static let endless = [
            "for (;;) {}", "for (;;) { try { for (;;) {} } catch {} finally { for (;;) {} } }",
            "({ get x() { for (;;) {} } }).x",
        ]

        /// Creates a context without a time limit, whose function `started` makes another thread interrupt it.
        private func makeContext(reason: String = "enough") throws -> JSContext {
            let context = try JSContext(
                virtualMachine: JSVirtualMachine(limits: ExecutionLimits(processorTime: nil))
            )
            let handle = context.virtualMachine.interruptHandle
            let started = try context.makeFunction(named: "started") { _ in
                // A new thread, because endless scripts may use all shared ones.
                Thread.detachNewThread { handle.interrupt(reason: reason) }
                return nil
            }
            try context.globalObject.setValue(started, forProperty: "started")
            return context
        }

        @Test(
            "an interrupt ends an endless script without a time limit, 20 times in one machine",
            arguments: endless
        )
        func interrupts(script: String) throws { try interrupt(script) }

        @Test(
            "an interrupt ends an endless chain of promises without a time limit, 20 times in one machine",
            .needs(.drainMicrotasks)
        )
        func interruptsFloods() throws { try interrupt("(async () => { for (;;) await 0 })()") }

        private func interrupt(_ script: String) throws {
            let context = try makeContext()
            for round in 0..<20 {
                let error = try #require(throws: JSException.self) {
                    try context.evaluate("started(); \(script)", sourceURL: "endless.js")
                }
                #expect(error.isTermination)
                #expect(error.termination == .interrupted("enough"), "round \(round)")
                #expect("\(error)".contains("enough"))
                #expect(try context.evaluate("6 * 7").toValue() == 42)
            }
        }

        @Test("an interrupt is not kept: without an open turn it returns false and ends nothing")
        func noTurn() throws {
            let context = try makeContext()
            let handle = context.virtualMachine.interruptHandle
            #expect(!handle.interrupt(reason: "too early"))
            #expect(try context.evaluate("1 + 1").toValue() == 2)
            #expect(!handle.interrupt(reason: "too late"))
            #expect(try context.evaluate("1 + 1").toValue() == 2)
        }

        @Test("an interrupt that found an open turn ends it, even if the script had completed")
        func lastMoment() throws {
            let context = try makeContext()
            let handle = context.virtualMachine.interruptHandle
            for _ in 0..<20 {
                let error = try #require(throws: JSException.self) {
                    try context.withTurn { #expect(handle.interrupt(reason: "first")) }
                }
                #expect(error.termination == .interrupted("first"))
            }
            #expect(try context.evaluate("1 + 1").toValue() == 2)
        }

        @Test("the first of several reasons is reported, and the rest of the turn does not run")
        func firstReason() throws {
            let context = try makeContext()
            let handle = context.virtualMachine.interruptHandle
            let interrupt = try context.makeFunction(named: "interrupt") { _ in
                #expect(handle.interrupt(reason: "first"))
                #expect(handle.interrupt(reason: "second"))
                return nil
            }
            try context.globalObject.setValue(interrupt, forProperty: "interrupt")
            for _ in 0..<20 {
                let error = try #require(throws: JSException.self) {
                    try context.withTurn {
                        _ = try? context.evaluate("var after = 0; interrupt(); after = 1")
                        #expect(throws: JSException.self) { try context.evaluate("after = 2") }
                    }
                }
                #expect(error.termination == .interrupted("first"))
                #expect(try context.evaluate("after").toValue() == 0)
            }
        }

        /// Posts two messages, and returns what their receiver gets although a turn is interrupted.
        private func receive(_ end: String, interruptsBefore count: Int) throws -> Value {
            let context = try makeContext()
            context.clock = ManualClock()
            let observer = TimerInterrupter(in: context, count: count)
            context.hooks.observer = observer
            try context.evaluate(
                """
                const { port1, port2 } = new MessageChannel(), received = [];
                port1.onmessage = ({ data }) => { received.push(data); \(end) };
                port2.onclose = () => { received.push("closed"); \(end) };
                port2.postMessage(1);
                port2.postMessage(2);
                port1.close();
                """
            )
            var interruptions = 0
            for _ in 0..<20 where context.nextTimerDeadline != nil {
                do { try context.runDueTimers() } catch { interruptions += 1 }
            }
            #expect(context.nextTimerDeadline == nil)
            #expect(interruptions > 0 && observer.remainingCount == 0)
            return try context.evaluate("received").toValue()
        }

        @Test("R5 messages are delivered although a turn was interrupted before the delivery began")
        func beforeDelivery() throws {
            #expect(try receive("", interruptsBefore: 1) == [1, 2, "closed"])
        }

        @Test(
            "R5 timers fire although turns were interrupted before their callbacks began, and an interrupted one once"
        )
        func timers() throws {
            let context = try makeContext()
            let clock = ManualClock()
            context.clock = clock
            let observer = TimerInterrupter(in: context, count: 3)
            context.hooks.observer = observer
            try context.evaluate(
                """
                const fired = [];
                setTimeout(() => { fired.push("first"); }, 1);
                setTimeout(() => { fired.push("second"); }, 1);
                let rounds = 0;
                const interval = setInterval(() => { if (++rounds === 2) clearInterval(interval); fired.push("round"); }, 1);
                setTimeout(() => { fired.push("endless"); started(); for (;;) {} }, 5);
                setInterval(() => { fired.push("endless round"); started(); for (;;) {} }, 5);
                setTimeout(() => { fired.push("last"); }, 5);
                """
            )
            for _ in 0..<20 {
                try? context.runDueTimers()
                clock.advance(by: .milliseconds(1))
            }
            #expect(observer.remainingCount == 0 && context.nextTimerDeadline == nil)
            let fired = try context.evaluate("fired.join()").toValue()
            #expect(fired == "first,second,round,endless,endless round,last,round")
        }

        @Test("R5 a receiver that was interrupted gets each message once")
        func receiverInterrupted() throws {
            #expect(try receive("started(); for (;;) {}", interruptsBefore: 0) == [1, 2, "closed"])
        }

        @Test("the error of an interrupt has the script's stack and position")
        func stack() throws {
            let context = try makeContext()
            let error = try #require(throws: JSException.self) {
                try context.evaluate(
                    "function inner() { started();\nfor (;;) {} }\nfunction outer() { inner() }\nouter()",
                    sourceURL: "loop.js"
                )
            }
            // The other thread may be fast enough to interrupt `started`.
            let functions: [String?] = error.frames.map(\.function)
            #expect(functions.drop { $0 == "started" }.prefix(2) == ["inner", "outer"])
            #expect(error.sourceURL == "loop.js")
        }

        @Test(
            "interrupts from four threads while turns open and close end only turns that were open at the time"
        )
        func races() throws {
            let context = try JSContext(
                virtualMachine: JSVirtualMachine(limits: ExecutionLimits(processorTime: nil))
            )
            let handle = context.virtualMachine.interruptHandle
            let shared = Shared()
            let threads = DispatchGroup()
            for _ in 0..<4 {
                threads.enter()
                Thread.detachNewThread {
                    defer { threads.leave() }
                    while !shared.isDone.load(ordering: .relaxed) {
                        if handle.interrupt(reason: "race") { shared.accepted.add(1, ordering: .relaxed) }
                    }
                }
            }
            var ended = 0
            for _ in 0..<1_000_000 where ended < 200 {
                do {
                    try context.evaluate("1")
                } catch let error as JSException {
                    #expect(error.termination == .interrupted("race"))
                    ended += 1
                }
            }
            shared.isDone.store(true, ordering: .relaxed)
            threads.wait()
            #expect(ended == 200)
            #expect(shared.accepted.load(ordering: .relaxed) >= ended)
            #expect(try context.evaluate("1 + 1").toValue() == 2)
        }

        private final class Shared: Sendable {
            let isDone = Atomic(false)
            let accepted = Atomic(0)
        }
    }
}
