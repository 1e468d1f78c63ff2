import Stores
import Testing

@testable import ManagedObjects

/// The records of a context's unsaved changes, each without a context.
@Suite struct LinkChangesTests {
    @Test("the second of two opposite changes of a pair reverts the first, in the index too")
    func pairs() {
        var links = LinkChanges()
        let pair = PairKey(pairs: 0, first: 1, second: 2)
        links.setPair(pair, true)
        #expect(links.pairs == [pair: true])
        #expect(links.pairSides[PairSide(pairs: 0, side: 0, key: 1)]?.added == [2])
        #expect(links.pairSides[PairSide(pairs: 0, side: 1, key: 2)]?.added == [1])
        links.setPair(pair, false)
        #expect(links.pairs.isEmpty && links.pairSides.isEmpty)
        links.setPair(pair, false)
        #expect(links.pairs == [pair: false])
        #expect(links.pairSides[PairSide(pairs: 0, side: 0, key: 1)]?.removed == [2])
        links.removeAll()
        #expect(links.pairs.isEmpty && links.pairSides.isEmpty)
    }

    @Test("a reference that returns to its target in the store leaves no change")
    func references() {
        var links = LinkChanges()
        func move(from old: Int64?, to new: Int64?) {
            links.moveReference(of: 7, (entity: 3, number: 1), from: old, to: new, committed: 10)
        }
        func changes(_ target: Int64) -> MemberChanges? {
            links.references[ReferenceKey(entity: 3, attribute: 1, target: target)]
        }
        move(from: 10, to: 20)
        #expect(changes(10)?.removed == [7] && changes(20)?.added == [7])
        move(from: 20, to: 30)
        #expect(changes(20) == nil && changes(30)?.added == [7] && changes(10)?.removed == [7])
        move(from: 30, to: 10)
        #expect(links.references.isEmpty)
        move(from: 10, to: 10)
        #expect(links.references.isEmpty)
    }

    @Test("nested changes are one step of the history, and a failed part of them leaves no steps")
    func recorder() {
        var recorder = ChangeRecorder()
        let history = UndoHistory()
        recorder.history = history
        let step = ContextChange.insertion(RowKey(entity: 0, key: -1), [])
        let start = recorder.begin()
        #expect(start == 0 && recorder.isRecording)
        recorder.append(step)
        let mark = recorder.begin()
        recorder.append(step)
        recorder.append(step)
        recorder.removeSteps(from: mark)
        let endsInner = recorder.end()
        #expect(!endsInner && recorder.steps.count == 1 && !history.canUndo)
        recorder.dropStraySteps()
        #expect(recorder.steps.count == 1, "inside a change they belong to it")
        let endsOuter = recorder.end()
        #expect(endsOuter && recorder.steps.isEmpty && history.canUndo)
        recorder.append(step)
        recorder.dropStraySteps()
        #expect(recorder.steps.isEmpty)
    }
}
