import Foundation
import FuzzTargets
import Testing

/// The fuzzer's inputs, by the ordinary build: what was found once is found again before it is fuzzed for.
@Suite("Fuzzing: inputs that were found", .serialized)
struct InputTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fuzzing/Inputs")

    @Test("R1 R2 R3 R8 every input that was ever found passes its target", arguments: FuzzTarget.real)
    func replay(target: FuzzTarget) async throws {
        let folder = Self.folder.appending(path: target.rawValue)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files.sorted(by: { $0.path < $1.path }) {
            let bytes = Array(try Data(contentsOf: file))
            // The fuzzer's thread waits for a bridge that it makes; one of Swift's few threads must not.
            let problem = await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: target.problem(bytes)) }
            }
            #expect(problem == nil, "\(file.lastPathComponent)")
        }
    }

    @Test("The planted mistake is one: its seven bytes break the target, six do not")
    func planted() {
        #expect(FuzzTarget.planted.problem(Array("bridge!".utf8)) != nil)
        #expect(FuzzTarget.planted.problem(Array("bridge?".utf8)) == nil)
    }
}

extension FuzzTarget {
    static var real: [FuzzTarget] { allCases.filter { $0 != .planted } }
}
