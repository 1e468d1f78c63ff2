import BridgeData
import DataSources
import Foundation
import JavaScriptBridge
import Testing

@Suite struct ScriptSourceFollowerTests {
    private func make() async throws -> Bridge {
        let bridge = try Bridge(configuration: .patient, data: DataConfiguration(stores: [:]))
        try await bridge.load(
            .text(
                "const handle = bridge.registerDataSource('list', { numberOfItems: 2, item: (s, i) => i });",
                name: "list.js"
            )
        )
        return bridge
    }

    @Test(
        "every reader of a script's data source is notified of its changes, in order, and released ones are not"
    )
    func everyReader() async throws {
        try await make().withContext { context in
            var received: [String] = []
            func reader(_ name: String) throws -> ScriptDataSource {
                let source = try context.dataSource(named: "list")
                source.reloadBlock = { received.append("\(name) \($0 == .all ? "all" : "some")") }
                return source
            }
            let first = try reader("first")
            var second: ScriptDataSource? = try reader("second")
            let third = try reader("third")
            try context.evaluate("handle.reload()")
            #expect(received == ["first all", "second all", "third all"])
            received = []
            second = nil
            #expect(second == nil)
            try context.evaluate("handle.reload([{ type: 'update', from: [0, 1] }])")
            #expect(received == ["first some", "third some"])
            withExtendedLifetime((first, third)) {}
        }
    }

    @Test("readers that are created and released leave no cost for later ones")
    func manyReaders() async throws {
        try await make().withContext { context in
            var count = 0
            let kept = try context.dataSource(named: "list")
            kept.reloadBlock = { _ in count += 1 }
            for _ in 0..<500 { _ = try context.dataSource(named: "list") }
            let late = try context.dataSource(named: "list")
            late.reloadBlock = { _ in count += 1 }
            try context.evaluate("handle.reload()")
            #expect(count == 2)
            // An invalid announcement is an error of the script that made it, and no reader is notified.
            #expect(throws: JSException.self) { try context.evaluate("handle.reload([{ type: 'none' }])") }
            #expect(count == 2)
            withExtendedLifetime((kept, late)) {}
        }
    }
}
