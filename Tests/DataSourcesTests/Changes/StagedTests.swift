import DataSources
import Foundation
import Testing

@Suite struct StagedTests {
    @Test("U8 U9 X1 the steps of every difference bring a view with UIKit's faults to the new state")
    func randomScripts() throws {
        let seeds = Seeds("StagedTests")
        var longest = 0
        for number in 0..<1_500 {
            let seed = seeds.first &+ UInt64(number)
            var states = RandomStates(seed: seed)
            let (old, new) = states.pair()
            let difference = try KeyedDiff.packed(old, new)
            let stages = difference.staged(from: old, to: new)
            longest = max(longest, stages.count)
            var view = ForeignView(old)
            for stage in stages { try view.perform(stage.changes.list, dataSource: stage.state) }
            #expect(view.sections == new.map { $0.items.map(\.id) }, "\(seeds.replay(seed))")
            #expect(stages.last.map { $0.state == new } ?? difference.isEmpty, "\(seeds.replay(seed))")
        }
        #expect(longest == 4)
    }

    @Test(
        "U9 changes that break foreign views in one batch are one batch here, and no staged step breaks them"
    )
    func combinations() throws {
        let row = { (id: Int64, stamp: Int) in TestRow(id: id, stamp: stamp) }
        let old: State = [
            SectionSnapshot(key: 1, items: [row(1, 0), row(2, 0)]),
            SectionSnapshot(key: 2, items: [row(3, 0)]),
            SectionSnapshot(key: 3, items: [row(4, 0)]),
        ]
        // Section 3 moves with an edit inside, a row leaves a deleted section and changes, another is reloaded.
        let new: State = [
            SectionSnapshot(key: 3, items: [row(5, 0), row(4, 1)]),
            SectionSnapshot(key: 2, items: [row(2, 1), row(3, 1)]),
        ]
        let difference = try KeyedDiff.packed(old, new)
        #expect(difference.sectionMoves.count == 1)
        #expect(try difference.changeSet.applied(to: old, arrivingFrom: new) { $0.id == $1.id } == new)
        var broken = ForeignView(old)
        #expect(throws: ForeignView.Crash.self) {
            try broken.perform(difference.changeSet.list, dataSource: new)
        }
        let stages = difference.staged(from: old, to: new)
        #expect(stages.map { $0.changes.list.count } == [3, 1, 1, 2])
        #expect(stages[0].state.map(\.items) == [[row(1, 0), row(2, 1)], [row(3, 1)], [row(4, 1)]])
    }
}
