import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// The tool as a separate process, for behavior that a test inside this process cannot show.
@Suite struct ProcessTests {
    /// Runs a shell command line, where `"$0"` is the tool and `"$1"` is the first argument.
    private func shell(
        _ line: String,
        _ workplace: Workplace,
        _ arguments: String...
    ) async throws -> RunningProcess.Ending {
        let arguments = ["-c", line, RunningProcess.built("jsbridge")] + arguments
        return try await RunningProcess("/bin/sh", arguments, in: workplace).end()
    }

    @Test("the exit status and both outputs are those of a Unix program")
    func statuses() async throws {
        let workplace = try Workplace()
        let script = try workplace.write(
            "console.log('out'); console.error('err'); bridge.registerHandler('main', () => 42);",
            to: "x.js"
        )
        let good = try await shell("\"$0\" run \"$1\"", workplace, script)
        #expect(good.status == 42 && !good.isSignal)
        #expect(good.output == "out\n")
        #expect(good.errorOutput == "err\n")
        let missing = try await shell("\"$0\" run \"$1\"", workplace, workplace.file("none.js"))
        #expect(missing.status == 66)
        let usage = try await shell("\"$0\" --nothing", workplace)
        #expect(usage.status == 2)
        let input = try await shell("echo 'console.log(6 * 7)' | \"$0\" run - a", workplace)
        #expect(input.output == "42\n")
    }

    @Test(
        "VE1 a FinalizationRegistry calls back in a run with a separate thread, by the fast path and by the C API",
        arguments: ["auto", "off"]
    )
    func finalization(callPath: String) async throws {
        let workplace = try Workplace()
        let script = try workplace.write(
            """
            let count = 0;
            const registry = new FinalizationRegistry(() => count++);
            (() => { for (let index = 0; index < 200; index++) registry.register({}, index) })();
            bridge.registerHandler('main', async () => {
                for (let round = 0; round < 2000 && count === 0; round++) {
                    const garbage = [];
                    for (let index = 0; index < 20000; index++) garbage.push({ index });
                    await new Promise(resolve => setTimeout(resolve, 1));
                }
                console.log(count > 0 ? 'called back' : 'never');
            });
            """,
            to: "x.js"
        )
        let line = "JSBRIDGE_FAST_PATH=\(callPath) \"$0\" run --isolation thread \"$1\""
        #expect(try await shell(line, workplace, script).output == "called back\n")
    }

    @Test("VE13 engine-probe writes a profile that a later process reads, and checks the library")
    func engineProbe() async throws {
        let workplace = try Workplace()
        let file = workplace.file("engine.json")
        let written = try await shell("\"$0\" engine-probe --write \"$1\"", workplace, file)
        #expect(written.status == 0 && written.output.isEmpty, "\(written.errorOutput)")
        let printed = try await shell("\"$0\" engine-probe --json", workplace)
        #expect(printed.status == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == printed.output)
        let summary = try await shell("\"$0\" engine-probe", workplace)
        #expect(summary.output.contains("self-test: passed"))
        let check = try await shell("\"$0\" engine-probe --check", workplace)
        #expect(check.status == (summary.output.contains("and the library is as listed") ? 0 : 1))
        // A file with that name cannot be created.
        let failed = try await shell("\"$0\" engine-probe --write \"$1/x\"", workplace, file)
        #expect(failed.status == 74)
    }

    @Test("a megabyte through a pipe with a slow reader arrives whole")
    func slowReader() async throws {
        let workplace = try Workplace()
        let script = try workplace.write(
            "for (let i = 0; i < 20000; i++) console.log(String(i).padStart(60));",
            to: "x.js"
        )
        let result = try await shell("\"$0\" run \"$1\" | (read first; cat) | wc -l", workplace, script)
        #expect(result.output == "19999\n")
    }

    @Test("a closed output ends an endless script without a message")
    func brokenPipe() async throws {
        let workplace = try Workplace()
        let script = try workplace.write("for (;;) console.log('y');", to: "yes.js")
        let result = try await shell("{ \"$0\" run \"$1\"; echo $? >&2; } | head -n 2", workplace, script)
        #expect(result.output == "y\ny\n")
        #expect(result.errorOutput == "141\n")
        #expect(workplace.leftovers.isEmpty)
    }

    @Test("an output on a full disk is reported, with a separate status")
    func fullOutput() async throws {
        let workplace = try Workplace()
        let script = try workplace.write("console.log('y');", to: "x.js")
        let result = try await shell("\"$0\" run \"$1\" > /dev/full", workplace, script)
        #expect(
            result.errorOutput == "jsbridge: standard output cannot be written: No space left on device\n"
        )
        #expect(result.status == 74)
    }

    @Test("a store that reaches its size limit fails the import with a message and is unchanged")
    func fullDisk() async throws {
        let workplace = try Workplace()
        let line = String(repeating: "x", count: 100)
        try workplace.write("name\n" + String(repeating: line + "\n", count: 20_000), to: "long.csv")
        let script = try workplace.write(
            """
            const store = bridge.store();
            store.createEntity('thing', { name: 'string' });
            store.insert('thing', { name: 'kept' });
            bridge.registerHandler('main', () => { store.importCSV('long.csv', { entity: 'thing' }); });
            """,
            to: "fill.js"
        )
        let store = workplace.file("s.db")
        let result = try await shell(
            "ulimit -f 400; \"$0\" run --store \"$1\" \"$2\"",
            workplace,
            store,
            script
        )
        #expect(result.status == 1 && !result.isSignal)
        #expect(result.errorOutput.contains(store))
        #expect(result.errorOutput.contains("> 4 | "))
        let count = try workplace.write(
            "console.log([...bridge.store().fetch('thing')].map(t => t.name))",
            to: "c.js"
        )
        let after = try await shell("\"$0\" run --store \"$1\" \"$2\"", workplace, store, count)
        #expect(after.output == "[ 'kept' ]\n")
        #expect(after.errorOutput.isEmpty)
    }

    @Test(
        "a signal ends the run, also in an endless loop, and the temporary store is removed",
        arguments: ["setTimeout(() => {}, 1e9);", "for (;;);"]
    )
    func endsBySignal(script: String) async throws {
        let workplace = try Workplace()
        let path = try workplace.write(
            "bridge.callHandler('jsbridge.environment').then(e => { console.log(e.store.path); \(script) });",
            to: "wait.js"
        )
        let process = try RunningProcess(RunningProcess.built("jsbridge"), ["run", path], in: workplace)
        // Any thread may send it.
        nonisolated(unsafe) let child = process
        _ = await process.firstLine { store in
            #expect(FileManager.default.fileExists(atPath: String(store)))
            child.terminate()
        }
        let ending = await process.end()
        #expect(ending.isSignal && ending.status == SIGTERM)
        #expect(ending.errorOutput.isEmpty)
        #expect(workplace.leftovers.isEmpty)
    }
}
