import BridgeValues
import Foundation
import Testing

@Suite("Grants: rates and sizes") struct GrantValueTests {
    @Test("R31 a rate that allows nothing is a programming error, in each of its forms")
    func rates() async {
        await #expect(processExitsWith: .failure) { _ = GrantLimits.Rate(0) }
        await #expect(processExitsWith: .failure) { _ = GrantLimits.Rate(1, per: .zero) }
        await #expect(processExitsWith: .failure) { _ = GrantLimits.Rate(1, burst: 0) }
        #expect(GrantLimits.Rate(5).burst == 5 && GrantLimits.Rate(5, burst: 1).burst == 1)
    }

    @Test("R31 each kind of value adds to the size of a payload")
    func sizes() {
        let sizes: [(Value, Int)] = [
            (.null, 8), (.integer(5), 8), (.string("ab"), 12), (.bigInt("123"), 14),
            (.illFormedString([0xD800, 1]), 12),
            (.bytes(Data(count: 5)), 13), (.array([.null, .null]), 24),
            (.object(["ab": .bytes(Data(count: 1))]), 21),
        ]
        for (value, size) in sizes { #expect(value.payloadBytes == size, "\(value)") }
        var deep = Value.null
        for _ in 0..<10_000 { deep = [deep] }
        #expect(deep.payloadBytes == 8 * 10_001)
    }

    @Test("R31 a denial has the number of omitted denials before it")
    func denial() throws {
        let plain = BridgeDenial(time: .seconds(2), name: "a", reason: .rate)
        let more = BridgeDenial(time: .seconds(2), name: "a", reason: .payloadSize, omittedCount: 4)
        #expect("\(plain)".hasSuffix("was denied: rate"))
        #expect("\(more)".hasSuffix("was denied: payloadSize (4 more before it)"))
        #expect(plain.code == .overloaded && more.code == .limitExceeded)
        #expect(
            BridgeDenial(time: .zero, name: String(repeating: "n", count: 200), reason: .denied).name.count
                == 123
        )
    }
}
