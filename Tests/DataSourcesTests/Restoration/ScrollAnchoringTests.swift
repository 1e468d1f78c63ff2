import DataSources
import Foundation
import Stores
import TestSupport
import Testing

@Suite("Live scroll anchoring")
struct ScrollAnchoringTests {
    /// Changes a scrolled list of numbers, and returns the first visible row before and after, with its offset from the
    /// edge.
    private func scroll(
        _ old: [Int],
        _ new: [Int],
        offset: Double,
        rule: ScrollAnchoring = ScrollAnchoring(),
        height: Double = 100
    ) throws -> (old: String, new: String, adjustment: Double) {
        let source = ListSource(values: old)
        let before = RowsView(of: source, rowLength: 20, viewportLength: height, contentOffset: offset)
        let difference = try source.setItems(new)
        var after = RowsView(of: source, rowLength: 20, viewportLength: height, contentOffset: offset)
        let adjustment = rule.adjustment(applying: difference, from: before, to: after)
        after.contentOffset += adjustment
        func first(_ view: RowsView, _ items: [Int]) -> String {
            guard let path = view.visibleIndexPaths.first, let place = view.position(of: path) else {
                return ""
            }
            return "\(items[path.item]) at \(place.lowerBound - view.contentOffset)"
        }
        return (first(before, old), first(after, new), adjustment)
    }

    private let list = Array(0..<100)

    @Test("S7 a thousand rows inserted above the viewport move no visible pixel")
    func insertedAbove() throws {
        let result = try scroll(list, Array(1_000..<2_000) + list, offset: 507)
        #expect(result.adjustment == 20_000)
        #expect(result.old == result.new && result.old == "25 at -7.0")
    }

    @Test("S7 rows deleted above, and rows inserted and deleted below, move no visible pixel")
    func others() throws {
        let deleted = try scroll(list, Array(list[10...]), offset: 507)
        #expect(deleted.adjustment == -200 && deleted.old == deleted.new)
        let below = try scroll(list, Array(list[..<60]) + [500, 501], offset: 507)
        #expect(below.adjustment == 0 && below.old == below.new)
    }

    @Test("S7 the first visible row is deleted: the next remaining one keeps its position")
    func gone() throws {
        let result = try scroll(list, list.filter { $0 != 25 && $0 > 9 }, offset: 507)
        // 26 was at 13 and still is; 24 appears above it.
        #expect(result.new == "24 at -7.0")
        #expect(result.adjustment == -200 - 20)
    }

    @Test("S7 all visible rows are deleted: the nearest row before them keeps its position")
    func allGone() throws {
        let result = try scroll(list, [900] + list.filter { $0 < 20 || $0 > 40 }, offset: 507)
        // 19 was five rows above the edge, and six rows were deleted with the visible ones.
        #expect(result.adjustment == 20)
    }

    @Test("S7 a visible row that moves away does not scroll the view with it")
    func moved() throws {
        var new = list
        new.remove(at: 25)
        new.append(25)
        let result = try scroll(list, new, offset: 507)
        #expect(result.adjustment == -20)
        #expect(result.new == "24 at -7.0")
    }

    @Test("S7 at the very top a view stays at the top, unless configured otherwise")
    func suppressed() throws {
        let rows = [900, 901] + list
        #expect(try scroll(list, rows, offset: 0).adjustment == 0)
        #expect(
            try scroll(list, rows, offset: 0, rule: ScrollAnchoring(isSuppressedAtTop: false)).adjustment
                == 40
        )
    }

    @Test("S7 end anchoring: a log at its end stays at its end, one that was scrolled up keeps its position")
    func end() throws {
        let rule = ScrollAnchoring(mode: .end)
        let atEnd = try scroll(list, list + [900, 901, 902], offset: 1_900, rule: rule)
        #expect(atEnd.adjustment == 60)
        let scrolledUp = try scroll(list, list + [900, 901, 902], offset: 1_500, rule: rule)
        #expect(scrolledUp.adjustment == 0)
        let shortened = try scroll(list, Array(list[50...]) + [900], offset: 1_900, rule: rule)
        #expect(shortened.adjustment == 51 * 20 - 100 - 1_900)
    }

    @Test("S7 the adjustment never leads beyond the ends of the content")
    func clamped() throws {
        #expect(try scroll(list, [30, 31], offset: 507).adjustment == -507)
        #expect(try scroll(list, [], offset: 507).adjustment == -507)
    }

    @Test(
        "S7 random edits: a visible row that was neither deleted nor moved keeps its pixel if there is room"
    )
    func random() throws {
        var generator = SeededGenerator.fromEnvironment()
        for _ in 0..<400 {
            let old = Array(0..<generator.int(20..<80))
            var new = old.filter { _ in generator.chance(85) }
            for number in 0..<generator.int(0..<20) {
                new.insert(1_000 + number, at: generator.int(0..<new.count + 1))
            }
            let offset = Double(generator.int(1..<(old.count - 5) * 20))
            let source = ListSource(values: old)
            let before = RowsView(of: source, rowLength: 20, viewportLength: 100, contentOffset: offset)
            let difference = try source.setItems(new)
            let after = RowsView(of: source, rowLength: 20, viewportLength: 100, contentOffset: offset)
            let adjusted =
                offset + ScrollAnchoring().adjustment(applying: difference, from: before, to: after)
            #expect(adjusted >= 0 && adjusted <= max(0, after.contentLength - 100), "\(generator.origin)")
            guard let kept = before.visibleIndexPaths.first(where: { new.contains(old[$0.item]) }),
                let place = new.firstIndex(of: old[kept.item])
            else { continue }
            let wanted = Double(place) * 20 - (Double(kept.item) * 20 - offset)
            let expected = min(max(0, wanted), max(0, after.contentLength - 100))
            #expect(adjusted == expected, "\(generator.origin)")
        }
    }
}
