import Foundation

/// A random number generator that gives the same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func chance(_ percent: Int) -> Bool { int(0..<100) < percent }
}

/// The seeds of a random test: a new row of them at each run, or the row that begins with `JSBRIDGE_SEED`.
struct Seeds {
    let first: UInt64
    let name: String

    init(_ name: String) {
        self.name = name
        let given = ProcessInfo.processInfo.environment["JSBRIDGE_SEED"].flatMap { UInt64($0) }
        first = given ?? UInt64.random(in: 0..<1 << 48)
        print("\(name): seeds from \(first); to run it again: \(replay(first))")
    }

    func replay(_ seed: UInt64) -> String { "JSBRIDGE_SEED=\(seed) swift test --filter \(name)" }
}
