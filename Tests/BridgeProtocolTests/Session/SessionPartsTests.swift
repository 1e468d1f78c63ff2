import TestSupport
import Testing

@testable import BridgeProtocol

@Suite("Session: its parts")
struct SessionPartsTests {
    @Test("The queue keeps its order across growth and wrap-around")
    func firstInFirstOut() {
        var generator = SeededGenerator.fromEnvironment("queue")
        var queue = FIFOQueue<Int>()
        var model: [Int] = []
        for number in 0..<20_000 {
            if Int.random(in: 0..<100, using: &generator) < 52 {
                queue.append(number)
                model.append(number)
            } else {
                #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
            }
            #expect(queue.count == model.count)
        }
        #expect(queue.removeAll() == model)
        #expect(queue.isEmpty)
    }

    @Test(
        "A copy of the queue is independent, and elements are released with the last queue that retains them"
    )
    func copies() {
        final class Tracked {}
        weak var tracked: Tracked?
        do {
            var queue = FIFOQueue<Tracked>()
            for _ in 0..<40 { queue.append(Tracked()) }
            var copy = queue
            tracked = copy.popFirst()
            #expect(queue.count == 40 && copy.count == 39)
            #expect(tracked != nil)
            copy.append(Tracked())
            #expect(queue.popFirst() === tracked)
            #expect(queue.count == 39 && copy.count == 40)
        }
        #expect(tracked == nil)
    }

    @Test("The heap returns the earliest deadline, also after removals in the middle")
    func deadlineHeap() {
        var generator = SeededGenerator.fromEnvironment("heap")
        var heap = DeadlineHeap()
        var model: [UInt32: (deadline: Duration, order: UInt64)] = [:]
        for order in 0..<20_000 as Range<UInt64> {
            let slot = UInt32.random(in: 0..<200, using: &generator)
            if model[slot] == nil, Bool.random(using: &generator) {
                let deadline = Duration.milliseconds(Int.random(in: 0..<50, using: &generator))
                heap.insert(slot: slot, deadline: deadline, order: order)
                model[slot] = (deadline, order)
            } else {
                heap.remove(slot: slot)
                model[slot] = nil
            }
            let first = model.min {
                ($0.value.deadline, $0.value.order) < ($1.value.deadline, $1.value.order)
            }
            #expect(heap.earliest?.slot == first?.key)
            #expect(heap.earliest?.deadline == first?.value.deadline)
            #expect(heap.count == model.count)
        }
    }

    @Test("The table of numbers finds what a dictionary finds, in any order of removal")
    func numberTable() {
        var generator = SeededGenerator.fromEnvironment("table")
        var table = NumberTable()
        var model: [UInt64: SlabKey] = [:]
        var last: UInt64 = 0
        for _ in 0..<20_000 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5:
                // Distant numbers collide in the table, as adjacent ones never do.
                last += UInt64.random(in: 1...64, using: &generator)
                let call = SlabKey(slot: UInt32(last), generation: 0)
                table.insert(last, call)
                model[last] = call
            case 5..<9:
                if let number = model.keys.min() ?? nil, Bool.random(using: &generator) {
                    table.remove(number)
                    model[number] = nil
                } else if let number = model.keys.randomElement(using: &generator) {
                    table.remove(number)
                    model[number] = nil
                }
            default: table.remove(UInt64.random(in: 1...(last + 2), using: &generator) | 1 << 40)
            }
            let probe = UInt64.random(in: 0...(last + 1), using: &generator)
            #expect(probe == 0 || table[probe] == model[probe])
        }
        #expect(table.sortedNumbers == model.keys.sorted())
        #expect(model.allSatisfy { table[$0.key] == $0.value })
    }

    @Test(
        "R3 consecutive numbers, as calls have them, form no long runs in the table, even after most are removed",
        arguments: [1, 2, 256, 65_536] as [UInt64]
    )
    func runsOfNumbers(step: UInt64) {
        var table = NumberTable()
        for number in 1...50_000 { table.insert(UInt64(number) * step, SlabKey(slot: 0, generation: 0)) }
        #expect(table.longestRun < 32)
        for number in 1...50_000 where number % 10 > 0 { table.remove(UInt64(number) * step) }
        #expect(table.longestRun < 32)
        for number in 1...50_000 { #expect((table[UInt64(number) * step] != nil) == (number % 10 == 0)) }
    }

    @Test("R3 the number 0, which no call has, finds nothing in a table, and can be stored like any other")
    func numberZero() {
        var table = NumberTable()
        table.insert(7, SlabKey(slot: 0, generation: 0))
        #expect(table[0] == nil)
        table.insert(0, SlabKey(slot: 1, generation: 0))
        #expect(table[0] == SlabKey(slot: 1, generation: 0))
        #expect(table.sortedNumbers == [0, 7])
        table.remove(0)
        #expect(table[0] == nil)
        #expect(table.sortedNumbers == [7])
    }

    @Test("R3 a cancellation with the number 0 stops no work")
    func cancellationOfNobody() throws {
        var machine = try SessionMachine.live(identifierForm: .inProcess, handlers: ["work"])
        machine.receive(.request(.init(handlerName: "work", callbackID: .number(5))))
        _ = machine.drain()
        machine.receive(.control(Control(.cancel, .number(0))))
        #expect(machine.drain().isEmpty)
        #expect(machine.counters.lateCancellations == 1)
    }

    @Test(
        "P56 a spelling suggestion finds the intended name",
        arguments: [
            ("getUsr", "getUser"), ("getuser", "getUser"), ("gteUser", "getUser"), ("getUserr", "getUser"),
            ("ab", "abc"), ("get", nil), ("", nil), ("somethingElse", nil),
        ]
    )
    func nearNames(name: String, expected: String?) {
        #expect(nearName(to: name, among: ["getUser", "abc", "total", "zzz"]) == expected)
    }

    @Test("R9 long names and long lists have no spelling suggestion")
    func nearNameLimits() {
        let long = String(repeating: "n", count: 65)
        #expect(nearName(to: long, among: [long]) == nil)
        #expect(nearName(to: "name1", among: (0..<1001).map { "name\($0)" }) == nil)
    }
}
