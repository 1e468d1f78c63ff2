import TestSupport

extension SeededGenerator {
    /// Returns the generator of this run: with the seed in `JSBRIDGE_SEED`, or a new one, which is printed.
    static func ofThisRun(_ test: String) -> SeededGenerator {
        let seed = givenSeed ?? UInt64.random(in: 0...UInt64.max)
        print(
            "\(test): seed \(seed); replay with JSBRIDGE_SEED=\(seed) swift test --filter BridgeProtocolTests"
        )
        return SeededGenerator(seed: seed)
    }
}
