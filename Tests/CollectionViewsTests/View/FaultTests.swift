import CollectionViews
import DataSources
import Foundation
import Testing

@Suite("Faults of data sources and layouts")
struct FaultTests {
    private func code(_ body: () throws -> Void) -> CollectionViewError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? CollectionViewError)?.code
        }
    }

    @Test("C6 an unregistered identifier is an error with its name, and the next frame tries again")
    func unregistered() throws {
        let source = TestSource(count: 10)
        let view = CollectionView.list(source)
        source.identifier = { _ in "missing" }
        let error = #expect(throws: CollectionViewError.self) { try view.makeFrame() }
        #expect(error?.code == .unregisteredIdentifier && error?.message.contains("\"missing\"") == true)
        source.identifier = { _ in "number" }
        #expect(try view.makeFrame().lines.count == 5)
    }

    @Test("C7 a cell that fails leaves the others, and its dequeued view returns to the queue")
    func failing() throws {
        let source = TestSource(count: 10)
        let view = CollectionView.list(source)
        source.failing = [IndexPath(item: 3, section: 0)]
        for _ in 0..<10 {
            #expect(throws: SourceFault(path: IndexPath(item: 3, section: 0))) { try view.makeFrame() }
        }
        #expect(view.counters.created == 4)
        source.failing = []
        #expect(try view.makeFrame().lines.count == 5)
        #expect(view.counters.created == 5)
    }

    @Test("C1 counts that are negative or too large are errors", arguments: [-1, Int(Int32.max) + 1, .min])
    func counts(_ count: Int) {
        final class Lying: CollectionViewDataSource {
            let count: Int
            let isSectionCount: Bool
            init(_ count: Int, _ isSectionCount: Bool) {
                self.count = count
                self.isSectionCount = isSectionCount
            }
            func numberOfSections(in collectionView: CollectionView) -> Int { isSectionCount ? count : 1 }
            func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { count }
            func collectionView(_ view: CollectionView, cellForItemAt indexPath: IndexPath) -> Cell { Cell() }
        }
        for isSectionCount in [false, true] {
            let source = Lying(count, isSectionCount)
            let view = CollectionView.list(TestSource(count: 1))
            view.dataSource = source
            #expect(code { _ = try view.makeFrame() } == .invalidCount)
            #expect(view.numberOfSections == 0)
        }
    }

    @Test("C1 one view for two items is an error")
    func viewInUse() {
        final class Sharing: CollectionViewDataSource {
            let cell = Cell()
            func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { 2 }
            func collectionView(_ view: CollectionView, cellForItemAt indexPath: IndexPath) -> Cell { cell }
        }
        let source = Sharing()
        let view = CollectionView.list(TestSource(count: 1))
        view.dataSource = source
        #expect(code { _ = try view.makeFrame() } == .viewInUse)
    }

    @Test(
        "C2 frames with NaN or a negative size, paths that do not exist and elements returned twice are errors",
        arguments: 0..<6
    )
    func layout(_ fault: Int) throws {
        final class Faulty: CollectionLayout {
            var fault = 0
            override var collectionViewContentSize: Size { Size(width: 80, height: fault == 5 ? .nan : 100) }
            override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
                let good = LayoutAttributes(
                    forCellWith: IndexPath(item: 0, section: 0),
                    frame: Rect(x: 0, y: 0, width: 80, height: 20)
                )
                var bad = good
                switch fault {
                case 0: bad.frame.origin.y = .nan
                case 1: bad.frame.size.height = -1
                case 2: bad = LayoutAttributes(forCellWith: IndexPath(item: 7, section: 0), frame: good.frame)
                case 3: bad = LayoutAttributes(forCellWith: IndexPath(item: 0, section: 9), frame: good.frame)
                case 4: return [good, good]
                default: break
                }
                return [bad]
            }
        }
        let layout = Faulty()
        layout.fault = fault
        let source = TestSource(count: 3)
        let view = CollectionView.list(source)
        view.setCollectionViewLayout(layout)
        #expect(code { _ = try view.makeFrame() } == .invalidAttributes)
        layout.fault = -1
        #expect(try view.makeFrame().lines == ["0 at 0.0"])
    }

    @Test("C2 overlapping frames are displayed, in the order of zIndex and path")
    func overlapping() throws {
        final class Pile: CollectionLayout {
            override var collectionViewContentSize: Size { Size(width: 80, height: 100) }
            override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
                (0..<3).map { item in
                    var attributes = LayoutAttributes(
                        forCellWith: IndexPath(item: item, section: 0),
                        frame: Rect(x: 0, y: 0, width: 80, height: 20)
                    )
                    attributes.zIndex = item == 0 ? 9 : 0
                    return attributes
                }
            }
        }
        let source = TestSource(count: 3)
        let view = CollectionView.list(source)
        view.setCollectionViewLayout(Pile())
        #expect(try view.makeFrame().elements.map(\.content.text.string) == ["1", "2", "0"])
        #expect(view.indexPathForItem(at: Point(x: 1, y: 1))?.item == 0)
    }

    @Test("V4 cells whose length is NaN, negative, zero or enormous do not break the view")
    func lengths() throws {
        let source = TestSource(count: 1_000)
        let view = CollectionView.list(source)
        source.length = { _ in .nan }
        #expect(code { _ = try view.makeFrame() } == .invalidAttributes)
        source.length = { _ in -3 }
        view.reloadData()
        #expect(code { _ = try view.makeFrame() } == .invalidAttributes)
        source.length = { $0 == 0 ? 1e300 : 0 }
        view.reloadData()
        #expect(try view.makeFrame().lines == ["0 at 0.0"])
        view.contentOffset = 1e9
        // Rows of length 0 are 1/64 long, so that a window has a limited number of them.
        #expect(try view.makeFrame().elements.count > 900)
    }

    @Test(
        "V10 reloads and updates from callbacks are applied after the pass, and layout from one is an error"
    )
    func callbacks() throws {
        let source = TestSource(count: 100)
        let view = CollectionView.list(source)
        var nested: CollectionViewError.Code?
        source.whenAsked = { path in
            if path.item == 2, source.sections[0].count == 100 {
                source.sections = [Array(500..<510)]
                view.reloadData()
                nested = self.code { try view.layoutIfNeeded() }
            }
        }
        _ = try view.makeFrame()
        #expect(nested == .calledFromCallback)
        #expect(try view.makeFrame().lines.first == "500 at 0.0")
        #expect(view.numberOfItems(inSection: 0) == 10)
    }

    @Test("V1 programmer errors stop the process with a sentence")
    func traps() async {
        let nan = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let source = TestSource(count: 1)
            CollectionView.list(source).contentOffset = .nan
        }
        #expect(nan.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }?.contains("NaN") == true)
        await #expect(processExitsWith: .failure) {
            _ = CollectionView(
                frame: Rect(x: 0, y: 0, width: -1, height: 2),
                collectionViewLayout: ListLayout()
            )
        }
        await #expect(processExitsWith: .failure) {
            let layout = ListLayout()
            let first = CollectionView(frame: .zero, collectionViewLayout: layout)
            _ = CollectionView(frame: .zero, collectionViewLayout: layout)
            _ = first
        }
    }

    @Test("C1 a cell that waits for reuse and is returned all the same is an error")
    func waiting() throws {
        final class Caching: TestSource {
            var cached: Cell?
            var usesCache = false
            override func collectionView(_ view: CollectionView, cellForItemAt indexPath: IndexPath) throws
                -> Cell
            {
                if usesCache, let cached { return cached }
                cached = try super.collectionView(view, cellForItemAt: indexPath)
                return cached ?? Cell()
            }
        }
        let source = Caching(count: 1_000)
        let view = CollectionView.list(source, height: 20)
        try view.layoutIfNeeded()
        source.usesCache = true
        view.contentOffset = 1_000
        #expect(code { _ = try view.makeFrame() } == .viewInUse)
    }

    @Test("C2 NaN in alpha or transform and attributes of another element are errors", arguments: 0..<3)
    func attributes(_ fault: Int) throws {
        final class Wrong: Cell {
            var fault = 0
            override func preferredLayoutAttributesFitting(_ layoutAttributes: LayoutAttributes)
                -> LayoutAttributes
            {
                var result = layoutAttributes
                switch fault {
                case 0: result.alpha = .nan
                case 1: result.transform.matrix[4] = .infinity
                default:
                    result = LayoutAttributes(
                        forCellWith: IndexPath(item: 1, section: 0),
                        frame: layoutAttributes.frame
                    )
                }
                return result
            }
        }
        let view = CollectionView.list(TestSource(count: 3))
        view.register(Wrong.self, forCellWithReuseIdentifier: "number")
        final class Setting: CollectionViewDataSource {
            let fault: Int
            init(_ fault: Int) { self.fault = fault }
            func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { 3 }
            func collectionView(_ view: CollectionView, cellForItemAt indexPath: IndexPath) throws -> Cell {
                let cell = try view.dequeueReusableCell(withReuseIdentifier: "number", for: indexPath)
                (cell as? Wrong)?.fault = fault
                return cell
            }
        }
        let setting = Setting(fault)
        view.dataSource = setting
        #expect(code { _ = try view.makeFrame() } == .invalidAttributes)
    }

    @Test(
        "C2 C8 supplementary and decoration views of sections that do not exist are errors",
        arguments: 0..<4
    )
    func others(_ fault: Int) throws {
        final class Faulty: CollectionLayout {
            var paths: [IndexPath] = []
            var isDecoration = false
            override var collectionViewContentSize: Size { Size(width: 80, height: 100) }
            override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
                paths.map { path in
                    let frame = Rect(x: 0, y: 0, width: 80, height: 20)
                    return isDecoration
                        ? LayoutAttributes(forDecorationViewOfKind: "line", with: path, frame: frame)
                        : LayoutAttributes(forSupplementaryViewOfKind: "badge", with: path, frame: frame)
                }
            }
        }
        let layout = Faulty()
        layout.isDecoration = fault % 2 == 1
        layout.paths = [IndexPath(item: fault < 2 ? 0 : 3, section: fault < 2 ? 1 : 0)]
        let source = TestSource(count: 3)
        let view = CollectionView.list(source)
        view.setCollectionViewLayout(layout)
        #expect(code { _ = try view.makeFrame() } == .invalidAttributes)
        layout.paths = [IndexPath(item: 2, section: 0)]
        layout.invalidateLayout()
        #expect(code { _ = try view.makeFrame() } == nil)
    }

    @Test("C2 a layout that throws leaves the view as it was, and is prepared again by the next frame")
    func throwing() throws {
        struct Fault: Error {}
        final class Throwing: CollectionLayout {
            var isFailing = true
            override var collectionViewContentSize: Size { Size(width: 80, height: 100) }
            override func prepare() throws { if isFailing { throw Fault() } }
        }
        let source = TestSource(count: 3)
        let view = CollectionView.list(source)
        try view.layoutIfNeeded()
        let layout = Throwing()
        view.setCollectionViewLayout(layout)
        for _ in 0..<3 { #expect(throws: Fault.self) { try view.makeFrame() } }
        source.sections[0].removeLast()
        view.deleteItems(at: [IndexPath(item: 2, section: 0)])
        #expect(view.numberOfItems(inSection: 0) == 2)
        layout.isFailing = false
        #expect(try view.makeFrame().contentSize.height == 100)
    }

    @Test("C2 a layout whose rows grow without end is an error")
    func endless() throws {
        final class Endless: CollectionLayout {
            private var first = 0
            override var collectionViewContentSize: Size { Size(width: 80, height: 100) }
            override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
                layoutAttributesForItem(at: IndexPath(item: first, section: 0)).map { [$0] } ?? []
            }
            override func layoutAttributesForItem(at indexPath: IndexPath) -> LayoutAttributes? {
                LayoutAttributes(forCellWith: indexPath, frame: Rect(x: 0, y: 0, width: 80, height: 20))
            }
            override func shouldInvalidateLayout(
                forPreferredLayoutAttributes preferredAttributes: LayoutAttributes,
                withOriginalAttributes originalAttributes: LayoutAttributes
            ) -> Bool {
                first += 1
                return true
            }
        }
        let source = TestSource(count: 1_000_000)
        let view = CollectionView.list(source)
        view.setCollectionViewLayout(Endless())
        #expect(code { _ = try view.makeFrame() } == .layoutDoesNotSettle)
    }

    @Test("C2 a layout is asked about each change of the bounds once, while its host has the old ones")
    func bounds() throws {
        final class Recording: CollectionLayout {
            var asked: [[Double]] = []
            var isInvalid = false
            override var collectionViewContentSize: Size { Size(width: 80, height: 1_000) }
            override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
                let old = host?.bounds ?? .zero
                asked.append([old.minY, newBounds.minY, old.size.height, newBounds.size.height])
                return isInvalid
            }
        }
        let layout = Recording()
        let view = CollectionView.list(TestSource(count: 1))
        view.setCollectionViewLayout(layout)
        try view.layoutIfNeeded()
        layout.asked = []
        view.contentOffset = 50
        view.frame.size.height = 80
        try view.layoutIfNeeded()
        #expect(layout.asked == [[0, 50, 100, 100], [50, 50, 100, 80]])
        view.contentOffset = 5_000
        try view.layoutIfNeeded()
        #expect(layout.asked.dropFirst(2) == [[50, 5_000, 80, 80], [5_000, 920, 80, 80]])
        #expect(view.counters.prepared == 1)
        layout.isInvalid = true
        view.contentOffset = 100
        let passes = view.counters.passes
        try view.layoutIfNeeded()
        #expect(view.counters.prepared == 2 && view.counters.passes == passes + 1)
    }
}
