import BridgeConformance
import BridgeTesting
import Testing

/// The vectors of the native side, for the package's side and for the plain side that represents
/// WebViewJavascriptBridge.
@Suite struct NativeConformanceTests {
    static let vectors = Result { try ConformanceFixtures.vectors(.native) }

    @Test("the package's native side conforms", arguments: try vectors.get())
    func ours(vector: ConformanceVector) async throws {
        let failure = try await NativeConformance().run(vector, on: OurNativeSide())
        #expect(failure == nil, "\(failure?.description ?? "")")
    }

    @Test("the package's native side conforms over a stream of bytes", arguments: try vectors.get())
    func frames(vector: ConformanceVector) async throws {
        let failure = try await NativeConformance().run(vector, on: FrameNativeSide())
        #expect(failure == nil, "\(failure?.description ?? "")")
    }

    @Test(
        "the plain native side behaves as WebViewJavascriptBridge, and its crashes are seen",
        arguments: try vectors.get()
    )
    func plain(vector: ConformanceVector) async throws {
        let failure = try await NativeConformance(isLegacyLibrary: true).run(vector, on: PlainNativeSide())
        #expect(failure == nil, "\(failure?.description ?? "")")
    }
}
