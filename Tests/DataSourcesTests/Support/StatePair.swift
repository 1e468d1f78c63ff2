import DataSources
import Foundation

/// Two states that a test compares, with a readable text form: `7: 1 2*1; 14: 3 -> 14: 2*1`.
///
/// Sections are keys with their rows, a row is an identity, followed by an asterisk and its stamp if that is not 0.
struct StatePair: Hashable, CustomStringConvertible {
    var old: State
    var new: State

    init(old: State, new: State) {
        self.old = old
        self.new = new
    }

    /// Parses the text form of ``description``.
    init?(_ text: String) {
        let sides = text.components(separatedBy: " -> ")
        guard sides.count == 2, let old = Self.state(sides[0]), let new = Self.state(sides[1]) else {
            return nil
        }
        self.init(old: old, new: new)
    }

    var description: String { "\(Self.text(old)) -> \(Self.text(new))" }

    /// The number of rows of both sides.
    var rowCount: Int { (old + new).reduce(0) { $0 + $1.items.count } }

    /// Returns the smallest pair that can be made from this one by removing parts, and that still fails.
    ///
    /// It removes halves of the rows first, then ever smaller parts, until no single row, section or stamp can be
    /// removed.
    func shrunk(while fails: (State, State) -> Bool) -> StatePair {
        var pair = self
        var size = max(1, rowCount / 2)
        while true {
            let before = pair
            pair.leaveOutRows(by: size, fails)
            if size > 1 {
                size /= 2
                continue
            }
            pair.leaveOutSections(fails)
            pair.leaveOutStamps(fails)
            if pair == before { return pair }
        }
    }

    private mutating func leaveOutRows(by size: Int, _ fails: (State, State) -> Bool) {
        let ids = Array(Set((old + new).flatMap { $0.items.map(\.id) })).sorted()
        for start in stride(from: 0, to: ids.count, by: size) {
            let part = Set(ids[start..<min(start + size, ids.count)])
            let isIn = { (row: TestRow) in part.contains(row.id) }
            let (fewerOld, fewerNew) = (Self.without(old, isIn), Self.without(new, isIn))
            for candidate in [(fewerOld, fewerNew), (fewerOld, new), (old, fewerNew)] {
                if take(candidate, fails) { break }
            }
        }
    }

    private mutating func leaveOutSections(_ fails: (State, State) -> Bool) {
        for key in Set((old + new).map(\.key)).sorted() {
            let (fewerOld, fewerNew) = (old.filter { $0.key != key }, new.filter { $0.key != key })
            for candidate in [(fewerOld, fewerNew), (fewerOld, new), (old, fewerNew)] {
                if take(candidate, fails) { break }
            }
        }
    }

    private mutating func leaveOutStamps(_ fails: (State, State) -> Bool) {
        for (section, content) in new.enumerated() {
            for item in content.items.indices where content.items[item].stamp != 0 {
                var candidate = new
                candidate[section].items[item].stamp = 0
                _ = take((old, candidate), fails)
            }
        }
    }

    private mutating func take(_ candidate: (old: State, new: State), _ fails: (State, State) -> Bool) -> Bool
    {
        let pair = StatePair(old: candidate.old, new: candidate.new)
        guard pair != self, fails(pair.old, pair.new) else { return false }
        self = pair
        return true
    }

    private static func without(_ state: State, _ isOut: (TestRow) -> Bool) -> State {
        state.map { SectionSnapshot(key: $0.key, items: $0.items.filter { !isOut($0) }) }
    }

    // MARK: - Text

    private static func text(_ state: State) -> String {
        state.map { section in
            let rows = section.items.map { $0.stamp == 0 ? "\($0.id)" : "\($0.id)*\($0.stamp)" }
            return "\(section.key): \(rows.joined(separator: " "))"
        }.joined(separator: "; ")
    }

    private static func state(_ text: String) -> State? {
        guard !text.isEmpty else { return [] }
        var state: State = []
        for part in text.components(separatedBy: "; ") {
            let halves = part.components(separatedBy: ": ")
            guard halves.count == 2, let key = Int(halves[0]) else { return nil }
            let rows = halves[1].split(separator: " ").map { word -> TestRow? in
                let numbers = word.split(separator: "*")
                guard let id = Int64(numbers[0]), numbers.count == 1 || Int(numbers[1]) != nil else {
                    return nil
                }
                return TestRow(id: id, stamp: numbers.count == 1 ? 0 : Int(numbers[1]) ?? 0)
            }
            guard !rows.contains(nil) else { return nil }
            state.append(SectionSnapshot(key: key, items: rows.compactMap { $0 }))
        }
        return state
    }
}
