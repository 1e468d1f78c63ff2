import Foundation
import Testing

/// Each operation of a store that keeps a history with each call of the file system and each call for memory failing, once
/// and for good; of the calls for memory every 41st, and all where `JSBRIDGE_PROOF` asks for it.
@Suite struct HistoryFaultTests {
    @Test(
        "R34 R35 after any one allocation has failed no commit is lost, and the history is right or says that it is not"
    )
    func memoryOnce() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Self.run(.memory, isForGood: false)
        }
        show(result, linesOf: "store history faults:")
    }

    @Test(
        "R34 R35 when memory is gone for good no commit is lost, and the history is right or says that it is not"
    )
    func memoryForGood() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Self.run(.memory, isForGood: true)
        }
        show(result, linesOf: "store history faults:")
    }

    @Test(
        "R34 R35 after any one call of the file system has failed no commit is lost, and the history is right or says so"
    )
    func filesOnce() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Self.run(.files, isForGood: false)
        }
        show(result, linesOf: "store history faults:")
    }

    @Test(
        "R34 R35 when the disk is gone for good no commit is lost, and the history is right or says that it is not"
    )
    func filesForGood() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Self.run(.files, isForGood: true)
        }
        show(result, linesOf: "store history faults:")
    }

    private static func run(_ fault: Fault, isForGood: Bool) {
        // An error that leaves an exit test says only that there was one.
        do { try loop(fault, isForGood: isForGood) } catch { Issue.record(error) }
    }

    private static func loop(_ fault: Fault, isForGood: Bool) throws {
        let isProof = ProcessInfo.processInfo.environment["JSBRIDGE_PROOF"] != nil
        try Fault.install()
        let folder = try TemporaryFolder()
        let start = try HistoryScene.makeStart(in: folder)
        var (points, missed) = (0, 0)
        for operation in HistoryOperation.all {
            var loop = HistoryLoop(operation, start: start, in: folder)
            try loop.run(fault, isForGood: isForGood, stride: isProof || fault == .files ? 1 : 41)
            #expect(loop.failures.isEmpty, "\(loop.failures.prefix(5).joined(separator: "\n"))")
            points += loop.points
            missed += loop.missed
        }
        print(
            "store history faults: \(points) points, \(fault) \(isForGood ? "for good" : "once"), "
                + "after \(missed) of them it was said that something was missed"
        )
        // A loop that meets nothing proves nothing.
        #expect(points >= (fault == .files ? 100 : isProof ? 5_000 : 150), "\(points) points")
    }
}
