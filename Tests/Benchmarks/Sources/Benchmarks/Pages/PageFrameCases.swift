import BenchmarkHarness
import BridgeValues
import CollectionViews
import Foundation
import PageViews

/// Frames of a page in a browser, in the processor time of the page's main thread.
@MainActor let pageFrameCases = [
    BenchmarkCase(
        "page.frame",
        baseline:
            "the thread time of a frame of a scroll by 40 px in a page of 1,000,000 rows, for that in one of 10,000",
        figure: .amount("of that of 10,000 rows"),
        timeSource: .wall,
        wanted: 2
    ) {
        let browser = try HeadlessBrowser()
        let small = try await FramedPage(rows: 10_000, in: browser)
        let large = try await FramedPage(rows: 1_000_000, in: browser)
        return Contest(
            plain: nil,
            ours: .asynchronous { operations in
                var times: (small: [Double], large: [Double]) = ([], [])
                for _ in 0..<7 {
                    times.small.append(try await small.time(of: .scroll))
                    times.large.append(try await large.time(of: .scroll))
                }
                let ratio = times.large.sorted()[3] / times.small.sorted()[3]
                return Outcome(Double(operations), amount: ratio)
            },
            expected: Double.init
        )
    },
    frameTimeCase("page.frame.time", "a frame of a scroll by 40 px", .scroll),
    frameTimeCase("page.jump.time", "a jump to another place, of which all rows are new", .jump),
]

@MainActor
private func frameTimeCase(_ name: String, _ sentence: String, _ step: FramedPage.Step) -> BenchmarkCase {
    BenchmarkCase(
        name,
        baseline: "the thread time of a page of 1,000,000 rows for \(sentence)",
        figure: .amount("ms"),
        timeSource: .wall,
        wanted: 4
    ) {
        let page = try await FramedPage(rows: 1_000_000, in: try HeadlessBrowser())
        return Contest(
            plain: nil,
            ours: .asynchronous { operations in
                var times: [Double] = []
                for _ in 0..<7 { times.append(try await page.time(of: step)) }
                return Outcome(Double(operations), amount: times.sorted()[3] * 1e3)
            },
            expected: Double.init
        )
    }
}

/// A page of a browser that shows rows of a server of its own.
private final class FramedPage: Sendable {
    /// The work of the page in a frame.
    enum Step: String, Sendable {
        case scroll = "scroller.scrollTop += 40; await frame();"
        // The rows of the new place arrive with later frames.
        case jump =
            "scroller.scrollTop = Math.random() * (scroller.scrollHeight - scroller.clientHeight); await frame(); await frame(); await frame();"
    }

    private static let steps = 40
    private let server: PageServer
    private let page: BrowserPage

    /// An owner of the rows of a view, whose data source is not retained by it.
    private final class Kept {
        var rows: [PageRows] = []
    }

    init(rows count: Int, in browser: HeadlessBrowser) async throws {
        // Used on the queue only.
        nonisolated(unsafe) let kept = Kept()
        let queue = DispatchQueue(label: "rows")
        let host = PageHost(executor: .queue(queue)) {
            let rows = PageRows(count: count)
            kept.rows.append(rows)
            return Page(view: rows.view, content: TitledContent(title: "rows"))
        }
        var configuration = PageServerConfiguration()
        configuration.files = PageFiles.all
        server = PageServer(configuration, handler: host)
        let address = try server.start().description
        page = try await browser.open()
        try await page.call("Emulation.setFocusEmulationEnabled", ["enabled": true])
        try await page.measure()
        try await page.load(address)
        try await page.wait(until: "document.querySelectorAll('#rows > .row').length > 10")
        try await page.evaluate(
            "{ const node = document.getElementById('scroller'); node.scrollTop = (node.scrollHeight - node.clientHeight) / 2; }"
        )
        // The first steps compile the page's script.
        for _ in 0..<3 { _ = try await time(of: .scroll) }
    }

    deinit { server.stop() }

    /// Returns the thread time of a step, in seconds.
    func time(of step: Step) async throws -> Double {
        let before = try await page.metrics()["TaskDuration"] ?? 0
        try await page.evaluate(
            """
            (async () => {
                const scroller = document.getElementById('scroller');
                const frame = () => new Promise(requestAnimationFrame);
                for (let step = 0; step < \(Self.steps); step++) { \(step.rawValue) }
            })()
            """
        )
        return ((try await page.metrics()["TaskDuration"] ?? 0) - before) / Double(Self.steps)
    }
}
