import BridgeValues
import Foundation
import Testing

@Suite("Grants: data") struct DataGrantValueTests {
    private func decided(
        _ grants: BridgeGrants,
        _ operation: DataOperation = .read,
        _ entity: String = "item",
        of store: String = "default"
    ) -> Result<DataGrants.Part, BridgeDenial.Refusal> {
        DataGrants(
            allowsOthers: grants.fallback == .allow,
            rules: grants.dataRules,
            files: grants.fileRules
        ).decide(operation, on: .store, store, entity)
    }

    @Test("R31 each operation is decided separately, by the entity first and then by the store")
    func exactness() throws {
        var grants = BridgeGrants.denyAll
        grants.allow([.read], on: .entity("*", of: "default", attributes: ["a"]))
        grants.allow([.read], on: .entity("it*", of: "*", attributes: ["b"]))
        #expect(try decided(grants).get().attributes == ["b"])
        grants.allow([.read], on: .entity("item", of: "*", attributes: ["c"]))
        #expect(try decided(grants).get().attributes == ["c"])
        grants.allow([.read], on: .entity("item", of: "default", attributes: ["d"]))
        #expect(try decided(grants).get().attributes == ["d"])
        #expect(try decided(grants, .read, "other").get().attributes == ["a"])
        #expect(decided(grants, .update) == .failure(BridgeDenial.Refusal(.notGranted)))
        #expect(decided(grants, .read, "other", of: "second") == .failure(BridgeDenial.Refusal(.notGranted)))
        #expect(
            DataGrants.open.decide(.read, on: .source, "s") == .success(DataGrants.Part())
        )
    }

    @Test("R31 a denial removes everything, or the attributes and the rows that it names")
    func denials() throws {
        var grants = BridgeGrants.allowAll
        grants.deny([.read], on: .entity("item", attributes: ["a"], rows: ["n": 1]))
        grants.deny([.read], on: .store("d*"), for: .seconds(1))
        #expect(decided(grants) == .failure(BridgeDenial.Refusal(.denied)))
        grants.lift([.read], on: .store("d*"))
        let part = try decided(grants).get()
        #expect(part.deniedAttributes == ["a"] && part.deniedRows == [["n": 1]])
        #expect(!part.contains("a") && part.contains("b") && !part.isWhole)
        #expect(try decided(grants, .update).get().isWhole)
    }

    @Test("R31 an attribute is granted by the bytes of its name")
    func bytes() throws {
        var grants = BridgeGrants.denyAll
        grants.allow([.read], on: .entity("item", attributes: ["caf\u{e9}"]))
        #expect(try decided(grants).get().contains("caf\u{e9}"))
        #expect(try !decided(grants).get().contains("cafe\u{301}"))
    }

    @Test("R31 operations are revoked one by one, and rules of one scope replace each other")
    func changing() {
        var grants = BridgeGrants()
        let scope = DataScope.entity("item")
        grants.allow([.read, .update], on: scope)
        grants.allow([.update, .delete], on: scope, for: .seconds(1))
        #expect(grants.dataRules.map(\.operations) == [[.read], [.update, .delete]])
        let isRevoked = grants.revoke([.delete, .read], on: scope)
        #expect(isRevoked)
        #expect(grants.dataRules.map(\.operations) == [[.update]])
        let isRevokedAgain = grants.revoke([.read], on: scope)
        let isLifted = grants.lift([.update], on: scope)
        #expect(!isRevokedAgain && !isLifted)
        grants.allow([], on: scope)
        #expect(grants.dataRules.count == 1)
        grants.allowFiles(below: "/a", maximumBytes: 5)
        grants.allowFiles(below: "/a", maximumBytes: 6)
        grants.denyFiles(below: "/a")
        #expect(grants.fileRules.map(\.maximumBytes) == [6, nil])
        let changes = [
            grants.revokeFiles(below: "/a"), grants.liftFiles(below: "/a"), grants.liftFiles(below: "/a"),
        ]
        #expect(changes == [true, true, false])
    }

    @Test("R31 the audit has the operation and the reason of a denial of data, as text and as JSON")
    func audit() throws {
        let denial = BridgeDenial(
            time: .seconds(2),
            name: "default/item",
            reason: .attribute,
            operation: .read,
            detail: String(repeating: "x", count: 200)
        )
        #expect("\(denial)".contains("read of \"default/item\" was denied: attribute (\"xxx"))
        #expect(denial.detail?.count == 123 && denial.code == .denied)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let plain = BridgeDenial(time: .zero, name: "s/e", reason: .row, operation: .update)
        #expect(
            String(decoding: try encoder.encode(plain), as: UTF8.self)
                == #"{"code":"denied","name":"s/e","omitted":0,"operation":"update","reason":"row","time":0}"#
        )
    }
}
