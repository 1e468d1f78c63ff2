/// Random numbers (the SplitMix64 sequence) that are the same in every run, so that figures of different days are
/// comparable.
///
/// `SplitMix64` of `BridgeValues` is visible only inside its package, which this one is not part of.
struct FixedGenerator: RandomNumberGenerator {
    private var state: UInt64 = 0

    mutating func next() -> UInt64 {
        defer { state &+= 1 }
        return Self.mix(state)
    }

    static func mix(_ number: UInt64) -> UInt64 {
        var mixed = (number &+ 1) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
