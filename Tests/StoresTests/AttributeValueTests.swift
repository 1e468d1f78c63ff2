import Foundation
import Stores
import Testing

@Suite("Attribute values")
struct AttributeValueTests {
    @Test("strings are compared and distinguished by their bytes, not by canonical equivalence")
    func bytes() {
        let composed = AttributeValue.string("\u{E9}")
        let decomposed = AttributeValue.string("e\u{301}")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(composed.compare(decomposed) == 1)
        #expect(AttributeValue.string("a\u{0}b").compare(.string("a\u{0}c")) == -1)
        #expect(AttributeValue.string("a").compare(.string("a\u{0}")) == -1)
        // In the order of UTF-16 code units these two would be swapped.
        #expect(AttributeValue.string("\u{FFFD}").compare(.string("\u{1F600}")) == -1)
    }

    @Test("integers and doubles are compared exactly")
    func exactNumbers() {
        let large: Int64 = 1 << 53
        #expect(AttributeValue.integer(large + 1).compare(.double(Double(large))) == 1)
        #expect(AttributeValue.double(Double(large)).compare(.integer(large + 1)) == -1)
        #expect(AttributeValue.integer(.max).compare(.double(0x1p63)) == -1)
        #expect(AttributeValue.integer(.min).compare(.double(-0x1p63)) == 0)
        #expect(AttributeValue.integer(2).compare(.double(2.5)) == -1)
        #expect(AttributeValue.integer(-2).compare(.double(-2.5)) == 1)
        #expect(AttributeValue.integer(0).compare(.double(-0.0)) == 0)
        #expect(AttributeValue.integer(.max).compare(.double(.infinity)) == -1)
    }

    @Test("the order of kinds is null, numbers, strings, data")
    func kinds() {
        let ascending: [AttributeValue] = [
            .null, .double(-.infinity), .integer(.min), .boolean(false),
            .date(Date(timeIntervalSince1970: 0.5)),
            .boolean(true), .integer(2), .double(.infinity), .string(""), .string("a"), .data(Data()),
            .data(Data([0])),
        ]
        for (left, first) in ascending.enumerated() {
            for (right, second) in ascending.enumerated() {
                #expect(first.compare(second) == (left < right ? -1 : (left > right ? 1 : 0)))
            }
        }
    }

    @Test("equal values have equal hashes, and zero has no sign")
    func hashes() {
        #expect(AttributeValue.double(-0.0) == .double(0))
        #expect(AttributeValue.double(-0.0).hashValue == AttributeValue.double(0).hashValue)
        #expect(AttributeValue.integer(1) != .double(1))
        #expect(AttributeValue.integer(1) != .boolean(true))
        #expect(AttributeValue.null == .null)
    }

    @Test("the error for an unknown name suggests similar names, on one line")
    func nearNames() throws {
        let entity = EntityDescription(
            name: "airport",
            attributes: [.init("name", .string), .init("country", .string)]
        )
        let error = #expect(throws: StoreError.self) { try entity.requiredIndex(of: "contury") }
        #expect(
            error?.message == "entity 'airport' has no attribute 'contury' (did you mean 'country'?)"
        )
        let far = #expect(throws: StoreError.self) { try entity.requiredIndex(of: "x\n\u{7}") }
        #expect(far?.message == #"entity 'airport' has no attribute 'x\n\u{07}'"#)
    }
}
