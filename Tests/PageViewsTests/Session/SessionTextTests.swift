import BridgeValues
import CollectionViews
import DataSources
import Foundation
import Testing

@testable import PageViews

@Suite("Long texts of cells")
struct SessionTextTests {
    /// A session of rows with any content.
    private final class Run {
        let source: RowSource
        let view: CollectionView
        let session: PageSession

        init(
            count: Int,
            height: Double = 100,
            estimate: Double = 20,
            _ content: @escaping (Int) -> CellContent
        ) {
            source = RowSource([Array(0..<count)], makeContent: content)
            var configuration = ListConfiguration()
            configuration.estimatedRowLength = estimate
            view = CollectionView(
                frame: Rect(x: 0, y: 0, width: 200, height: height),
                collectionViewLayout: ListLayout(configuration)
            )
            view.register(Cell.self, forCellWithReuseIdentifier: "row")
            view.dataSource = source
            session = PageSession(view: view, content: TitledContent(title: "rows"), clock: TestClock())
            session.apply([.resize(width: 200, height: height)])
        }

        func update() throws -> Value { try #require(session.makeUpdate()) }

        func byteCount(_ update: Value) throws -> Int { try JSONEncoder().encode(update).count }
    }

    private static let limit = PageServerLimits().outgoingMessageBytes

    @Test("PG5 a cell with 20 MiB of text makes no message that is too long: it is cut, with a mark")
    func giant() throws {
        let long = String(repeating: "x", count: 20 << 20)
        let run = Run(count: 100) { number in
            CellContent(text: StyledText(number == 0 ? long : "row"), secondaryText: StyledText(long))
        }
        let update = try run.update()
        #expect(try run.byteCount(update) < 1 << 20)
        let text = update["elements"][0]["text"][0][0].stringValue ?? ""
        #expect(text.hasSuffix("x\u{2026}"))
        #expect(text.utf8.count == TextLimit.longestElement + 3)
        #expect(update["elements"][0]["secondary"][0][0] == "\u{2026}")
        #expect(update["elements"][1]["text"][0][0] == "row")
    }

    @Test("PG5 the details of a cell without others have its whole text, as far as an answer has room")
    func details() throws {
        let text = String(repeating: "x", count: 1 << 20)
        let giant = String(repeating: "y", count: 9 << 20)
        let run = Run(count: 10) { CellContent(text: StyledText($0 == 0 ? text : giant)) }
        let update = try run.update()
        let numbers = update["elements"].array.compactMap { $0["n"].integer }
        #expect(try run.session.details(ofView: numbers[0])[0][0][0].stringValue == text)
        let cut = try run.session.details(ofView: numbers[1])[0][0][0].stringValue ?? ""
        #expect(cut.hasSuffix("y\u{2026}"))
        #expect(cut.utf8.count > 8_000_000)
        #expect(cut.utf8.count < PageAnswer.maximumByteCount)
    }

    @Test("PG5 many rows of many columns with control characters fit into a message together")
    func many() throws {
        let text = StyledText(String(repeating: "\u{1}", count: 5_000))
        let run = Run(count: 10_000, height: 10_000, estimate: 10) { _ in
            var content = CellContent(text: text)
            content.columns = Array(repeating: text, count: 20)
            content.accessories = [.label(String(repeating: "\u{1}", count: 5_000))]
            return content
        }
        let update = try run.update()
        #expect(update["elements"].array.count >= 1_000)
        #expect(try run.byteCount(update) < Self.limit)
    }

    @Test("PG5 texts are cut between characters of Unicode, and a picture that is too long is left out")
    func boundaries() {
        let limit = TextLimit(byteCount: 10)
        var room = 10
        #expect(TextLimit.cut("\u{1F600}\u{1F600}\u{1F600}", &room) == "\u{1F600}\u{1F600}\u{2026}")
        #expect(room == 0)
        room = 3
        #expect(TextLimit.cut("\"\"", &room) == "\"\u{2026}")
        var content = CellContent(text: StyledText("a"), imageName: "data:image/png;base64,xxxx")
        #expect(limit.cut(content).imageName == nil)
        content.imageName = "star"
        #expect(limit.cut(content) == content)
    }

    @Test("PG5 long titles, messages and columns fit into a message")
    func info() throws {
        let run = SessionRun(count: 10)
        run.content.title = String(repeating: "t", count: 20 << 20)
        run.session.message = String(repeating: "m", count: 20 << 20)
        run.content.changeHandler?()
        let update = try #require(run.session.makeUpdate())
        #expect(try JSONEncoder().encode(update).count < 20_000)
        #expect(update["message"].stringValue?.utf8.count == TextLimit.longestSentence + 3)
    }
}
