import BridgeData
import BridgeTesting
import Foundation
import JavaScriptBridge
import Stores
import StoresSQLite
import Testing

/// Every operation on data, by every grant, for every caller.
@Suite struct GrantMatrixTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        let caller: GrantScene.Caller
        let transport: BridgeConfiguration.Transport
        let isolation: JavaScriptRuntime.Isolation
        var testDescription: String { "\(caller) \(transport) \(isolation)" }
    }

    private static let cases: [Case] = GrantScene.Caller.allCases.flatMap { caller in
        [
            Case(caller: caller, transport: .direct, isolation: .actor),
            Case(caller: caller, transport: .text, isolation: .actor),
            Case(caller: caller, transport: .direct, isolation: .thread),
        ]
    }

    private static func grants(_ operations: Set<DataOperation>, for caller: GrantScene.Caller)
        -> BridgeGrants
    {
        var grants = BridgeGrants(fallback: caller == .trustedDenied ? .deny : .tier)
        if caller == .trusted {
            let denied = Set<DataOperation>.all.subtracting(operations)
            grants.deny(denied, on: .store("*"))
            grants.deny(denied, on: .source("*"))
        } else {
            grants.allow(operations, on: .store("default"))
            grants.allow(operations, on: .source("shown"))
        }
        return grants
    }

    @Test(
        "R31 R32 R36 every access to data is denied without its grants, and allowed with them",
        arguments: cases
    )
    private func matrix(_ row: Case) async throws {
        let subsets: [Set<DataOperation>] =
            [[], .all] + DataOperation.allCases.flatMap { [Set<DataOperation>.all.subtracting([$0]), [$0]] }
        for granted in subsets {
            let scene = try await GrantScene(row.caller, over: row.transport, isolation: row.isolation)
            var grants = Self.grants(granted, for: row.caller)
            grants.allowFiles(below: scene.folder.path)
            try scene.bridge.grants.set(grants)
            for probe in GrantMatrix.probes {
                let before = scene.bridge.grants.denialCount
                let outcome = try await scene.outcome("return void (() => { \(probe.script) })()")
                let isGranted = probe.isGranted(by: granted)
                let names = granted.map(\.rawValue).sorted().joined(separator: ",")
                #expect(
                    outcome == (isGranted ? "ok" : "denied"),
                    "\(probe.member) with [\(names)]: \(outcome)"
                )
                let isAudited = scene.bridge.grants.denialCount > before
                #expect(isAudited == !isGranted, "\(probe.member) with [\(names)] in the audit")
                guard !isGranted, probe.anyOf.isEmpty, let last = scene.bridge.grants.recentDenials.last
                else {
                    continue
                }
                #expect(
                    last.operation.map { probe.operations.subtracting(granted).contains($0) }
                        ?? granted.isEmpty,
                    "\(probe.member) with [\(names)]: \(last)"
                )
            }
            let rows = try scene.store.read { try $0.count(FetchRequest(entityName: "item")) }
            if granted.isDisjoint(with: Set<DataOperation>.writing) { #expect(rows == 3) }
        }
    }

    @Test("R31 an operation without a row in the matrix fails")
    func complete() async throws {
        let scene = try await GrantScene(.trusted)
        let natives = try await scene.bridge.withContext { context in
            try context.internals.forProperty("data").propertyNames()
        }
        let known = GrantMatrix.probes.reduce(into: GrantMatrix.ofChangeSets) { $0.formUnion($1.natives) }
        #expect(Set(natives) == known)

        let listed = try await scene.value(
            """
            const members = (name, object) => Reflect.ownKeys(Object.getPrototypeOf(object))
                .filter(key => key !== "constructor").map(key => `${name}.${String(key)}`);
            return [
                ...members("Store", bridge.store()), ...members("Query", bridge.store().fetch("item")),
                ...members("HostSource", bridge.dataSource("shown")),
            ];
            """
        )
        let members = Set((listed["value"].arrayValue ?? []).compactMap(\.stringValue))
        #expect(members.count > 30)
        let rows = Set(GrantMatrix.probes.map(\.member))
        #expect(members.subtracting(rows).isEmpty, "\(members.subtracting(rows).sorted())")
        // Each row of a class represents an existing member.
        let ofClasses = rows.filter { !$0.hasPrefix("bridge.") && !$0.contains(" ") }
        #expect(ofClasses.subtracting(members).isSubset(of: ["Query.Symbol(Symbol.dispose)"]))
    }
}
