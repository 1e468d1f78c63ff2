import BridgeValues
import Testing

@Suite struct ValueObjectKeyTests {
    private static let composed = "\u{E9}"
    private static let decomposed = "e\u{301}"

    @Test(
        "keys that String treats as equal are two members, in a small object and in a large one",
        arguments: [0, 20]
    )
    func keysByBytes(others: Int) {
        var object = ValueObject((0..<others).map { ("k\($0)", Value.integer(Int64($0))) })
        object[Self.composed] = 1
        object[Self.decomposed] = 2
        #expect(object.count == others + 2)
        #expect(object[Self.composed] == 1)
        #expect(object[Self.decomposed] == 2)
        #expect(object.keys.suffix(2).map { Array($0.utf8) } == [[0xC3, 0xA9], [0x65, 0xCC, 0x81]])
        object[Self.composed] = 3
        #expect(object[Self.decomposed] == 2)
        object[Self.decomposed] = nil
        #expect(object.count == others + 1)
        #expect(object[Self.composed] == 3)
        #expect(object[Self.decomposed] == nil)
    }

    @Test("objects and members whose keys differ in their bytes are not equal")
    func equality() {
        let left: ValueObject = ["\u{E9}": 1]
        let right: ValueObject = ["e\u{301}": 1]
        #expect(left != right)
        #expect(left.members != right.members)
        #expect(Set([left, right]).count == 2)
        func object(_ members: (String, Value)...) -> ValueObject { ValueObject(members) }
        let both = object((Self.composed, 1), (Self.decomposed, 2))
        let reversed = object((Self.decomposed, 2), (Self.composed, 1))
        #expect(both == reversed)
        #expect(both.hashValue == reversed.hashValue)
        #expect(both != object((Self.decomposed, 1), (Self.composed, 2)))
    }

    @Test("keys with the same bytes are one member, however the string was created")
    func sameBytes() {
        let whole = "a long key that is not kept inside the text's own words"
        var object: ValueObject = [whole: 1]
        object[String(whole.prefix(20)) + String(whole.dropFirst(20))] = 2
        #expect(object.count == 1)
        #expect(object[String(Substring(whole))] == 2)
        #expect(object[""] == nil)
    }
}
