import Foundation
import Stores
import StoresSQLite
import TestSupport
import Testing

/// A script that writes through the bridge and is killed repeatedly: 30 times, or 1,000 times if `JSBRIDGE_STRESS` is
/// set.
@Suite struct KillTests {
    /// The script.
    ///
    /// Each transaction inserts two rows and deletes two old ones; its number is printed after the commit.
    private static let script = """
        const store = bridge.store('default');
        store.createEntity('commit', {
            n: { type: 'integer', optional: false },
            half: { type: 'integer', optional: false },
            text: 'string',
        });
        const rows = [...store.fetch('commit', { sort: ['n', 'half'] })];
        const last = rows.length ? rows[rows.length - 1].n : 0;
        const ids = rows.map((row) => row.$id);
        for (let n = last + 1; ; n += 1) {
            store.transaction(() => {
                for (const half of [1, 2]) ids.push(store.insert('commit', { n, half, text: 'x'.repeat(n % 3000) }));
                while (ids.length > 60) store.delete('commit', ids.shift());
            });
            console.log(`committed ${n}.`);
        }
        """

    @Test("R34 an acknowledged write survives kill -9, and every transaction is complete or absent")
    func kill() throws {
        let rounds = ProcessInfo.processInfo.environment["JSBRIDGE_STRESS"] == nil ? 30 : 1_000
        var random = SeededGenerator.fromEnvironment()
        let folder = try TemporaryFolder()
        let script = folder.file("writer.js")
        try Data(Self.script.utf8).write(to: URL(fileURLWithPath: script))
        let path = folder.file("killed.db")
        var (acknowledged, unheard, last) = (0, 0, 0)
        for round in 0..<rounds {
            let received = try KilledWriter(script: script, store: path).run(
                untilLines: Int.random(in: 0...60, using: &random)
            )
            let origin = "round \(round), \(random.origin)"
            #expect(received.errors.isEmpty, "\(received.errors), \(origin)")
            let lines = received.lines
            #expect(lines == lines.indices.map { "committed \(last + 1 + $0)." }, "\(origin)")
            let (first, newest) = try check(path, origin)
            // The newest transaction may have been committed without being printed.
            let missed = newest - (last + lines.count)
            #expect(missed == 0 || missed == 1, "\(missed) commits more than were printed, \(origin)")
            #expect(newest == 0 || first == max(1, newest - 29), "\(origin)")
            acknowledged += lines.count
            unheard += missed
            last = newest
        }
        print(
            "store kills: \(rounds), \(acknowledged) commits acknowledged, 0 lost, \(unheard) more were there"
        )
        #expect(acknowledged > rounds)
    }

    /// Checks the content of the store.
    ///
    /// - Returns: The first and the last commit, or 0 and 0 if there is none.
    private func check(_ path: String, _ origin: String) throws -> (first: Int, last: Int) {
        guard FileManager.default.fileExists(atPath: path) else { return (0, 0) }
        let database = PlainDatabase(path: path)
        let integrity = try database.integrity()
        #expect(integrity == "ok", "\(origin)")
        let store = try SQLiteStore(location: .file(path))
        guard store.entities["commit"] != nil else { return (0, 0) }
        let request = FetchRequest(entityName: "commit", sortDescriptors: [.init("n"), .init("half")])
        let rows = try store.read { try $0.fetch(request) }.map { $0.values.prefix(2).map(\.description) }
        try store.close()
        guard let first = rows.first.flatMap({ Int($0[0]) }), let last = rows.last.flatMap({ Int($0[0]) })
        else {
            #expect(rows.isEmpty, "\(origin)")
            return (0, 0)
        }
        #expect(rows == (first...last).flatMap { [["\($0)", "1"], ["\($0)", "2"]] }, "\(origin)")
        return (first, last)
    }
}

/// A `jsbridge run` process with a writing script, which is killed while it runs.
private struct KilledWriter {
    let process = Process()
    let output = Pipe()
    let errorOutput: FileHandle
    let errorPath: String

    init(script: String, store: String) throws {
        errorPath = store + ".errors"
        try Data().write(to: URL(fileURLWithPath: errorPath))
        errorOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: errorPath))
        process.executableURL = URL(fileURLWithPath: "\(Bundle.main.bundlePath)/jsbridge")
        process.arguments = ["run", "--store", store, script]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errorOutput
    }

    /// Kills the process after a number of lines, at any point of its work.
    ///
    /// - Returns: All complete lines of output, including those read after the kill.
    func run(untilLines count: Int) throws -> (lines: [String], errors: String) {
        try process.run()
        let handle = output.fileHandleForReading
        var bytes = Data()
        while bytes.count(where: { $0 == 10 }) < count {
            let more = handle.availableData
            if more.isEmpty { break }
            bytes += more
        }
        kill(process.processIdentifier, SIGKILL)
        bytes += handle.readDataToEndOfFile()
        process.waitUntilExit()
        try errorOutput.close()
        let whole = String(decoding: bytes, as: UTF8.self).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        return (whole.dropLast().map(String.init), try String(contentsOfFile: errorPath, encoding: .utf8))
    }
}
