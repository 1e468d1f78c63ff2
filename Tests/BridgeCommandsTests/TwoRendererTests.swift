import BridgeValues
import CollectionViews
import DataSources
import Foundation
import Testing

@testable import PageViews
@testable import TerminalViews

/// One view, drawn by a terminal and by a page.
@Suite("two renderers")
struct TwoRendererTests {
    /// Sections of words of different lengths, each with a header.
    private final class Words: CollectionViewDataSource {
        let sections = (0..<6).map { section in (0..<20).map { "w\(section).\($0)" } }

        func numberOfSections(in collectionView: CollectionView) -> Int { sections.count }

        func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int {
            sections[section].count
        }

        func collectionView(_ collectionView: CollectionView, cellForItemAt indexPath: IndexPath) throws
            -> Cell
        {
            let cell = try collectionView.dequeueReusableCell(withReuseIdentifier: "word", for: indexPath)
            cell.content.text = StyledText(sections[indexPath.section][indexPath.item])
            return cell
        }

        func collectionView(
            _ collectionView: CollectionView,
            viewForSupplementaryElementOfKind kind: String,
            at indexPath: IndexPath
        ) throws -> ReusableView? {
            let view = try collectionView.dequeueReusableSupplementaryView(
                ofKind: kind,
                withReuseIdentifier: "header",
                for: indexPath
            )
            view.content.text = StyledText("section \(indexPath.section)")
            return view
        }
    }

    private static func view(_ source: Words) -> CollectionView {
        let layout = FlowLayout()
        layout.itemSize = Size(width: 9, height: 1)
        layout.minimumInteritemSpacing = 2
        layout.minimumLineSpacing = 1
        layout.headerReferenceSize = Size(width: 60, height: 2)
        layout.sectionHeadersPinToVisibleBounds = true
        let view = CollectionView(
            frame: Rect(x: 0, y: 0, width: 60, height: 20),
            collectionViewLayout: layout
        )
        view.register(Cell.self, forCellWithReuseIdentifier: "word")
        view.register(
            ReusableView.self,
            forSupplementaryViewOfKind: CollectionView.elementKindSectionHeader,
            withReuseIdentifier: "header"
        )
        view.dataSource = source
        return view
    }

    /// Returns the place of each text on a screen: its row, and the column of its first character.
    private static func places(on screen: TerminalScreen) -> [String: [Int]] {
        var places: [String: [Int]] = [:]
        for row in 0..<screen.size.rows {
            let scalars = (0..<screen.size.columns).map { screen[row, $0].glyph.scalar ?? " " }
            var column = 0
            while column < scalars.count {
                guard scalars[column] != " " else {
                    column += 1
                    continue
                }
                // Words of one text have one space between them, texts at least two.
                var end = column
                while end < scalars.count,
                    scalars[end] != " " || end + 1 < scalars.count && scalars[end + 1] != " "
                {
                    end += 1
                }
                var view = String.UnicodeScalarView()
                view.append(contentsOf: scalars[column..<end])
                places[String(view)] = [row, column]
                column = end
            }
        }
        return places
    }

    @Test("C14 a terminal and a page draw the same elements at the same places, also with pinned headers")
    func places() throws {
        for offset in [0.0, 7, 23, 33] {
            let source = Words()
            let view = Self.view(source)
            let session = PageSession(view: view, content: TitledContent(title: "words"))
            session.apply([.resize(width: 60, height: 20)])
            view.contentOffset = offset
            let update = try #require(session.makeUpdate())
            let frame = try view.makeFrame()
            var screen = TerminalScreen(size: TerminalSize(columns: 62, rows: 20))
            var drawnElements = DrawnElements()
            TerminalRenderer(text: TerminalText())
                .draw(frame, into: &screen, rows: 0..<20, columns: 0..<62, drawn: &drawnElements) { _ in
                    .init()
                }
            let drawn = Self.places(on: screen)
            var sent: [String: [Int]] = [:]
            // From back to front, as the page stacks them; what a pinned header covers is not seen.
            let elements = (update["elements"].arrayValue ?? [])
                .sorted { ($0["z"].doubleValue ?? 0) < ($1["z"].doubleValue ?? 0) }
            for element in elements {
                let box = (0..<4).compactMap { element["frame"][$0].doubleValue }
                let top = Int(box[1] - offset)
                let covered = sent.filter {
                    element["kind"] == "header" && top..<top + Int(box[3]) ~= $0.value[0]
                }
                for text in covered.keys { sent[text] = nil }
                guard (0..<20).contains(top) else { continue }
                let text = element["text"].arrayValue?.compactMap { $0[0].stringValue }.joined() ?? ""
                // A terminal rounds to its cells.
                sent[text] = [top, Int(box[0].rounded()) + TerminalRenderer.gutterWidth]
            }
            #expect(sent.count > 20)
            #expect(drawn == sent, "at \(offset)")
        }
    }
}
