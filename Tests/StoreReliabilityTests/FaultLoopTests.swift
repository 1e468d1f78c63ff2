import Foundation
import Testing

/// Each operation of a store with each call of the file system and each call for memory failing, once and for good; of the
/// calls for memory every 23rd, and all where `JSBRIDGE_PROOF` asks for it.
@Suite struct FaultLoopTests {
    @Test("R34 R35 after any one allocation has failed the store is whole, and so is what is shown of it")
    func memoryOnce() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Self.run(.memory, isForGood: false)
        }
        show(result, linesOf: "store faults:")
    }

    @Test("R34 R35 when memory is gone for good in the middle of anything the store is whole afterwards")
    func memoryForGood() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Self.run(.memory, isForGood: true)
        }
        show(result, linesOf: "store faults:")
    }

    @Test(
        "R34 R35 after any one call of the file system has failed the store is whole, and so is what is shown of it"
    )
    func filesOnce() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Self.run(.files, isForGood: false)
        }
        show(result, linesOf: "store faults:")
    }

    @Test("R34 R35 when the disk is gone for good in the middle of anything the store is whole afterwards")
    func filesForGood() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Self.run(.files, isForGood: true)
        }
        show(result, linesOf: "store faults:")
    }

    private static func run(_ fault: Fault, isForGood: Bool) {
        // An error that leaves an exit test says only that there was one.
        do { try loop(fault, isForGood: isForGood) } catch { Issue.record(error) }
    }

    private static func loop(_ fault: Fault, isForGood: Bool) throws {
        let isProof = ProcessInfo.processInfo.environment["JSBRIDGE_PROOF"] != nil
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
            try loop.run(fault, isForGood: isForGood, stride: isProof || fault == .files ? 1 : 23)
            #expect(loop.points > 0 || !isProof, "\(operation.name): no call was reached")
            #expect(loop.failures.isEmpty, "\(loop.failures.prefix(5).joined(separator: "\n"))")
            points += loop.points
        }
        print("store faults: \(points) points, \(fault) \(isForGood ? "for good" : "once")")
        // About two thirds of what there was when this was written; a loop that meets nothing proves nothing.
        #expect(points >= (fault == .files ? 250 : isProof ? 10_000 : 400), "\(points) points")
    }
}
