import BridgeValues
import Foundation
import Testing

@Suite struct ValueHashTests {
    /// A value of every kind, and another of the same kind.
    private static let pairs: [(Value, Value)] = [
        (.undefined, .null), (.bool(true), .bool(false)), (.integer(1), .integer(2)),
        (.double(0.5), .double(1.5)),
        (.bigInt("9007199254740993"), .bigInt("9007199254740994")), (.string("a"), .string("b")),
        (.illFormedString([0xD800]), .illFormedString([0xDC00])),
        (.date(Date(timeIntervalSince1970: 1)), .date(Date(timeIntervalSince1970: 2))),
        (.bytes(Data([1])), .bytes(Data([2]))), (.array([1]), .array([2])),
        (.object(["a": 1]), .object(["a": 2])),
    ]

    @Test("Values of every kind can be keys: equal ones are the same key, others are not")
    func keys() {
        let all = Self.pairs.flatMap { [$0.0, $0.1] }
        #expect(Set(all).count == all.count)
        for (left, right) in Self.pairs {
            #expect(left != right)
            #expect(Set([left, right, left]).count == 2)
            #expect([left: 1][left] == 1 && [left: 1][right] == nil)
        }
        // Strings are compared by their code units; Swift treats these two as equal.
        #expect(Set<Value>([.string("\u{E9}"), .string("e\u{301}")]).count == 2)
    }

    @Test("A missing member or element is undefined")
    func absent() {
        let list: Value = [1, 2]
        #expect(
            list[1] == 2 && list[2] == .undefined && list[-1] == .undefined && Value.null[0] == .undefined
        )
        #expect(list["a"] == .undefined)
    }
}
