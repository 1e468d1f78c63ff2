import BridgeConformance

@testable import JavaScriptBridge

/// The package's native side over a stream of bytes: the page is in a context of its own, which represents another
/// process.
final class FrameNativeSide: NativeSideUnderTest {
    private let side: OurNativeSide
    private let ends: (own: FrameStream, other: FrameStream)
    private let channel: PeerChannel
    private var page: ConformancePage
    private var observations: [ConformanceObservation] = []

    init() throws {
        let ends = FrameStream.makePair()
        self.ends = ends
        page = try ConformancePage()
        let channel = ends.0.makeChannel()
        self.channel = channel
        side = try OurNativeSide { configuration in configuration.peer = channel }
    }

    func takeObservations() -> [ConformanceObservation] {
        defer { observations = [] }
        return observations
    }

    func perform(_ stimulus: NativeStimulus) async throws {
        switch stimulus {
        case .load(let script):
            page.run(script, sourceURL: "bridge.js")
            // It is there.
            ends.other.write(Array("[]".utf16))
        case .evaluate(let script): page.run(script)
        case .signal(let queue): page.call("peer", with: queue)
        case .reload:
            page = try ConformancePage()
            ends.own.reset()
            try await side.perform(.reload)
        default: try await side.perform(stimulus)
        }
        repeat {
            ends.own.read(into: channel)
            await side.settle()
        } while exchange()
    }

    /// Carries messages of the page to the stream, and those of the stream to the page; returns whether there were any,
    /// or some still wait.
    private func exchange() -> Bool {
        observations += side.takeObservations()
        // Frames that are written now arrive in the next round.
        var hasWork = ends.own.hasOutput || ends.other.hasOutput
        while let message = ends.other.next() {
            hasWork = true
            page.deliver(String(decoding: message, as: UTF16.self), dialect: .webViewJavascriptBridge)
        }
        let seen = page.takeObservations()
        observations += seen.ofNativeSide.filter { $0 != .queueSignal }
        for _ in 0..<seen.signals {
            hasWork = true
            ends.other.write(Array((page.fetch(dialect: .webViewJavascriptBridge) ?? "").utf16))
        }
        return hasWork
    }
}
