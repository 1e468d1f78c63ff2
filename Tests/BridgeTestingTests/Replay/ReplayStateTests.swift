import BridgeProtocol
import Testing

@testable import BridgeTestKit

/// The parts of a replay's state, each without a script.
@Suite struct ReplayStateTests {
    @Test("the cursor stays at a clock reading until its last use, and counts each reading from the start")
    func cursor() {
        let reading = JournalEntry.date(milliseconds: 1, count: 2)
        var cursor = JournalCursor([reading, reading, .fetch])
        cursor.useReading(of: 2)
        #expect(cursor.position == 0)
        cursor.useReading(of: 2)
        #expect(cursor.position == 1)
        cursor.useReading(of: 2)
        cursor.move(to: 1)
        cursor.useReading(of: 2)
        #expect(cursor.position == 1, "the move forgets the use")
        cursor.useReading(of: 2)
        #expect(cursor.entry == .fetch)
        cursor.advance()
        #expect(cursor.isAtEnd && cursor.entry == nil)
    }

    @Test("late replies come in their order, to a limited number of requests, also across contexts")
    func lateReplies() {
        var first = JournalMessage(.response)
        first.handlerName = "first"
        var late = LateReplies(limit: 2)
        late.add([])
        late.add([first, JournalMessage(.control)])
        let taken = late.takeFirst()
        #expect(taken == first && !late.isEmpty)
        late.removeAll()
        let none = late.takeFirst()
        #expect(late.isEmpty && none == nil)
        late.add([first])
        late.add([first])
        let last = late.takeFirst()
        #expect(last == first && late.isEmpty)
    }

    @Test("time advances to the deadlines that would not have been pending, and passes a script's timer once")
    func time() {
        var time = ReplayTime()
        let deadline = (id: -1, deadline: Duration.milliseconds(50), isScripts: false)
        let atEnd = (id: 1, deadline: Duration.milliseconds(10), isScripts: true)
        let later = (id: 2, deadline: Duration.milliseconds(20), isScripts: true)
        let first = time.advance(toNextOf: [atEnd, deadline])
        #expect(first == -1 && time.clock == 51 && time.date == 51)
        let second = time.advance(toNextOf: [atEnd, later])
        #expect(second == 2 && time.clock == 72)
        let third = time.advance(toNextOf: [atEnd, later])
        #expect(third == nil && time.clock == 72)
    }

    @Test("tables are captured once, before the first entry beyond the requested number")
    func capture() {
        var capture = TableCapture()
        var taken = [capture.takeRequest(at: 5)]
        capture.request(at: 3)
        taken += [2, 4, 5].map { capture.takeRequest(at: $0) }
        #expect(taken == [false, false, true, false])
        #expect(capture.tables == nil)
    }
}
