import DataSources
import TestSupport

/// A row of the differ's tests: an identity, and a stamp that represents its content.
struct TestRow: Hashable {
    var id: Int64
    var stamp: Int
}

typealias State = [SectionSnapshot<Int, TestRow>]

/// A generator of pairs of states by random edit scripts.
struct RandomStates {
    var random: SeededGenerator
    /// A Boolean value that indicates whether surviving sections may change their order.
    var movesSections: Bool
    private var nextID: Int64 = 0
    private var nextSection = 0
    // Identities are scattered in some cases, so that both forms of the key index are used.
    private let spread: Int64

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        movesSections = random.chance(40)
        spread = random.chance(50) ? 1 : 0x1234_5678_9ABC_DEF1
    }

    /// Returns a pair of states: mostly small ones, some of hundreds of rows, a few of up to 2,000.
    mutating func pair() -> (old: State, new: State) {
        let dice = random.int(0..<1_000)
        let limit = dice < 900 ? 25 : dice < 985 ? 120 : dice < 998 ? 500 : 2_001
        let old = state(rows: random.int(0..<limit))
        switch random.int(0..<20) {
        case 0: return (old, [])
        case 1: return ([], old)
        case 2: return (old, state(rows: random.int(0..<limit)))
        case 3: return (old, old)
        default:
            var new = old
            for _ in 0..<(random.chance(70) ? random.int(1..<6) : random.int(1..<30)) { edit(&new) }
            return (old, new)
        }
    }

    /// Applies some more edits to a state.
    mutating func edit(_ state: inout State, times: Int) {
        for _ in 0..<times { edit(&state) }
    }

    private mutating func state(rows count: Int) -> State {
        let sections = random.chance(40) ? 1 : random.int(1..<8)
        var state = (0..<sections).map { _ in SectionSnapshot(key: newSection(), items: [TestRow]()) }
        for _ in 0..<count { state[random.int(0..<sections)].items.append(row()) }
        return state
    }

    private mutating func row() -> TestRow {
        nextID += 1
        return TestRow(id: nextID &* spread, stamp: 0)
    }

    private mutating func newSection() -> Int {
        nextSection += 1
        return nextSection * 7
    }

    private mutating func edit(_ state: inout State) {
        guard !state.isEmpty else {
            state = self.state(rows: random.int(0..<5))
            return
        }
        let section = random.int(0..<state.count)
        switch random.int(0..<100) {
        case ..<16: insertRows(&state[section].items)
        case ..<28: deleteRows(&state[section].items)
        case ..<45: moveRow(&state, from: section)
        case ..<54: swapRows(&state)
        case ..<70: changeRows(&state)
        case ..<75:
            let place = random.int(0..<state.count + 1)
            state.insert(SectionSnapshot(key: newSection(), items: [row()]), at: place)
        case ..<79: state.remove(at: section)
        case ..<81: state[section].items = []
        case ..<83: state[section].items.shuffle(using: &random)
        case ..<85: state[section].items.reverse()
        case ..<88: mergeOrSplit(&state, section)
        case ..<89: state = []
        default: if movesSections { moveSection(&state, section) }
        }
    }

    private mutating func insertRows(_ rows: inout [TestRow]) {
        for _ in 0..<random.int(1..<4) { rows.insert(row(), at: random.int(0..<rows.count + 1)) }
    }

    private mutating func deleteRows(_ rows: inout [TestRow]) {
        for _ in 0..<random.int(1..<4) where !rows.isEmpty { rows.remove(at: random.int(0..<rows.count)) }
    }

    private mutating func moveRow(_ state: inout State, from section: Int) {
        guard !state[section].items.isEmpty else { return }
        var row = state[section].items.remove(at: random.int(0..<state[section].items.count))
        if random.chance(30) { row.stamp += 1 }
        let target = random.chance(60) ? section : random.int(0..<state.count)
        state[target].items.insert(row, at: random.int(0..<state[target].items.count + 1))
    }

    private mutating func swapRows(_ state: inout State) {
        let left = random.int(0..<state.count)
        let right = random.int(0..<state.count)
        guard let i = state[left].items.indices.randomElement(using: &random),
            let j = state[right].items.indices.randomElement(using: &random)
        else { return }
        let row = state[left].items[i]
        state[left].items[i] = state[right].items[j]
        state[right].items[j] = row
    }

    private mutating func changeRows(_ state: inout State) {
        for _ in 0..<random.int(1..<5) {
            let section = random.int(0..<state.count)
            guard let item = state[section].items.indices.randomElement(using: &random) else { continue }
            state[section].items[item].stamp += 1
        }
    }

    private mutating func mergeOrSplit(_ state: inout State, _ section: Int) {
        if section + 1 < state.count, random.chance(50) {
            state[section].items += state.remove(at: section + 1).items
        } else {
            let half = state[section].items.count / 2
            let tail = Array(state[section].items.dropFirst(half))
            state[section].items.removeLast(tail.count)
            state.insert(SectionSnapshot(key: newSection(), items: tail), at: section + 1)
        }
    }

    private mutating func moveSection(_ state: inout State, _ section: Int) {
        let moved = state.remove(at: section)
        state.insert(moved, at: random.int(0..<state.count + 1))
        if random.chance(50) { swapRows(&state) }
    }
}
