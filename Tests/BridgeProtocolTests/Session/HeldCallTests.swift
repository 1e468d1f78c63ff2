import BridgeProtocol
import BridgeValues
import Testing

/// Intercepted calls, for which nothing is sent yet.
struct HeldCallTests {
    private func machine(_ limits: BridgeLimits = BridgeLimits()) -> SessionMachine {
        var machine = SessionMachine(
            configuration: .init(limits: limits, identifierForm: .inProcess, peerIsExtended: true)
        )
        machine.injected()
        machine.peerReady()
        _ = actions(&machine)
        return machine
    }

    private func actions(_ machine: inout SessionMachine) -> [SessionAction] {
        var actions: [SessionAction] = []
        while let action = machine.nextAction() {
            actions.append(action)
            if case .dispatch(_, let request) = action { machine.noteBegun(request.order) }
        }
        return actions
    }

    private func outcomes(_ machine: inout SessionMachine) -> [(OutgoingCallID, BridgeErrorCode?)] {
        actions(&machine).compactMap { action in
            guard case .settle(let call, let outcome) = action else { return nil }
            return (call, outcome.error?.code)
        }
    }

    @Test("R5 an intercepted call settles once, and sends nothing")
    func settles() throws {
        var machine = machine()
        let call = try machine.hold("a")
        #expect(machine.pendingCallCount == 1 && machine.isPending(call))
        machine.settle(call, with: .payload(nil))
        machine.settle(call, with: .failure(BridgeError(.cancelled, "late")))
        #expect(machine.pendingCallCount == 0 && !machine.isPending(call))
        let all = actions(&machine)
        #expect(all.count == 1)
        guard case .settle(call, .payload(nil))? = all.first else {
            Issue.record("\(all)")
            return
        }
    }

    @Test("R3 a reply to the number of an intercepted call is ignored")
    func forged() throws {
        var machine = machine()
        let call = try machine.hold("a")
        machine.receive(.response(.init(responseID: .number(1), outcome: .payload(nil))))
        #expect(machine.isPending(call))
        #expect(outcomes(&machine).isEmpty)
        #expect(machine.counters.lateResponses == 1)
    }

    @Test("parts and notifications do not count as pending calls, but are bounded")
    func counts() throws {
        var limits = BridgeLimits()
        limits.maximumPendingCalls = 1
        limits.maximumQueuedMessages = 2
        var machine = machine(limits)
        let call = try machine.hold("a")
        let part = try #require(try machine.call("a", isPart: true))
        #expect(machine.pendingCallCount == 1)
        #expect(throws: BridgeError.self) { try machine.hold("b") }
        #expect(throws: BridgeError.self) { try machine.call("b") }
        _ = try (machine.hold("n", isNotification: true), machine.hold("n", isNotification: true))
        let error = #expect(throws: BridgeError.self) { try machine.hold("n", isNotification: true) }
        #expect(error?.code == .overloaded)
        #expect(machine.pendingCallCount == 1)
        machine.cancel(part)
        machine.settle(call, with: .payload(nil))
        #expect(machine.pendingCallCount == 0)
        _ = try machine.call("b")
    }

    @Test("R6 everything that ends calls also ends intercepted ones, the whole before its parts")
    func ends() throws {
        for (ending, code) in [
            ({ $0.close() }, .disconnected), ({ $0.tearDown() }, .disconnected),
            ({ $0.reset() }, .disconnected),
            ({ $0.retire(BridgeError(.terminated, "stopped")) }, .terminated),
            ({ $0.expire(now: .seconds(1)) }, .deadlineExceeded),
        ] as [((inout SessionMachine) -> Void, BridgeErrorCode)] {
            var machine = machine()
            let call = try machine.hold("a", deadline: .seconds(1))
            let part = try #require(try machine.call("a", deadline: .seconds(1), isPart: true))
            _ = actions(&machine)
            ending(&machine)
            let outcomes = outcomes(&machine)
            #expect(outcomes.map(\.0) == [call, part])
            #expect(outcomes.map(\.1) == [code, code])
        }
    }

    @Test("P28 a call that was intercepted before there was a peer waits for the next peer")
    func waits() throws {
        var machine = SessionMachine()
        let call = try machine.hold("a")
        machine.contextLost()
        #expect(machine.isPending(call))
        machine.injected()
        machine.peerReady()
        machine.contextLost()
        #expect(!machine.isPending(call))
    }
}
