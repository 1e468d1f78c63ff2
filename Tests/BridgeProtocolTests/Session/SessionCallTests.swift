import BridgeValues
import Testing

@testable import BridgeProtocol

@Suite("Session: calls of this side")
struct SessionCallTests {
    @Test("P20 P21 ids count from 1, and only calls that want a reply")
    func identifiers() throws {
        var machine = try SessionMachine.live()
        _ = try machine.call("a", reply: .none)
        _ = try machine.call("b", reply: .legacy)
        _ = try machine.call("c", reply: .none)
        _ = try machine.call("d", reply: .full)
        let ids = machine.drain().compactMap { $0.sentRequest }.map(\.callbackID)
        #expect(ids == [nil, .text("objc_cb_1"), nil, .text("objc_cb_2")])
    }

    @Test("W2 only a call that supports errors states it")
    func acceptance() throws {
        var machine = try SessionMachine.live()
        for reply in [ReplyKind.none, .legacy, .full] { _ = try machine.call("a", reply: reply) }
        #expect(
            machine.drain().compactMap { $0.sentRequest?.accepts.contains(.errors) } == [false, false, true]
        )
    }

    @Test("P43 P45 R5 a reply settles its call once; a second one is counted and its payload discarded")
    func settlement() throws {
        var machine = try SessionMachine.live()
        let call = try machine.call("a", payload: token(1))
        _ = machine.drain()
        machine.receiveResponse(.text("objc_cb_1"), .payload(token(2)))
        machine.receiveResponse(.text("objc_cb_1"), .payload(token(3)))
        let actions = machine.drain()
        #expect(actions.first?.settled?.call == call)
        #expect(actions.first?.settled?.outcome == .payload(token(2)))
        #expect(actions.compactMap { $0.discarded } == [token(3)])
        #expect(actions.compactMap { $0.settled }.count == 1)
        #expect(machine.counters.lateResponses == 1)
        #expect(machine.counters.unknownResponses == 0)
        #expect(machine.pendingCallCount == 0)
    }

    @Test(
        "P31 P46 R3 R7 ids that were never used settle nothing",
        arguments: [
            "", "objc_cb_", "objc_cb_0", "objc_cb_01", "objc_cb_+1", "objc_cb_-1", "objc_cb_1 ", " objc_cb_1",
            "objc_cb_2",
            "objc_cb_1x", "OBJC_CB_1", "cb_1", "1", "__proto__", "constructor",
            "objc_cb_18446744073709551617",
            "objc_cb_99999999999999999999999", "objc_cb_１", "objc_cb_1_0_0123456789abcdef",
        ]
    )
    func forgedIdentifiers(id: String) throws {
        var machine = try SessionMachine.live()
        _ = try machine.call("a")
        _ = machine.drain()
        machine.receiveResponse(.text(id), .payload(token(9)))
        let actions = machine.drain()
        #expect(actions.compactMap { $0.settled }.isEmpty)
        #expect(actions.compactMap { $0.discarded } == [token(9)])
        #expect(machine.counters.unknownResponses == 1)
        machine.receiveResponse(.text("objc_cb_1"))
        #expect(machine.drain().compactMap { $0.settled }.count == 1)
    }

    @Test("R3 a flood of forged replies is reported at 1, 2, 4, 8 ... and counted each time")
    func flood() throws {
        var machine = try SessionMachine.live()
        for _ in 0..<1000 { machine.receiveResponse(.text("forged")) }
        #expect(machine.drain().compactMap { $0.reported }.count == 10)
        #expect(machine.counters.unknownResponses == 1000)
    }

    @Test("P24 R4 the extended form carries the epoch and 64 random bits, and nothing shorter is accepted")
    func extendedIdentifiers() throws {
        var machine = try SessionMachine.live(identifierForm: .extended)
        _ = try machine.call("a")
        let id = machine.drain().compactMap { $0.sentRequest?.callbackID }.first
        #expect(id == .text("objc_cb_1_0_0123456789abcdef"))
        for forged in ["objc_cb_1", "objc_cb_1_0_0123456789abcdee", "objc_cb_1_1_0123456789abcdef"] {
            machine.receiveResponse(.text(forged))
        }
        #expect(machine.drain().compactMap { $0.settled }.isEmpty)
        machine.receiveResponse(try #require(id))
        #expect(machine.drain().compactMap { $0.settled }.count == 1)
    }

    @Test("R4 ids in process are numbers, which no string can forge")
    func inProcessIdentifiers() throws {
        var machine = try SessionMachine.live(identifierForm: .inProcess)
        _ = try machine.call("a")
        #expect(machine.drain().compactMap { $0.sentRequest?.callbackID } == [.number(1)])
        machine.receiveResponse(.text("objc_cb_1"))
        machine.receiveResponse(.text("1"))
        #expect(machine.drain().compactMap { $0.settled }.isEmpty)
        machine.receiveResponse(.number(1))
        #expect(machine.drain().compactMap { $0.settled }.count == 1)
        var textual = try SessionMachine.live()
        _ = try textual.call("a")
        textual.receiveResponse(.number(1))
        #expect(textual.drain().compactMap { $0.settled }.isEmpty)
    }

    @Test("P50 R6 a call settles at its deadline, not before, in the order of the deadlines")
    func deadlines() throws {
        var machine = try SessionMachine.live()
        let late = try machine.call("late", deadline: .seconds(3))
        let early = try machine.call("early", deadline: .seconds(1))
        let same = try machine.call("same", deadline: .seconds(1))
        _ = try machine.call("never")
        _ = machine.drain()
        #expect(machine.nextDeadline == .seconds(1))
        machine.expire(now: .milliseconds(999))
        #expect(machine.drain().isEmpty)
        machine.expire(now: .seconds(1))
        var actions = machine.drain()
        #expect(actions.compactMap { $0.settled?.call } == [early, same])
        #expect(actions.settledCodes == [.deadlineExceeded, .deadlineExceeded])
        #expect(machine.nextDeadline == .seconds(3))
        machine.expire(now: .seconds(100))
        actions = machine.drain()
        #expect(actions.compactMap { $0.settled?.call } == [late])
        #expect(machine.nextDeadline == nil)
        #expect(machine.pendingCallCount == 1)
    }

    @Test("P50 R5 a reply after the deadline is counted and ignored")
    func lateReply() throws {
        var machine = try SessionMachine.live()
        _ = try machine.call("a", deadline: .seconds(1))
        machine.expire(now: .seconds(1))
        _ = machine.drain()
        machine.receiveResponse(.text("objc_cb_1"), .payload(token(1)))
        let actions = machine.drain()
        #expect(actions.compactMap { $0.settled }.isEmpty)
        #expect(actions.compactMap { $0.discarded } == [token(1)])
        #expect(machine.counters.lateResponses == 1)
    }

    @Test("R5 the deadline of a call is removed when its reply arrives")
    func answeredDeadline() throws {
        var machine = try SessionMachine.live()
        _ = try machine.call("a", deadline: .seconds(1))
        machine.receiveResponse(.text("objc_cb_1"))
        #expect(machine.nextDeadline == nil)
        _ = machine.drain()
        machine.expire(now: .seconds(9))
        #expect(machine.drain().isEmpty)
    }

    @Test("R23 a cancelled call settles once, and cancelling again changes nothing")
    func cancellation() throws {
        var machine = try SessionMachine.live()
        let call = try #require(try machine.call("a", deadline: .seconds(1)))
        _ = machine.drain()
        #expect(machine.cancel(call) == true)
        #expect(machine.cancel(call) == false)
        machine.receiveResponse(.text("objc_cb_1"))
        machine.expire(now: .seconds(2))
        #expect(machine.drain().settledCodes == [.cancelled])
    }

    @Test("R23 a call that is cancelled before the peer is ready is never sent, and its payload is discarded")
    func cancellationWhileQueued() throws {
        var machine = SessionMachine.idle()
        let call = try #require(try machine.call("a", payload: token(1)))
        _ = try machine.call("b", payload: token(2))
        machine.cancel(call)
        machine.peerReady()
        let actions = machine.drain()
        #expect(actions.sentNames == ["b"])
        #expect(actions.compactMap { $0.discarded } == [token(1)])
    }

    @Test("R22 calls that end while they wait do not fill the queue of an absent peer")
    func queueOfTheDead() throws {
        var limits = BridgeLimits()
        limits.maximumQueuedMessages = 100
        var machine = SessionMachine.idle(limits: limits)
        for number in 0..<10_000 {
            let call = try machine.call("a", payload: token(UInt32(number)))
            machine.cancel(try #require(call))
        }
        #expect(machine.queuedMessageCount < 100)
        machine.peerReady()
        let actions = machine.drain()
        #expect(actions.sentNames.isEmpty)
        #expect(actions.compactMap { $0.discarded }.count == 10_000)
    }

    @Test(
        "R22 at a limit the sender gets the error with both numbers, and nothing changes",
        arguments: [0, 1, 2]
    )
    func limits(pending: Int) throws {
        var limits = BridgeLimits()
        limits.maximumPendingCalls = 1
        limits.maximumQueuedMessages = 2
        limits.maximumNameBytes = 4
        var machine = try SessionMachine.live(limits: limits)
        for number in 0..<pending {
            if number < 1 {
                _ = try machine.call("call")
            } else {
                let error = try #require(throws: BridgeError.self) {
                    _ = try machine.call("call", payload: token(1))
                }
                #expect(error.code == .limitExceeded)
                #expect(error.message.contains("Too many pending calls: 1 (limit 1)"))
            }
        }
        #expect(machine.drain().count == min(pending, 1))
        _ = try machine.call("note", reply: .none)
        let error = try #require(throws: BridgeError.self) { _ = try machine.call("longer", reply: .none) }
        #expect(error.code == .limitExceeded)
        #expect(error.message.contains("4 bytes") && error.message.contains("has 6"))
        var idle = SessionMachine.idle(limits: limits)
        _ = try idle.call("1", reply: .none)
        _ = try idle.call("2", reply: .none)
        let overload = try #require(throws: BridgeError.self) { _ = try idle.call("3", reply: .none) }
        #expect(overload.code == .overloaded)
        #expect(overload.message.contains("Too many queued messages for the other side: 2 (limit 2)"))
        #expect(idle.queuedMessageCount == 2)
    }
}
