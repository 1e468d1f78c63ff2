import Foundation

/// Random numbers that a printed seed brings back (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// The generator of this run: of the seed in `JSBRIDGE_SEED`, or of a new one, which is printed.
    static func ofThisRun(_ test: String) -> SeededGenerator {
        let given = ProcessInfo.processInfo.environment["JSBRIDGE_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 0...UInt64.max)
        print(
            "\(test): seed \(seed); replay with JSBRIDGE_SEED=\(seed) swift test --filter BridgeProtocolTests"
        )
        return SeededGenerator(seed: seed)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
