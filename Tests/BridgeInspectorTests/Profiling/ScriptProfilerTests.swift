import Foundation
import JavaScriptBridge
import JavaScriptEngine
import Testing

@testable import BridgeInspector

/// Profiles, snapshots and coverage of scripts that run.
@Suite(.enabled(if: Capabilities.current.inspector.isAvailable)) struct ScriptProfilerTests {
    private func bridge(_ profiler: ScriptProfiler) throws -> Bridge {
        var configuration = BridgeConfiguration()
        configuration.isolation = .thread
        configuration.inspector = profiler
        configuration.executionLimits.processorTime = .seconds(1)
        return try Bridge(configuration: configuration)
    }

    private static let hot = """
        function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        function work() { let sum = 0; for (let i = 0; i < 20; i++) sum += fib(20); return sum; }
        """

    @Test("R37 a profile has the functions that took the time, and is valid")
    func cpuProfile() async throws {
        let profiler = try ScriptProfiler(recording: [.cpuProfile])
        let bridge = try bridge(profiler)
        defer { bridge.close() }
        try await bridge.load(.text(Self.hot + "\nwork(); work();", name: "hot.js"))
        let profile = try await profiler.cpuProfile()
        let fib = try #require(profile.functions.first { $0.callFrame.functionName == "fib" })
        #expect(fib.callFrame.url == "hot.js" && fib.callFrame.lineNumber == 0)
        let work = try #require(profile.functions.first { $0.callFrame.functionName == "work" })
        #expect(work.callFrame.lineNumber == 1 && work.totalTime >= fib.selfTime)
        #expect(profile.functions.first { $0.callFrame.url == "hot.js" } == fib)
        // The package's own scripts are not named.
        #expect(
            !profile.nodes.contains {
                $0.callFrame.url.hasPrefix("jsbridge:") && !$0.callFrame.url.hasSuffix(":")
            }
        )
        let collected = CollectedBytes()
        try profile.write { collected.bytes += $0 }
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(collected.bytes)) as? [String: Any]
        )
        #expect(ChromeProfileCheck.problems(of: object).isEmpty)
        #expect(try await profiler.cpuProfile() == profile)
    }

    @Test("a function of Swift that a script calls is a frame with its time")
    func nativeFrame() async throws {
        let profiler = try ScriptProfiler(recording: [.cpuProfile])
        let bridge = try bridge(profiler)
        defer { bridge.close() }
        try await bridge.withContext { context in
            let function = try context.makeFunction(named: "countInSwift") { _ in
                let end = ContinuousClock.now + .milliseconds(200)
                while ContinuousClock.now < end {}
                return nil
            }
            try context.globalObject.setValue(function, forProperty: "countInSwift")
        }
        try await bridge.load(.text("function caller() { countInSwift(); }\ncaller();", name: "native.js"))
        let profile = try await profiler.cpuProfile()
        let native = try #require(profile.functions.first { $0.callFrame.functionName == "countInSwift" })
        #expect(native.callFrame.place == "bridge")
        // On a busy machine the engine takes few samples.
        #expect(native.selfTime > 0)
    }

    @Test("a script that never ends is profiled while it runs")
    func endless() async throws {
        let profiler = try ScriptProfiler(recording: [.cpuProfile, .coverage])
        let bridge = try bridge(profiler)
        let script = Task {
            try await bridge.load(.text("function spin() { for (;;) {} }\nspin();", name: "spin.js"))
        }
        await #expect(throws: (any Error).self) { try await script.value }
        let profile = try await profiler.cpuProfile()
        #expect(profile.functions.first?.callFrame.functionName == "spin")
        #expect(profile.runningTime > 100_000)
        bridge.close()
    }

    @Test("objects that a script keeps are the difference of two snapshots, with the path to them")
    func heapSnapshots() async throws {
        let profiler = try ScriptProfiler(recording: [])
        let bridge = try bridge(profiler)
        defer { bridge.close() }
        try await bridge.load(
            .text(
                """
                class Leaky { constructor(i) { this.name = "leak " + i; } }
                const cache = { list: [] };
                const byName = new Map();
                function leak(n) { for (let i = 0; i < n; i++) { cache.list.push(new Leaky(i)); } }
                function keep(n) { for (let i = 0; i < n; i++) { byName.set(i, new Leaky(i)); } }
                """,
                name: "leak.js"
            )
        )
        let before = try await profiler.heapSnapshot()
        try await bridge.load(.text("leak(1000); keep(10);", name: "go.js"))
        let after = try await profiler.heapSnapshot()
        let leaky = try #require(after.difference(from: before).first { $0.className == "Leaky" })
        #expect(leaky.addedCount == 1010 && leaky.removedCount == 0)
        let ways = after.retainingPaths(ofClass: "Leaky")
        // The engine may find some on its stack.
        #expect(ways[0].count > 990 && ways.reduce(0) { $0 + $1.count } == 1010)
        #expect(ways[0].path.suffix(3).map(\.edge.name).dropLast() == ["cache", "list"])
        #expect(ways.contains { $0.path.last?.node.className == HeapSnapshot.unreportedClass })
        let collected = CollectedBytes()
        try after.write { collected.bytes += $0 }
        let copy = try HeapSnapshot(contentsOf: collected.bytes)
        #expect(copy.sharesIDs(with: after))
        #expect(copy.difference(from: before).first { $0.className == "Leaky" } == leaky)
    }

    @Test("a snapshot is right after another context that took one was closed")
    func closedNeighbor() async throws {
        let profiler = try ScriptProfiler(recording: [])
        let bridge = try bridge(profiler)
        defer { bridge.close() }
        try await bridge.load(.text("class Kept {} const list = [new Kept()];", name: "a.js"))
        let before = try await profiler.heapSnapshot()
        let neighbor = try ScriptProfiler(recording: [])
        let other = try self.bridge(neighbor)
        try await other.load(.text("1", name: "b.js"))
        _ = try await neighbor.heapSnapshot()
        other.close()
        try await bridge.load(.text("for (let i = 0; i < 100; i++) list.push(new Kept());", name: "c.js"))
        let after = try await profiler.heapSnapshot()
        #expect(after.difference(from: before).first { $0.className == "Kept" }?.addedCount == 100)
        #expect(after.retainingPaths(ofClass: "Kept").reduce(0) { $0 + $1.count } == 101)
    }

    @Test("coverage has the counts of lines and functions, with CRLF and characters outside the BMP")
    func coverage() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "Coverage-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = """
            // \u{1F600}
            function called(a) {
              if (a > 1) {
                return "\u{1F600}";
              }
              return 1;
            }
            const never = () => {
              return 2;
            };

            for (let i = 0; i < 4; i++) called(i);
            class P { get x() { return 1; } unused() { return 2; } }
            new P().x;
            """
        for (name, text) in [("lf.js", text), ("crlf.js", text.replacing("\n", with: "\r\n"))] {
            let file = folder.appendingPathComponent(name)
            try Data(text.utf8).write(to: file)
            let empty = folder.appendingPathComponent("empty.js")
            try Data().write(to: empty)
            let profiler = try ScriptProfiler(recording: [.coverage])
            let bridge = try bridge(profiler)
            defer { bridge.close() }
            try await bridge.load(.file(file.path))
            try await bridge.load(.file(empty.path))
            try await bridge.load(.text("called(5)", name: "no file"))
            let coverage = try await profiler.coverage()
            let result = try #require(coverage.files.first { $0.path.hasSuffix("/" + name) })
            #expect(result.lines == [3: 5, 4: 3, 6: 2, 8: 1, 9: 0, 12: 4, 13: 1, 14: 1], "\(name)")
            let functions = result.functions.map { "\($0.name):\($0.line)=\($0.count)" }
            #expect(functions == ["called:2=5", "never:8=0", "x:13=1", "unused:13=0"], "\(name)")
            #expect(coverage.files.contains { $0.path.hasSuffix("/empty.js") && $0.lines.isEmpty })
            #expect(coverage.files.count == 2)
            #expect(
                try await profiler.coverage { $0.hasSuffix("/lf.js") }.files.count
                    == (name == "lf.js" ? 1 : 0)
            )
        }
    }

    @Test("a branch that the engine would join to a jump has its own count")
    func joinedJump() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).js")
        defer { try? FileManager.default.removeItem(at: file) }
        let text = "let n = 0;\nfor (const x of [1, 2, 3]) {\n  if (x > 1) {\n    continue;\n  }\n  n++;\n}\n"
        try Data(text.utf8).write(to: file)
        let profiler = try ScriptProfiler(recording: [.coverage])
        let bridge = try bridge(profiler)
        defer { bridge.close() }
        try await bridge.load(.file(file.path))
        let lines = try #require(try await profiler.coverage().files.first).lines
        #expect([1, 3, 4, 6].map { lines[$0] } == [1, 3, 2, 1])
    }

    @Test("results that were not asked for, and a closed context, are errors")
    func refusals() async throws {
        let unattached = try ScriptProfiler(recording: [.cpuProfile])
        await #expect(throws: ProfilerError("no context is attached")) { try await unattached.cpuProfile() }
        let profiler = try ScriptProfiler(recording: [])
        let bridge = try bridge(profiler)
        await #expect(throws: ProfilerError("the profiler was created without '.cpuProfile'")) {
            try await profiler.cpuProfile()
        }
        await #expect(throws: ProfilerError("the profiler was created without '.coverage'")) {
            try await profiler.coverage()
        }
        bridge.close()
        await #expect(throws: ProfilerError.self) { try await profiler.heapSnapshot() }
    }

    @Test("only the first context of a profiler is recorded")
    func secondContext() async throws {
        let profiler = try ScriptProfiler(recording: [.coverage])
        let first = try bridge(profiler)
        let second = try bridge(profiler)
        second.close()
        // The other one's end is not that of the recording.
        #expect(try await profiler.coverage().files.isEmpty)
        first.close()
    }

    @Test("a machine that has run code with the optimizing compilers is refused")
    func lateProfiler() throws {
        let machine = JSVirtualMachine()
        try JSContext(virtualMachine: machine).evaluate("1")
        let next = try JSContext(virtualMachine: machine)
        try next.evaluate("1")
        let error = #expect(throws: JSException.self) {
            try next.attachInspector(try ScriptProfiler(recording: [.cpuProfile]))
        }
        #expect(error?.message.contains("before the first script") == true)
    }

    @Test("the time of a snapshot grows with the number of objects, not faster")
    func growth() async throws {
        func time(_ count: Int) async throws -> Duration {
            let profiler = try ScriptProfiler(recording: [])
            let bridge = try bridge(profiler)
            defer { bridge.close() }
            try await bridge.load(
                .text(
                    "const list = []; for (let i = 0; i < \(count); i++) list.push({ i, s: 'x' + i });",
                    name: "n.js"
                )
            )
            let snapshot = try await profiler.heapSnapshot()
            #expect(snapshot.nodes(ofClass: "Object").count >= count)
            let start = ContinuousClock.now
            let collected = CollectedBytes()
            try snapshot.write { collected.bytes += $0 }
            #expect(try HeapSnapshot(contentsOf: collected.bytes).retainingPaths(ofClass: "Object").count > 0)
            return ContinuousClock.now - start
        }
        let small = try await time(1000)
        let large = try await time(20_000)
        // Quadratic growth would be 400; the constant part and a busy machine are in the figure.
        #expect(large < small * 100, "\(small) \(large)")
    }
}
