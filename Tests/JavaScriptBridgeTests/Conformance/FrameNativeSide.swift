import BridgeConformance

@testable import JavaScriptBridge

/// The package's native side over a stream of bytes: the page is in a context of its own, which represents another
/// process.
final class FrameNativeSide: NativeSideUnderTest {
    private let side: OurNativeSide
    private let ends: (own: FrameStream, other: FrameStream)
    private var page: ConformancePage
    private var observations: [ConformanceObservation] = []

    init() throws {
        let ends = FrameStream.makePair()
        self.ends = ends
        page = try ConformancePage()
        side = try OurNativeSide { configuration in
            configuration.makeTransport = { session in
                ends.0.reset()
                return FrameTransport(session, over: ends.0)
            }
        }
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
            try await side.perform(.reload)
        default: try await side.perform(stimulus)
        }
        repeat { await side.settle() } while exchange()
    }

    /// Carries messages of the page to the stream, and those of the stream to the page; returns whether there were any,
    /// or some still wait.
    private func exchange() -> Bool {
        observations += side.takeObservations()
        // What is written now arrives in the next round.
        var hasWork = ends.own.hasOutput || ends.other.hasOutput
        while let message = ends.other.next() {
            hasWork = true
            page.deliver(String(decoding: message, as: UTF16.self), dialect: .webViewJavascriptBridge)
        }
        for observation in page.takeObservations() {
            switch observation {
            case .queueSignal:
                ends.other.write(Array((page.fetch(dialect: .webViewJavascriptBridge) ?? "").utf16))
                hasWork = true
            case .log(let line) where line.hasPrefix("debug "):
                observations.append(.line(String(line.dropFirst(6))))
            // P75: a URL that does not belong to the bridge.
            case .line(let line) where line.hasPrefix("loads "): continue
            default: observations.append(observation)
            }
        }
        return hasWork
    }
}
