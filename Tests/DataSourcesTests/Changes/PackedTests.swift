import DataSources
import Foundation
import Testing

@Suite struct PackedTests {
    @Test("J3 X5 packed numbers and JSON decode to the same difference, and so does inverting twice")
    func roundTrips() throws {
        let seeds = Seeds("PackedTests")
        for number in 0..<300 {
            let seed = seeds.first &+ UInt64(number)
            var states = RandomStates(seed: seed)
            let (old, new) = states.pair()
            let difference = try KeyedDiff.packed(old, new)
            #expect(try Difference(packed: difference.packed) == difference, "\(seeds.replay(seed))")
            let json = try JSONEncoder().encode(difference)
            #expect(
                try JSONDecoder().decode(Difference.self, from: json) == difference,
                "\(seeds.replay(seed))"
            )
            #expect(difference.inverse.inverse == difference, "\(seeds.replay(seed))")
            #expect(Set(difference.inverse.changeSet.list) == Set(difference.changeSet.inverse.list))
        }
    }

    @Test(
        "J3 the packed form is the seven counts and then positions; its JSON has only the kinds that are not empty"
    )
    func forms() throws {
        let old = [SectionSnapshot(key: "a", items: [1, 2, 3]), SectionSnapshot(key: "b", items: [4])]
        let new = [SectionSnapshot(key: "a", items: [3, 1, 5])]
        let difference = try KeyedDiff.difference(from: old, to: new, id: { $0 })
        #expect(
            difference.packed == [
                1, 0, 0, 2, 1, 1, 0, 1, 0, 1, 1, 0, 0, 2, 0, 2, 0, 0,
            ]
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(
            String(decoding: try encoder.encode(difference), as: UTF8.self)
                == #"{"deletes":[[0,1],[1,0]],"inserts":[[0,2]],"moves":[[0,2,0,0]],"sectionDeletes":[1]}"#
        )
        #expect(
            difference.details
                == "delete section 1\ndelete [0, 1]\ndelete [1, 0]\ninsert [0, 2]\nmove [0, 2] to [0, 0]"
        )
    }

    @Test(
        "U7 an invalid packed difference is an error with the reason",
        arguments: [
            ([], "0 numbers, fewer than the 7 counts"),
            ([0, 0, 0, 1, 0, 0, 0, 1], "the counts require 9 numbers, found 8"),
            ([0, 0, 0, 1, 0, 0, 0, 1, -1], "a position or count is negative"),
            (
                [0, 0, 0, 2, 0, 0, 0, 0, 5, 0, 5],
                "the deletes are not in ascending order: [0, 5] after [0, 5]"
            ),
            ([2, 0, 0, 0, 0, 0, 0, 3, 1], "the section deletes are not in ascending order: 1 after 3"),
        ] as [([Int32], String)]
    )
    func wrong(numbers: [Int32], reason: String) {
        let error = #expect(throws: PackedDifferenceError.self) { try Difference(packed: numbers) }
        #expect(error?.description == "not a packed difference: \(reason)")
    }

    @Test("U7 invalid JSON of a difference is an error with the kind of change")
    func wrongJSON() throws {
        for text in [#"{"moves":[[0,1,0]]}"#, #"{"deletes":[[0,2],[0,1]]}"#, #"{"deletes":[[0,-2]]}"#, "[]"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(Difference.self, from: Data(text.utf8))
            }
        }
        let none = try JSONDecoder().decode(Difference.self, from: Data("{}".utf8))
        #expect(none.isEmpty)
    }
}
