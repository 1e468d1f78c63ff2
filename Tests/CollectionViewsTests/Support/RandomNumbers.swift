import TestSupport

extension SeededGenerator {
    mutating func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func chance(_ percent: Int) -> Bool { int(0..<100) < percent }
}
