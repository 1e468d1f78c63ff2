internal import Foundation

/// Random numbers that a seed gives again: SplitMix64.
package struct SeededGenerator: RandomNumberGenerator {
    /// What the numbers come from.
    package let seed: UInt64
    private var state: UInt64

    /// Makes a generator.
    package init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// The seed that `JSBRIDGE_SEED` gives, to run a test as it ran before.
    package static var givenSeed: UInt64? {
        ProcessInfo.processInfo.environment["JSBRIDGE_SEED"].flatMap { UInt64($0) }
    }

    /// A generator with the seed from `JSBRIDGE_SEED`, or one of its own, which is printed.
    package static func fromEnvironment(_ name: String = #function) -> SeededGenerator {
        let generator = SeededGenerator(seed: givenSeed ?? UInt64.random(in: 0...UInt64.max))
        print("\(name): \(generator.origin)")
        return generator
    }

    /// How to have the same numbers again.
    package var origin: String { "replay with JSBRIDGE_SEED=\(seed)" }

    /// The next number.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
