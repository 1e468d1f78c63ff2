import TestSupport

extension SeededGenerator {
    mutating func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func chance(_ percent: Int) -> Bool { int(0..<100) < percent }
}

/// The seeds of a random test: new ones at each run, or the sequence that begins with `JSBRIDGE_SEED`.
struct Seeds {
    let first: UInt64
    let name: String

    init(_ name: String) {
        self.name = name
        first = SeededGenerator.givenSeed ?? UInt64.random(in: 0..<1 << 48)
        print("\(name): seeds from \(first); to run it again: \(replay(first))")
    }

    func replay(_ seed: UInt64) -> String { "JSBRIDGE_SEED=\(seed) swift test --filter \(name)" }
}
