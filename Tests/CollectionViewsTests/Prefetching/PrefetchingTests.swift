import CollectionViews
import DataSources
import Foundation
import TestSupport
import Testing

@Suite("Prefetching")
struct PrefetchingTests {
    /// A recorder of the items that are being loaded.
    final class Loader: CollectionViewDataSourcePrefetching {
        var pending: Set<IndexPath> = []
        var last: [Int] = []
        var cancelled: [Int] = []
        var faults: [String] = []

        func collectionView(_ collectionView: CollectionView, prefetchItemsAt indexPaths: [IndexPath]) {
            last = indexPaths.map(\.item)
            for path in indexPaths where !pending.insert(path).inserted {
                faults.append("\(path) is requested twice")
            }
        }

        func collectionView(
            _ collectionView: CollectionView,
            cancelPrefetchingForItemsAt indexPaths: [IndexPath]
        ) {
            cancelled += indexPaths.map(\.item)
            for path in indexPaths where pending.remove(path) == nil {
                faults.append("\(path) is cancelled, and was not requested")
            }
        }
    }

    @Test("C11 V11 a loader that answers immediately leaves a complete frame", arguments: [false, true])
    func immediateAnswer(isReload: Bool) throws {
        final class Immediate: CollectionViewDataSourcePrefetching {
            var answer: () -> Void = {}
            func collectionView(_ view: CollectionView, prefetchItemsAt indexPaths: [IndexPath]) { answer() }
            func collectionView(_ view: CollectionView, cancelPrefetchingForItemsAt paths: [IndexPath]) {}
        }
        let source = TestSource(count: 1_000)
        let view = CollectionView.list(source)
        let loader = Immediate()
        view.prefetchDataSource = loader
        try view.layoutIfNeeded()
        view.contentOffset = 2_000
        try view.layoutIfNeeded()
        loader.answer = { [weak loader] in
            loader?.answer = {}
            source.sections[0].removeSubrange(101..<104)
            if isReload {
                view.reloadData()
            } else {
                view.deleteItems(at: (101..<104).map { IndexPath(item: $0, section: 0) })
            }
        }
        let lines = try view.makeFrame().lines
        #expect(lines == ["100 at 0.0", "104 at 20.0", "105 at 40.0", "106 at 60.0", "107 at 80.0"])
    }

    @Test("C11 items are requested by their distance, ahead of the scroll first")
    func distance() throws {
        let source = TestSource(count: 1_000)
        let view = CollectionView.list(source)
        let loader = Loader()
        view.prefetchDataSource = loader
        try view.layoutIfNeeded()
        #expect(loader.last == [5, 6, 7, 8, 9])
        view.contentOffset = 2_000
        // A jump requests nothing until a frame in which the content rests.
        try view.layoutIfNeeded()
        #expect(loader.last == [5, 6, 7, 8, 9] && loader.cancelled == [5, 6, 7, 8, 9])
        try view.layoutIfNeeded()
        #expect(loader.last == [105, 106, 107, 108, 109, 99, 98, 97])
        #expect(loader.cancelled == [5, 6, 7, 8, 9])
        view.contentOffset = 1_900
        try view.layoutIfNeeded()
        #expect(loader.last == [94, 93, 92, 91, 90, 89, 88, 87, 86, 85, 100, 101, 102])
        view.isPrefetchingEnabled = false
        loader.last = []
        view.contentOffset = 9_000
        try view.layoutIfNeeded()
        #expect(loader.last.isEmpty)
    }

    @Test("C11 each requested item becomes visible or is cancelled, and none is requested twice before")
    func balance() throws {
        let source = TestSource(count: 2_000)
        source.length = { Double($0 * 31 % 40 + 3) }
        let view = CollectionView.list(source)
        let loader = Loader()
        let delegate = TestDelegate()
        delegate.whenDisplayed = { loader.pending.remove($0) }
        view.prefetchDataSource = loader
        view.delegate = delegate
        var generator = SeededGenerator.fromEnvironment()
        for _ in 0..<500 {
            view.contentOffset += Double(generator.int(generator.chance(10) ? -5_000..<5_000 : -80..<120))
            if generator.chance(3) { view.reloadData() }
            try view.layoutIfNeeded()
            #expect(loader.faults.isEmpty, "\(generator.origin)")
            // One and a half screens of rows of at least 3 units, or of 20 before they are measured.
            #expect(loader.pending.count <= 50)
        }
        view.dataSource = nil
        try view.layoutIfNeeded()
        #expect(loader.pending.isEmpty)
    }

    @Test("C11 a new prefetching data source is not asked to cancel what another one loads")
    func newLoader() throws {
        let source = TestSource(count: 1_000)
        let view = CollectionView.list(source)
        let loader = Loader()
        let other = Loader()
        view.prefetchDataSource = loader
        try view.layoutIfNeeded()
        view.prefetchDataSource = other
        #expect(loader.cancelled == [5, 6, 7, 8, 9])
        view.contentOffset = 2_000
        for _ in 0..<2 { try view.layoutIfNeeded() }
        #expect(other.cancelled.isEmpty && other.faults.isEmpty)
        #expect(other.last == [105, 106, 107, 108, 109, 99, 98, 97])
    }

    @Test("C11 the requests of a view that no longer prefetches and those of deleted items are cancelled")
    func cancellation() throws {
        let source = TestSource(count: 1_000)
        let view = CollectionView.list(source)
        let loader = Loader()
        view.prefetchDataSource = loader
        try view.layoutIfNeeded()
        try view.performBatchUpdates {
            source.sections[0].removeSubrange(6..<8)
            view.deleteItems(at: [IndexPath(item: 6, section: 0), IndexPath(item: 7, section: 0)])
        }
        #expect(loader.cancelled == [6, 7])
        loader.cancelled = []
        view.isPrefetchingEnabled = false
        #expect(loader.cancelled == [5, 6, 7, 8, 9])
        try view.layoutIfNeeded()
        #expect(loader.cancelled.count == 5)
    }

    @Test("V17 prefetching reaches further ahead the faster the content scrolls, up to two screens")
    func speed() throws {
        let source = TestSource(count: 1_000)
        let view = CollectionView.list(source)
        let loader = Loader()
        view.prefetchDataSource = loader
        try view.layoutIfNeeded()
        var farthest = 0
        for (distance, screens) in [(0.0, 1.0), (5, 1.2), (20, 1.8), (60, 2.0), (0.5, 1.02)] {
            view.contentOffset += distance
            try view.layoutIfNeeded()
            farthest = max(farthest, loader.pending.map(\.item).max() ?? 0)
            let end = Int(((view.contentOffset + 100 + 100 * screens) / 20).rounded(.up)) - 1
            #expect(farthest == max(end, farthest))
            if distance >= 1 { #expect(farthest == end) }
        }
    }

    @Test("V17 V5 a fling requests only what it passes slowly, or where it ends, and cancels the rest")
    func fling() throws {
        let source = TestSource(count: 100_000)
        let view = CollectionView.list(source)
        let loader = Loader()
        let delegate = TestDelegate()
        delegate.whenDisplayed = { loader.pending.remove($0) }
        view.delegate = delegate
        view.prefetchDataSource = loader
        try view.layoutIfNeeded()
        for _ in 0..<50 {
            view.contentOffset += 350
            try view.layoutIfNeeded()
            #expect(loader.pending.isEmpty)
        }
        #expect(view.counters.prefetched == 5 && view.counters.cancelled == 5)
        view.beginDragging()
        let target = view.endDragging(withVelocity: 20_000)
        try view.layoutIfNeeded()
        let first = Int(target / 20)
        #expect(target == 17_500 + 9_980 && loader.pending.map(\.item).sorted() == Array(first..<first + 5))
        while view.contentOffset < target {
            view.contentOffset = min(target, view.contentOffset + 400)
            try view.layoutIfNeeded()
        }
        #expect(loader.faults.isEmpty && loader.pending.isEmpty)
        view.endDecelerating()
        try view.layoutIfNeeded()
        #expect(!loader.pending.isEmpty && !view.isDecelerating)
    }
}
