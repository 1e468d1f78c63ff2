import BenchmarkHarness
import DataSources
import Foundation
import Stores
import StoresSQLite

/// Changes that another process commits, until a listener of fetched results receives them in this one.
@MainActor let processCases = [
    BenchmarkCase(
        "process.change",
        baseline:
            "what is counted: the median time from another process's UPDATE (bare C API) to the listener here",
        figure: .amount("us"),
        timeSource: .wall,
        granularity: 50,
        wanted: 1_000
    ) {
        let people = try PeopleStore.people(100_000)
        let path = people.copy + ".shared"
        try FileManager.default.copyItem(atPath: people.copy, toPath: path)
        let store = try SQLiteStore(location: .file(path), history: HistoryOptions())
        let controller = try FetchedResultsController(fetchRequest: PeopleStore.request, store: store)
        let arrival = DispatchSemaphore(value: 0)
        controller.changesPending = { arrival.signal() }
        var latencies: [Double] = []
        controller.onChange = { changes in
            let now = monotonicNow()
            for id in changes.updatedIDs {
                guard case .integer(let sent)? = changes.values(of: id)?.new?[2] else { continue }
                latencies.append(Double(now) - Double(sent))
            }
        }
        try controller.performFetch()
        let writer = try ProcessWriter(path)
        return Contest(
            plain: nil,
            ours: .synchronous { operations in
                latencies = []
                for _ in 0..<operations {
                    writer.next()
                    arrival.wait()
                    controller.processPendingChanges()
                }
                let median = latencies.sorted()[latencies.count / 2] / 1_000
                return Outcome(Double(latencies.count), amount: median)
            },
            expected: { Double($0) }
        )
    }
]

/// A second instance of this program, as the writing process: each line that it reads writes the current time to a row.
final class ProcessWriter {
    static let option = "--process-writer"

    private let process = Process()
    private let input = Pipe()

    init(_ path: String) throws {
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [Self.option, path]
        process.standardInput = input
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    func next() { input.fileHandleForWriting.write(Data("\n".utf8)) }

    static func run(_ arguments: ArraySlice<String>) -> Int32 {
        do {
            let plain = try PlainSQLite(arguments.first ?? "")
            var number = 0
            while readLine() != nil {
                number += 1
                try plain.execute(
                    "UPDATE person SET age = \(monotonicNow()) WHERE \"$id\" = \(number * 7_919 % 100_000 + 1)"
                )
            }
            return 0
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            return 1
        }
    }
}

/// Returns nanoseconds on the clock that all processes of the machine share.
private func monotonicNow() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
