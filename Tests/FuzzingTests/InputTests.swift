import Foundation
import FuzzTargets
import Testing

/// Tests that run the fuzzer's inputs in an ordinary build, so that known failures are found without fuzzing.
@Suite("Fuzzing: regression inputs", .serialized)
struct InputTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fuzzing/Inputs")

    @Test("R1 R2 R3 R8 every stored input passes its target", arguments: FuzzTarget.real)
    func replay(target: FuzzTarget) async throws {
        let folder = Self.folder.appending(path: target.rawValue)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files.sorted(by: { $0.path < $1.path }) {
            let bytes = Array(try Data(contentsOf: file))
            // The fuzzer's thread blocks for the bridge that it creates; Swift's few threads must not block.
            let problem = await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: target.problem(bytes)) }
            }
            #expect(problem == nil, "\(file.lastPathComponent)")
        }
    }

    @Test("The planted mutant fails for its seven bytes, and passes for six of them")
    func planted() {
        #expect(FuzzTarget.planted.problem(Array("bridge!".utf8)) != nil)
        #expect(FuzzTarget.planted.problem(Array("bridge?".utf8)) == nil)
    }
}

extension FuzzTarget {
    static var real: [FuzzTarget] { allCases.filter { $0 != .planted } }
}
