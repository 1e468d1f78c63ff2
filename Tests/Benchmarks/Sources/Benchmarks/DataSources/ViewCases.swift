import BenchmarkHarness
import CollectionViews
import DataSources
import Foundation

/// Frames, measurements and batches of a list of a million rows.
@MainActor let viewCases = [
    BenchmarkCase(
        "view.mount",
        baseline:
            "asking a function for the length of each of 1,000,000 rows once; ours makes the first frame",
        wanted: 20
    ) {
        let rows = Rows(1_000_000)
        return Contest(
            plain: .synchronous { operations in
                var shown = 0
                for _ in 0..<operations {
                    var total = 0.0
                    for item in 0..<rows.count { total += rows.length(at: IndexPath(item: item, section: 0)) }
                    if total > 0 { shown += Rows.visible }
                }
                return Outcome(Double(shown))
            },
            ours: .synchronous { operations in
                var shown = 0
                for _ in 0..<operations { shown += try rows.makeView().makeFrame().elements.count }
                return Outcome(Double(shown))
            },
            expected: { Double($0 * Rows.visible) }
        )
    },
    BenchmarkCase(
        "view.scroll",
        baseline: "a frame after a scroll by 7 units in a list of 10,000 rows; ours is in one of 1,000,000",
        wanted: 0.5
    ) {
        let (small, large) = (Rows(10_000), Rows(1_000_000))
        let (plain, ours) = (small.makeView(), large.makeView())
        func scroll(_ view: CollectionView, _ operations: Int) throws -> Outcome {
            var frames = 0
            for number in 0..<operations {
                view.contentOffset = Double(number % 20_000 * 7)
                if try !view.makeFrame().elements.isEmpty { frames += 1 }
            }
            return Outcome(Double(frames))
        }
        return Contest(
            plain: .synchronous { operations in
                try withExtendedLifetime(small) { try scroll(plain, operations) }
            },
            ours: .synchronous { operations in
                try withExtendedLifetime(large) { try scroll(ours, operations) }
            },
            expected: Double.init
        )
    },
    BenchmarkCase(
        "view.resize",
        baseline: "adding the lengths of 100,000 rows again; ours measures one of 100,000 measured rows",
        wanted: 50
    ) {
        let rows = Rows(100_000)
        let view = rows.makeView()
        var lengths = (0..<rows.count).map { rows.length(at: IndexPath(item: $0, section: 0)) }
        for (item, length) in lengths.enumerated() {
            try view.setMeasuredLength(length, forItemAt: IndexPath(item: item, section: 0))
        }
        return Contest(
            plain: .synchronous { operations in
                var sum = 0.0
                for number in 0..<operations {
                    lengths[number * 7_919 % rows.count] = Double(number % 50 + 1)
                    if lengths.reduce(0, +) > 0 { sum += 1 }
                }
                return Outcome(sum)
            },
            ours: .synchronous { operations in
                var sum = 0.0
                for number in 0..<operations {
                    let path = IndexPath(item: number * 7_919 % rows.count, section: 0)
                    try view.setMeasuredLength(Double(number % 50 + 1), forItemAt: path)
                    if view.contentLength > 0 { sum += 1 }
                }
                return Outcome(sum)
            },
            expected: Double.init
        )
    },
    BenchmarkCase(
        "view.insert.range",
        baseline: "inserting 1,000 rows one by one into a list of 1,000,000; ours inserts them as one batch",
        wanted: 100
    ) {
        let rows = Rows(1_000_000)
        let view = rows.makeView()
        _ = try view.makeFrame()
        let paths = (0..<1_000).map { IndexPath(item: 500_000 + $0, section: 0) }
        func insert(_ paths: [IndexPath]) throws {
            try view.performBatchUpdates {
                rows.count += paths.count
                view.insertItems(at: paths)
            }
        }
        func outcome(_ operations: Int) throws -> Outcome {
            let inserted = view.numberOfItems(inSection: 0) - 1_000_000
            rows.count = 1_000_000
            view.reloadData()
            _ = try view.makeFrame()
            return Outcome(Double(inserted))
        }
        return Contest(
            plain: .synchronous { operations in
                for _ in 0..<operations { for path in paths { try insert([path]) } }
                return try outcome(operations)
            },
            ours: .synchronous { operations in
                for _ in 0..<operations { try insert(paths) }
                return try outcome(operations)
            },
            expected: { Double($0 * 1_000) }
        )
    },
    BenchmarkCase(
        "view.batch",
        baseline: "a frame after 1,000 changes in 1,000,000 rows, as one batch",
        figure: .microseconds,
        wanted: 5_000
    ) {
        let rows = Rows(1_000_000)
        let view = rows.makeView()
        _ = try view.makeFrame()
        let paths = (0..<500).map { IndexPath(item: $0 * 1_900 + 7, section: 0) }
        return Contest(
            plain: nil,
            ours: .synchronous { operations in
                var frames = 0
                defer { withExtendedLifetime(rows) {} }
                for _ in 0..<operations {
                    try view.performBatchUpdates {
                        view.deleteItems(at: paths)
                        view.insertItems(at: paths)
                    }
                    if try !view.makeFrame().elements.isEmpty { frames += 1 }
                }
                return Outcome(Double(frames))
            },
            expected: Double.init
        )
    },
    BenchmarkCase(
        "view.created",
        baseline: "cells that are created in 10,000 fast frames, for each cell of one frame",
        figure: .amount("of the visible"),
        granularity: 10_000,
        wanted: 1.1
    ) {
        let rows = Rows(1_000_000)
        return Contest(
            plain: nil,
            ours: .synchronous { operations in
                let view = rows.makeView()
                for number in 0..<operations {
                    view.contentOffset = Double(number * 7_919 % 19_000_000)
                    try view.layoutIfNeeded()
                }
                let most = 700 / 20 + 1
                return Outcome(
                    Double(operations),
                    amount: Double(view.counters.created) / Double(most)
                )
            },
            expected: Double.init
        )
    },
]

/// A data source of rows of 20 units, which a view of 700 units shows.
private final class Rows: CollectionViewDataSource {
    static let visible = 35
    var count: Int

    init(_ count: Int) { self.count = count }

    func makeView() -> CollectionView {
        var configuration = ListConfiguration()
        configuration.estimatedRowLength = 20
        let view = CollectionView(
            frame: Rect(x: 0, y: 0, width: 80, height: 700),
            collectionViewLayout: ListLayout(configuration)
        )
        view.register(Cell.self, forCellWithReuseIdentifier: "row")
        view.dataSource = self
        return view
    }

    @inline(never)
    func length(at indexPath: IndexPath) -> Double { Double(indexPath.item % 40 + 1) }

    func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int {
        count
    }

    func collectionView(_ collectionView: CollectionView, cellForItemAt indexPath: IndexPath) throws -> Cell {
        let cell = try collectionView.dequeueReusableCell(withReuseIdentifier: "row", for: indexPath)
        cell.content.text = "row"
        return cell
    }
}
