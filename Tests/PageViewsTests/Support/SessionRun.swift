import BridgeValues
import CollectionViews
import DataSources
import Foundation

@testable import PageViews

/// A session of numbers, with the double of its page.
final class SessionRun {
    let source: NumberSource
    let content: NumberContent
    let view: CollectionView
    let session: PageSession
    let clock = TestClock()
    var page = PageDouble()

    init(
        _ sections: [[Int]],
        height: Double = 100,
        headers: Bool = false,
        isMultiple: Bool = true,
        drags: PageDrags = PageDrags()
    ) {
        source = NumberSource(sections)
        content = NumberContent(source)
        content.isFoldable = headers
        view = Self.makeView(headers: headers)
        view.dataSource = source
        view.allowsMultipleSelection = isMultiple
        session = PageSession(view: view, content: content, clock: clock, drags: drags)
        content.foldHandler = { [view] in view.reloadData() }
        send(["resize", 200, .number(height)])
        take()
    }

    convenience init(count: Int, height: Double = 100, isMultiple: Bool = true) {
        self.init([Array(0..<count)], height: height, isMultiple: isMultiple)
    }

    static func makeView(headers: Bool) -> CollectionView {
        var configuration = ListConfiguration()
        configuration.estimatedRowLength = 20
        if headers {
            configuration.headerLength = 20
            configuration.sectionHeadersPinToVisibleBounds = true
        }
        let view = CollectionView(
            frame: Rect(x: 0, y: 0, width: 200, height: 100),
            collectionViewLayout: ListLayout(configuration)
        )
        view.register(Cell.self, forCellWithReuseIdentifier: "number")
        view.register(
            ReusableView.self,
            forSupplementaryViewOfKind: CollectionView.elementKindSectionHeader,
            withReuseIdentifier: "header"
        )
        return view
    }

    /// Sends an input as the page does, with the update that it has applied.
    func send(_ input: [Value]) {
        var inputs: [PageInput] = [.seen(sequence: page.sequence)]
        do {
            inputs.append(try PageInput(.array(input)))
        } catch {
            session.message = "\(error)"
        }
        session.apply(inputs)
    }

    /// Presses a key.
    func press(_ key: String, _ modifiers: String = "") { send(["key", .string(key), .string(modifiers)]) }

    /// Clicks the element with a text.
    func click(_ text: String, _ modifiers: String = "", count: Int = 1) {
        guard let number = page.number(text) else { return }
        send(["click", .integer(Int64(number)), .string(modifiers), .integer(Int64(count)), ""])
    }

    /// Scrolls the page by itself, and sends where it is.
    func scroll(to offset: Double) {
        page.position = offset
        send(["scroll", .number(offset), 0])
    }

    /// Lets the page take updates until there is none.
    func take() {
        for _ in 0..<10 {
            _ = session.update(at: clock.now)
            guard let update = session.makeUpdate() else { return }
            page.apply(update)
        }
    }

    /// The number of the row with the focus.
    var focused: Int? {
        view.focusedIndexPath.map { source.shown($0.section)[$0.item] }
    }

    /// The numbers of the marked rows.
    var marked: [Int] { view.indexPathsForSelectedItems.map { source.shown($0.section)[$0.item] } }

    /// Returns what a page that begins now receives.
    func fullPage() -> PageDouble {
        let (sent, scroll) = (session.sent, session.scroll)
        session.sent = SentState()
        session.scroll = PageScroll()
        session.isInfoStale = true
        session.isFrameStale = true
        var page = PageDouble()
        if let update = session.makeUpdate() { page.apply(update) }
        session.sent = sent
        session.scroll = scroll
        return page
    }
}
