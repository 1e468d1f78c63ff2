import BridgeValues
import Synchronization
import Testing

@testable import BridgeProtocol

/// The types that own the state of a session, each by itself.
@Suite("Tables of a session")
struct SessionTablesTests {
    private func call(_ number: UInt64, _ role: OutgoingCall.Role = .call) -> OutgoingCall {
        OutgoingCall(number: number, handlerName: "h", accepts: [], isSent: false, role: role)
    }

    @Test("P23 calls of this side are found by their numbers and listed in the order in which they were made")
    func outgoingCalls() throws {
        var calls = OutgoingCalls()
        let ids = (0..<5).map { _ in calls.insert(call(calls.nextNumber()), nil) }
        #expect(calls.remove(ids[1])?.number == 2)
        #expect(calls.remove(ids[1]) == nil)
        // The new call is in the slot of the removed one.
        let last = calls.insert(call(calls.nextNumber()), nil)
        #expect(last.key.slot == ids[1].key.slot)
        #expect(calls.inOrder == [ids[0], ids[2], ids[3], ids[4], last])
        #expect(calls.call(6) == last && calls.call(2) == nil && calls.call(7) == nil)
        #expect(calls[ids[1]] == nil, "an id of an earlier call in the slot")
        #expect(calls.markSent(last) == 6 && calls[last]?.isSent == true)
        #expect(calls.markSent(ids[1]) == nil)
        #expect(calls.pendingCount == 5)
    }

    @Test(
        "R22 intercepted notifications and the requests that are parts of calls do not count as pending calls"
    )
    func roles() {
        var calls = OutgoingCalls()
        let roles: [OutgoingCall.Role] = [.call, .held, .heldNotification, .part]
        let ids = roles.map { calls.insert(call(calls.nextNumber(), $0), nil) }
        #expect(calls.pendingCount == 2 && calls.heldNotifications == 1)
        #expect(ids.map { calls[$0]?.isHeld } == [false, true, true, false])
        for id in ids { _ = calls.remove(id) }
        #expect(calls.pendingCount == 0 && calls.heldNotifications == 0 && calls.inOrder.isEmpty)
    }

    @Test("R5 the call whose deadline passed first comes first; a removed call has none")
    func deadlines() {
        var calls = OutgoingCalls()
        let ids = [3, 1, 2].map { calls.insert(call(calls.nextNumber()), .seconds($0)) }
        #expect(calls.earliestDeadline == .seconds(1))
        #expect(calls.firstOverdue(now: .milliseconds(999)) == nil)
        #expect(calls.firstOverdue(now: .seconds(1)) == ids[1])
        _ = calls.remove(ids[1])
        #expect(calls.firstOverdue(now: .seconds(5)) == ids[2])
        _ = calls.remove(ids[2])
        _ = calls.remove(ids[0])
        #expect(calls.firstOverdue(now: .seconds(5)) == nil && calls.earliestDeadline == nil)
    }

    @Test("P44 calls of the other side are found by their ids, of two with one id the latest")
    func incomingCalls() throws {
        var calls = IncomingCalls()
        func insert(_ id: String) -> SlabKey {
            calls.insert(IncomingCall(callbackID: .text(id), handlerName: "h", accepts: []))
        }
        let first = insert("a")
        let second = insert("a")
        #expect(calls.key(of: .text("a")) == second && calls.count == 2)
        _ = calls.remove(first)
        #expect(calls.key(of: .text("a")) == second, "the earlier call removes only itself")
        calls.cancel(second)
        #expect(calls[second]?.isCancelled == true)
        calls.setDeadline(of: second, to: .seconds(9))
        calls.setDeadline(of: second, to: .seconds(4))
        #expect(calls.earliestDeadline == .seconds(4))
        #expect(calls.firstOverdue(now: .seconds(3)) == nil && calls.firstOverdue(now: .seconds(4)) == second)
        #expect(calls.remove(second)?.callbackID == .text("a"))
        #expect(calls.earliestDeadline == nil && calls.key(of: .text("a")) == nil && calls.keys.isEmpty)
        calls.cancel(second)
        #expect(calls[second] == nil)
    }

    @Test("R23 a stream that has ended is in no table, and its number is not used again")
    func streams() throws {
        var table = StreamTable()
        let ours = table.open(admission: nil, account: nil)
        #expect(table.outbound(1) == ours && table.outbound(0) == nil && table.outbound(2) == nil)
        #expect(table.remove(ours)?.number == 1)
        #expect(table.outbound(1) == nil && table.remove(ours) == nil)
        #expect(table.outbound(2) == nil)
        let next = table.open(admission: nil, account: nil)
        #expect(table[next]?.number == 2 && table.lastNumber == 2 && table.outboundCount == 1)

        let theirs = table.insert(InboundStream(id: .text("s"), handlerName: "h"))
        table[theirs]?.granted = 7
        #expect(table.inbound(.text("s")) == theirs && table[theirs]?.granted == 7)
        let entry = table.remove(theirs)
        table[theirs] = entry
        #expect(table[theirs] == nil && table.inboundIDs.isEmpty, "a stream that has ended stays so")
        #expect(table.inbound(.text("s")) == nil)
    }

    @Test("R22 calls that ended in the start-up queue are removed in batches, so that none pays for a search")
    func startUpQueue() {
        var queue = StartUpQueue()
        for _ in 0..<40 {
            queue.append(StartUpQueue.Entry(message: .request(.init(handlerName: "h")), call: nil))
        }
        let removals = (1...64).filter { _ in queue.countEndedCall() }
        #expect(removals == [32, 64])
        #expect(queue.removeAll().count == 40 && queue.isEmpty)
    }

    @Test("P23 R4 the ids of an epoch are not those of the next, and do not reveal those of the peer")
    func epochs() throws {
        let bits = Atomic<UInt64>(0)
        var epoch = SessionEpoch(.extended) { bits.add(1, ordering: .relaxed).newValue }
        let id = epoch.identifiers.identifier(1)
        let peerText = epoch.peerText
        #expect(epoch.number == 0 && epoch.identifiers.number(id) == 1)
        epoch.advance()
        #expect(epoch.number == 1 && epoch.identifiers.number(id) == nil)
        #expect(epoch.peerText != peerText && epoch.identifiers.identifier(1) != id)
        #expect(!id.text(isScripts: false).contains(peerText))
    }

    @Test("P52 P53 each change of the handlers is counted")
    func handlers() {
        var handlers = HandlerNames()
        #expect(handlers.register(HandlerID(1), as: "a") == nil)
        #expect(handlers.register(HandlerID(2), as: "a") == HandlerID(1))
        #expect(handlers["a"] == HandlerID(2) && Array(handlers.names) == ["a"])
        #expect(handlers.remove("b") == nil && handlers.remove("a") == HandlerID(2))
        handlers.noteListeners()
        #expect(handlers.registrations == 5 && handlers["a"] == nil)
    }
}
