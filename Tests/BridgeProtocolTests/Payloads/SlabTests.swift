import Testing

@testable import BridgeProtocol

@Suite("Payload slab")
struct SlabTests {
    @Test("R4 a token is consumed once; a stale one finds nothing and changes nothing")
    func staleTokens() {
        var slab = PayloadSlab<String>()
        let first = slab.insert("first")
        #expect(slab.take(first) == "first")
        #expect(slab.take(first) == nil)
        let second = slab.insert("second")
        #expect(second.key.slot == first.key.slot)
        #expect(second != first)
        slab.discard(first)
        #expect(slab.take(first) == nil)
        #expect(slab.count == 1)
        #expect(slab.take(second) == "second")
        #expect(slab.count == 0)
    }

    @Test("R1 a token that was never returned finds nothing")
    func foreignTokens() {
        var slab = PayloadSlab<Int>()
        _ = slab.insert(1)
        for key in [
            SlabKey(slot: 0, generation: 1), SlabKey(slot: 1, generation: 0),
            SlabKey(slot: .max, generation: .max),
        ] {
            #expect(slab.take(PayloadToken(key: key)) == nil)
        }
        #expect(slab.count == 1)
    }

    @Test("A slab lists its keys by slot and reuses free slots")
    func keys() {
        var slab = Slab<Int>()
        let keys = (0..<5).map { slab.insert($0) }
        _ = slab.remove(keys[1])
        _ = slab.remove(keys[3])
        #expect(slab.keys == [keys[0], keys[2], keys[4]])
        #expect(slab[keys[2]] == 2)
        #expect(slab[keys[1]] == nil)
        _ = slab.insert(7)
        _ = slab.insert(8)
        #expect(slab.slotCount == 5)
        #expect(slab.count == 5)
    }
}
