import Foundation
import Testing

/// Every operation of a store with a history, with each file system call and each allocation failing, once and
/// permanently.
///
/// Every 83rd allocation fails. Each file system call fails, alternately once and permanently. If `JSBRIDGE_STRESS` is
/// set, each call fails in both ways.
@Suite struct HistoryFaultTests {
    @Test(
        "R34 R35 after one failed allocation no commit is lost, and the history is correct or reports a gap"
    )
    func memoryOnce() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Self.run(.memory, isForGood: false)
        }
        show(result, linesOf: "store history faults:")
    }

    @Test(
        "R34 R35 after allocations fail permanently no commit is lost, and the history is correct or reports a gap"
    )
    func memoryForGood() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Self.run(.memory, isForGood: true)
        }
        show(result, linesOf: "store history faults:")
    }

    @Test(
        "R34 R35 after one failed file system call no commit is lost, and the history is correct or reports a gap"
    )
    func filesOnce() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Self.run(.files, isForGood: false)
        }
        show(result, linesOf: "store history faults:")
    }

    @Test(
        "R34 R35 after the disk fails permanently no commit is lost, and the history is correct or reports a gap"
    )
    func filesForGood() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Self.run(.files, isForGood: true)
        }
        show(result, linesOf: "store history faults:")
    }

    private static func run(_ fault: Fault, isForGood: Bool) {
        // The error is recorded here, because an exit test reports only that there was one.
        do { try loop(fault, isForGood: isForGood) } catch { Issue.record(error) }
    }

    private static func loop(_ fault: Fault, isForGood: Bool) throws {
        let isProof = ProcessInfo.processInfo.environment["JSBRIDGE_STRESS"] != nil
        try Fault.install()
        let folder = try TemporaryFolder()
        let start = try HistoryScene.makeStart(in: folder)
        var (points, missed) = (0, 0)
        for operation in HistoryOperation.all {
            var loop = HistoryLoop(operation, start: start, in: folder)
            try loop.run(fault, isForGood: isForGood, stride: isProof ? 1 : fault == .files ? 2 : 83)
            #expect(loop.failures.isEmpty, "\(loop.failures.prefix(5).joined(separator: "\n"))")
            points += loop.points
            missed += loop.missed
        }
        print(
            "store history faults: \(points) points, \(fault) \(isForGood ? "for good" : "once"), "
                + "after \(missed) of them it was said that something was missed"
        )
        // A loop with too few faults would test nothing.
        #expect(
            points >= (isProof ? (fault == .files ? 500 : 5_000) : fault == .files ? 250 : 150),
            "\(points) points"
        )
    }
}
