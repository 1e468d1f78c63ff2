import BenchmarkHarness
import BridgeJSON
import BridgeValues
import CollectionViews
import DataSources
import Foundation
import PageViews

/// Updates of pages, of which a page shows some 20 rows of many.
@MainActor let pageCases = [
    BenchmarkCase(
        "page.update",
        baseline:
            "the visible rows of 10,000 as JSON after a change of one; ours is the update of a session, as JSON too",
        wanted: 2
    ) {
        let (plain, ours) = (PageRows(count: 10_000), PageRows(count: 10_000))
        let session = PageSession(view: ours.view, content: TitledContent(title: "rows"))
        _ = session.makeUpdate()
        let encoder = JSONTextEncoder()
        return Contest(
            plain: .synchronous { operations in
                var updates = 0
                for number in 0..<operations {
                    try plain.change(number % 20)
                    let frame = try plain.view.makeFrame()
                    let rows = Value.array(frame.elements.map(plainValue))
                    if try encoder.encode(rows).utf8.count > 1_000 { updates += 1 }
                }
                return Outcome(Double(updates))
            },
            ours: .synchronous { operations in
                var updates = 0
                for number in 0..<operations {
                    try ours.change(number % 20)
                    guard let update = session.makeUpdate() else { continue }
                    if try encoder.encode(update).utf8.count > 100 { updates += 1 }
                }
                return Outcome(Double(updates))
            },
            expected: Double.init
        )
    },
    BenchmarkCase(
        "page.frame.server",
        baseline:
            "the update for a scroll by 40 px of a page of 10,000 rows; ours is in a page of 1,000,000",
        wanted: 0.5
    ) {
        let (small, large) = (ScrolledPage(rows: 10_000), ScrolledPage(rows: 1_000_000))
        return Contest(
            plain: .synchronous { try small.scroll($0) },
            ours: .synchronous { try large.scroll($0) },
            expected: Double.init
        )
    },
]

/// A session whose page scrolls.
private final class ScrolledPage {
    private let rows: PageRows
    private let session: PageSession
    private let encoder = JSONTextEncoder()
    private var offset = 0.0

    init(rows count: Int) {
        rows = PageRows(count: count)
        session = PageSession(view: rows.view, content: TitledContent(title: "rows"))
        _ = session.makeUpdate()
    }

    func scroll(_ operations: Int) throws -> Outcome {
        var updates = 0
        for _ in 0..<operations {
            offset = offset >= 200_000 ? 0 : offset + 40
            rows.view.contentOffset = offset
            guard let update = session.makeUpdate() else { continue }
            if try encoder.encode(update).utf8.count > 10 { updates += 1 }
        }
        return Outcome(Double(updates))
    }
}

/// Returns an element as the plain work writes it: the members that a page needs.
private func plainValue(_ element: ViewFrame.Element) -> Value {
    let frame = element.attributes.frame
    let path = element.attributes.element.path
    func text(_ text: StyledText) -> Value {
        .array(text.spans.map { .array([.string($0.string), "plain"]) })
    }
    return .object([
        "n": .integer(Int64(element.viewNumber)), "kind": "cell",
        "path": .array([.integer(Int64(path.section)), .integer(Int64(path.item))]),
        "row": .integer(Int64(path.item) + 1),
        "frame": .array([
            .number(frame.minX), .number(frame.minY), .number(frame.size.width), .number(frame.size.height),
        ]),
        "text": text(element.content.text), "columns": .array(element.content.columns.map(text)),
        "selected": .bool(element.isSelected),
    ])
}
