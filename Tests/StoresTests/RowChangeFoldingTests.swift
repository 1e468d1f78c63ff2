import Stores
import Testing

@Suite struct RowChangeFoldingTests {
    private typealias Change = TransactionChanges.RowChange

    @Test("folded changes have the first old and the last new values of each row, in ascending order")
    func fold() {
        let changes = [
            Change(id: 3, old: [.integer(1)], new: [.integer(2)]),
            Change(id: 1, old: nil, new: [.integer(5)]),
            Change(id: 3, old: [.integer(2)], new: nil),
            Change(id: 1, old: [.integer(5)], new: [.integer(6)]),
            Change(id: 2, old: nil, new: [.null]),
            Change(id: 2, old: [.null], new: nil),
        ]
        #expect(
            Change.fold(changes) == [
                Change(id: 1, old: nil, new: [.integer(6)]), Change(id: 3, old: [.integer(1)], new: nil),
            ]
        )
        #expect(Change.fold([]).isEmpty)
    }

    @Test(
        "a row that ends as it began is omitted; strings with different bytes and values of two kinds differ"
    )
    func equality() {
        let values: [AttributeValue] = [.string("e\u{301}"), .string("\u{E9}"), .integer(1), .double(1)]
        for old in values {
            for new in values {
                let change = Change(id: 7, old: [old], new: [new])
                let back = Change(id: 7, old: [new], new: [old])
                #expect(Change.fold([change]).isEmpty == (old == new), "\(old), \(new)")
                #expect(Change.fold([change, back]).isEmpty, "\(old), \(new)")
            }
        }
        #expect(values[0] != values[1] && values[2] != values[3])
    }
}
