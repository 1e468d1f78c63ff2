import BridgeTesting
import Testing

/// The vectors of the native side, against ours and against the plain one that stands for the ancestor.
@Suite struct NativeConformanceTests {
    static let vectors = Result { try ConformanceFixtures.vectors(.native) }

    /// A callback runs on a queue of its own, so it may come before or after handlers of the same batch.
    static let known: Set<String> = ["P39 the requests and responses of a batch are handled in its order"]

    @Test("our native side conforms", arguments: try vectors.get())
    func ours(vector: ConformanceVector) async throws {
        let failure = try await NativeConformance().run(vector, on: OurNativeSide())
        withKnownIssue("callbacks have a queue of their own", isIntermittent: true) {
            #expect(failure == nil, "\(failure?.description ?? "")")
        } when: {
            Self.known.contains(vector.name)
        }
    }

    @Test(
        "the plain native side behaves as the ancestor, and its crashes are seen",
        arguments: try vectors.get()
    )
    func plain(vector: ConformanceVector) async throws {
        let failure = try await NativeConformance(isAncestor: true).run(vector, on: PlainNativeSide())
        #expect(failure == nil, "\(failure?.description ?? "")")
    }
}
