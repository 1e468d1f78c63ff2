import Foundation
import Stores
import TestSupport
import Testing

/// A row of the reference model: an order is correct if it equals the sorted array of these rows.
private struct ModelRow: Hashable, Comparable {
    let key: [UInt8]
    let id: RowID

    static func < (left: ModelRow, right: ModelRow) -> Bool {
        left.key == right.key ? left.id < right.id : left.key.lexicographicallyPrecedes(right.key)
    }
}

/// Incorrect ways to change an order, which the tests must detect.
private enum OrderFault: String, CaseIterable {
    case leavesAnotherRow, forgetsToLeave, forgetsToArrive, arrivesTooEarly, arrivesTooLate,
        arrivesWithOtherID
    case arrivesWithOtherKey, sectionMiscounted, sectionForgotten, sectionsSwapped
}

@Suite struct OrderIndexTests {
    private static func key(_ random: inout SeededGenerator) -> [UInt8] {
        // Sections of one letter, long common prefixes, equal keys, and occasionally a key that is much too long.
        let section = UInt8(ascii: "A") + UInt8.random(in: 0..<5, using: &random)
        let length =
            Int.random(in: 0..<400, using: &random) == 0 ? 40_000 : Int.random(in: 0..<4, using: &random)
        return [section] + Array(repeating: 0x61, count: 9)
            + (0..<length).map { _ in UInt8.random(in: 0..<3, using: &random) }
    }

    private static func build(_ rows: [ModelRow]) throws -> (order: OrderIndex, sections: OrderSections) {
        var builder = OrderIndexBuilder()
        for row in rows {
            try builder.append(id: row.id) { buffer in
                buffer.append(raw: row.key)
                return 1
            }
        }
        return builder.finish()
    }

    /// Changes an order as a controller does, with a fault if one is given.
    private static func apply(
        leaving: [ModelRow],
        arriving: [ModelRow],
        to order: inout OrderIndex,
        _ sections: inout OrderSections,
        fault: OrderFault? = nil
    ) {
        var keys: [UInt8] = []
        func edit(_ row: ModelRow, _ looked: ModelRow? = nil) -> OrderEdit {
            let start = keys.count
            keys += row.key
            let place = (looked ?? row).key.withUnsafeBytes { order.place(of: $0, id: (looked ?? row).id) }
            return OrderEdit(key: start..<keys.count, id: row.id, place: place)
        }
        var out = leaving.sorted().map { edit($0) }
        var into = arriving.sorted().map { edit($0) }
        switch fault {
        case .leavesAnotherRow:
            let other = ModelRow(key: order.key(at: 0), id: order.id(at: 0))
            out = [edit(other)]
        case .forgetsToLeave: out.removeLast()
        case .forgetsToArrive: into.removeLast()
        case .arrivesTooEarly:
            into = [edit(arriving[0], ModelRow(key: Array(arriving[0].key.dropLast()), id: 0))]
        case .arrivesTooLate:
            into = [edit(arriving[0], ModelRow(key: arriving[0].key.dropLast() + [9], id: 0))]
        case .arrivesWithOtherID: into[0] = edit(ModelRow(key: arriving[0].key, id: arriving[0].id + 100_000))
        case .arrivesWithOtherKey:
            into[0] = edit(ModelRow(key: arriving[0].key + [1, 2, 1, 2, 1], id: arriving[0].id))
        default: break
        }
        keys.withUnsafeBytes { order.apply(leaving: out, arriving: into, keys: $0) }
        var deltas: [[UInt8]: Int] = [:]
        for row in leaving { deltas[[row.key[0]], default: 0] -= 1 }
        for row in arriving { deltas[[row.key[0]], default: 0] += 1 }
        if fault == .sectionMiscounted, let key = deltas.keys.first { deltas[key, default: 0] += 1 }
        if fault == .sectionForgotten { deltas = deltas.filter { $0.value < 0 } }
        if fault == .sectionsSwapped {
            deltas = Dictionary(uniqueKeysWithValues: deltas.map { ([$0[0] ^ 1], $1) })
        }
        let sorted = deltas.sorted { $0.key[0] < $1.key[0] }
        let flat = sorted.flatMap(\.key)
        flat.withUnsafeBytes { bytes in
            sections.apply(
                sorted.enumerated().map { (UnsafeRawBufferPointer(rebasing: bytes[$0..<$0 + 1]), $1.value) }
            )
        }
    }

    /// Returns the first difference between an order and its expected sorted rows.
    private static func problem(_ order: OrderIndex, _ sections: OrderSections, _ rows: [ModelRow]) -> String?
    {
        guard order.count == rows.count else { return "\(order.count) rows instead of \(rows.count)" }
        guard order.ids(in: 0..<rows.count) == rows.map(\.id) else { return "the ids are wrong" }
        for (position, row) in rows.enumerated() {
            let place = row.key.withUnsafeBytes { order.place(of: $0, id: row.id) }
            guard place.isFound, place.position == position else { return "row \(row.id) is not found" }
            guard order.id(at: position) == row.id, order.key(at: position) == row.key else {
                return "another row is at \(position)"
            }
        }
        var starts: [Int] = []
        for (position, row) in rows.enumerated()
        where position == 0 || rows[position - 1].key[0] != row.key[0] {
            starts.append(position)
        }
        guard sections.count == starts.count else { return "\(sections.count) sections" }
        for (section, start) in starts.enumerated() {
            guard sections.start(of: section) == start, sections.section(at: start) == section,
                sections.key(of: section) == [rows[start].key[0]]
            else { return "section \(section) is wrong" }
        }
        return nil
    }

    @Test(
        "F18 X8 an order equals a sorted array through random batches, and old copies do not change"
    )
    func randomBatches() throws {
        var random = SeededGenerator.fromEnvironment("OrderIndexTests")
        for _ in 0..<3 {
            var nextID: RowID = 0
            func row() -> ModelRow {
                nextID += 1
                return ModelRow(key: Self.key(&random), id: nextID)
            }
            var rows = (0..<Int.random(in: 0..<1_500, using: &random)).map { _ in row() }.sorted()
            var (order, sections) = try Self.build(rows)
            let kept = order
            let keptRows = rows
            for _ in 0..<15 {
                let isPurge = Int.random(in: 0..<8, using: &random) == 0
                let share = isPurge ? 80 : Int.random(in: 0..<20, using: &random)
                let leaving = rows.filter { _ in Int.random(in: 0..<100, using: &random) < share }
                let arriving = (0..<Int.random(in: 0..<200, using: &random)).map { _ in row() }
                Self.apply(leaving: leaving, arriving: arriving, to: &order, &sections)
                let gone = Set(leaving)
                rows = (rows.filter { !gone.contains($0) } + arriving).sorted()
                #expect(Self.problem(order, sections, rows) == nil, "seed \(random.seed)")
                if let row = rows.randomElement(using: &random) {
                    #expect(order.position(of: row.id) == rows.firstIndex(of: row))
                }
            }
            #expect(kept.ids(in: 0..<keptRows.count) == keptRows.map(\.id))
            Self.apply(leaving: rows, arriving: [], to: &order, &sections)
            #expect(Self.problem(order, sections, []) == nil)
            #expect(order.position(of: 1) == nil)
        }
    }

    @Test("X8 the model detects each faulty change of an order")
    func plantedFaults() throws {
        var random = SeededGenerator.fromEnvironment("OrderIndexTests")
        for fault in OrderFault.allCases {
            // For some rows a fault makes no difference, such as swapping two equal sections.
            var caught = 0
            for _ in 0..<6 {
                let rows = (1...300).map { ModelRow(key: Self.key(&random), id: $0) }.sorted()
                var (order, sections) = try Self.build(rows)
                // Rows in the middle, so that the first and last rows do not change.
                let leaving = [rows[150]]
                let arriving = [
                    ModelRow(key: [UInt8(ascii: "D")] + Array(repeating: 0x61, count: 9) + [1], id: 1_000)
                ]
                Self.apply(leaving: leaving, arriving: arriving, to: &order, &sections, fault: fault)
                let expected = (rows.filter { $0 != rows[150] } + arriving).sorted()
                if Self.problem(order, sections, expected) != nil { caught += 1 }
            }
            #expect(caught >= 3, "\(fault), seed \(random.seed)")
        }
    }

    @Test("F14 an order that was written is read back unchanged, and damage is detected")
    func image() throws {
        var random = SeededGenerator.fromEnvironment("OrderIndexTests")
        let rows = (1...2_000).map { ModelRow(key: Self.key(&random), id: $0) }.sorted()
        let (order, sections) = try Self.build(rows)
        var data = Data()
        OrderImage.append(order, sections, to: &data)
        let read = try #require(data.withUnsafeBytes { OrderImage.read($0) })
        #expect(Self.problem(read.order, read.sections, rows) == nil)
        let sum = data.withUnsafeBytes { OrderImage.checksum($0) }
        for _ in 0..<100 {
            var damaged = data
            damaged[Int.random(in: 0..<data.count, using: &random)] ^= UInt8.random(
                in: 1...255,
                using: &random
            )
            #expect(damaged.withUnsafeBytes { OrderImage.checksum($0) } != sum, "seed \(random.seed)")
        }
        for count in [0, 7, 24, data.count / 2, data.count - 8] {
            #expect(data.prefix(count).withUnsafeBytes { OrderImage.read($0) } == nil)
        }
        var empty = Data()
        OrderImage.append(OrderIndex(), OrderSections(), to: &empty)
        #expect(empty.withUnsafeBytes { OrderImage.read($0) }?.order.count == 0)
    }

    @Test("F2 unsorted rows are an error that names both rows")
    func wrongOrder() {
        let rows = [ModelRow(key: [2], id: 1), ModelRow(key: [1], id: 2)]
        let error = #expect(throws: StoreError.self) { _ = try Self.build(rows) }
        #expect(error?.message == "the store returned row 2 after row 1, against the order of the sort keys")
    }

    @Test("F18 running sums find the count that contains a position, also next to counts of zero")
    func sums() {
        var random = SeededGenerator.fromEnvironment("OrderIndexTests")
        for size in [0, 1, 2, 3, 64, 100] {
            var counts = (0..<size).map { _ in Int.random(in: 0..<3, using: &random) }
            var sums = PrefixSums(counts)
            for _ in 0..<20 where size > 0 {
                let index = Int.random(in: 0..<size, using: &random)
                counts[index] += 2
                sums.add(2, at: index)
            }
            #expect(sums.total == counts.reduce(0, +) && sums.count == size)
            let positions = counts.enumerated().flatMap { index, count in (0..<count).map { (index, $0) } }
            for (position, expected) in positions.enumerated() {
                let found = sums.find(position)
                #expect(found.index == expected.0 && found.offset == expected.1)
            }
            for index in 0...size { #expect(sums.sum(before: index) == counts[..<index].reduce(0, +)) }
        }
    }
}
