import Foundation
import Testing

/// Every operation of a store with each file system call and each allocation failing, once and permanently.
///
/// Every 47th allocation fails. Each file system call fails, alternately once and permanently. If `JSBRIDGE_STRESS` is
/// set, each call fails in both ways.
@Suite struct FaultLoopTests {
    @Test("R34 R35 after one failed allocation the store and its fetched results are intact")
    func memoryOnce() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Self.run(.memory, isForGood: false)
        }
        show(result, linesOf: "store faults:")
    }

    @Test("R34 R35 after allocations fail permanently during any operation the store is intact")
    func memoryForGood() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Self.run(.memory, isForGood: true)
        }
        show(result, linesOf: "store faults:")
    }

    @Test(
        "R34 R35 after one failed file system call the store and its fetched results are intact"
    )
    func filesOnce() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Self.run(.files, isForGood: false)
        }
        show(result, linesOf: "store faults:")
    }

    @Test("R34 R35 after the disk fails permanently during any operation the store is intact")
    func filesForGood() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Self.run(.files, isForGood: true)
        }
        show(result, linesOf: "store faults:")
    }

    private static func run(_ fault: Fault, isForGood: Bool) {
        // The error is recorded here, because an exit test reports only that there was one.
        do { try loop(fault, isForGood: isForGood) } catch { Issue.record(error) }
    }

    private static func loop(_ fault: Fault, isForGood: Bool) throws {
        let isProof = ProcessInfo.processInfo.environment["JSBRIDGE_STRESS"] != nil
        try Fault.install()
        let folder = try TemporaryFolder()
        let csv = folder.file("people.csv")
        let lines = (20..<60).map { "person \($0),\($0 % 50),city \($0 % 5)" }
        try Data(("name,age,city\n" + lines.joined(separator: "\n")).utf8).write(
            to: URL(fileURLWithPath: csv)
        )
        let starts = [
            StoreOperation.Start.rows: try StoreOperation.makeStart(.rows, in: folder),
            .manyRows: try StoreOperation.makeStart(.manyRows, in: folder),
        ]
        var points = 0
        for operation in StoreOperation.all(csv: csv) {
            let start = try #require(starts[operation.start])
            var loop = try FaultLoop(operation, start: start, in: folder)
            try loop.run(fault, isForGood: isForGood, stride: isProof ? 1 : fault == .files ? 2 : 47)
            #expect(loop.points > 0 || !isProof, "\(operation.name): no call was reached")
            #expect(loop.failures.isEmpty, "\(loop.failures.prefix(5).joined(separator: "\n"))")
            points += loop.points
        }
        print("store faults: \(points) points, \(fault) \(isForGood ? "for good" : "once")")
        // About two thirds of the count at the time of writing; a loop with too few faults would test nothing.
        #expect(
            points >= (isProof ? (fault == .files ? 250 : 10_000) : fault == .files ? 150 : 200),
            "\(points) points"
        )
    }
}
