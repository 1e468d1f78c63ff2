import BridgeValues
import Foundation
import Testing

/// Values that nest deeper than any message.
@Suite struct ValueNestingTests {
    /// Returns a value of alternating arrays and objects.
    private static func nested(_ depth: Int, around leaf: Value = 1) -> Value {
        var value = leaf
        for level in 0..<depth {
            value = level.isMultiple(of: 2) ? .array([0, value]) : ["a": value, "b": "x"]
        }
        return value
    }

    @Test(
        "R7 values of the maximum depth are compared and hashed",
        arguments: [0, 1, 31, 32, 33, 500, 10_000]
    )
    func deepest(depth: Int) throws {
        let (left, right) = (Self.nested(depth), Self.nested(depth))
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(Set([left, right]).count == 1)
        let other = Self.nested(depth, around: 2)
        #expect(left != other && other != left)
        #expect(left != Self.nested(depth + 1))
    }

    @Test("members in another order are equal at every depth, and hash alike", arguments: [1, 30, 40, 200])
    func order(depth: Int) {
        var (left, right): (Value, Value) = (1, 1)
        for _ in 0..<depth {
            left = ["a": left, "b": 2]
            right = ["b": 2, "a": right]
        }
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(left != Self.nested(depth))
    }

    @Test("a value that nests deeper than other coders can encode is refused by them")
    func encoding() throws {
        #expect(try !JSONEncoder().encode(Self.nested(500)).isEmpty)
        let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode(Self.nested(600)) }
        #expect(error.map { "\($0)".contains("512 levels") } == true)
    }

    @Test("a value a million deep is compared and hashed without recursion")
    func million() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let (left, right) = (Self.nested(1_000_000), Self.nested(1_000_000))
            guard left == right, left.hashValue == right.hashValue, left != Self.nested(10) else { exit(1) }
            // Before they are released: see the next test.
            exit(7)
        }
    }

    @Test("the release of a value a million deep ends the process, as its documentation says")
    func release() async {
        await #expect(processExitsWith: .failure) {
            func drop() { withExtendedLifetime(Self.nested(1_000_000)) {} }
            drop()
            exit(0)
        }
    }
}
