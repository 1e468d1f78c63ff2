internal import BridgeValues
internal import Foundation

/// A generator of random numbers that a seed reproduces, and that can print its seed.
package struct SeededGenerator: RandomNumberGenerator {
    /// The seed of the numbers.
    package let seed: UInt64
    private var numbers: SplitMix64

    /// Creates a generator.
    package init(seed: UInt64) {
        self.seed = seed
        numbers = SplitMix64(seed: seed)
    }

    /// The seed in `JSBRIDGE_SEED`, to repeat a run of a test.
    package static var givenSeed: UInt64? {
        ProcessInfo.processInfo.environment["JSBRIDGE_SEED"].flatMap { UInt64($0) }
    }

    /// Creates a generator with the seed in `JSBRIDGE_SEED`, or a new one, which is printed.
    package static func fromEnvironment(_ name: String = #function) -> SeededGenerator {
        let generator = SeededGenerator(seed: givenSeed ?? UInt64.random(in: 0...UInt64.max))
        print("\(name): \(generator.origin)")
        return generator
    }

    /// The command that repeats the same numbers.
    package var origin: String { "replay with JSBRIDGE_SEED=\(seed)" }

    /// Returns the next number.
    package mutating func next() -> UInt64 { numbers.next() }
}
