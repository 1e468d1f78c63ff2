/// What a text of JSON holds, as a flat list of tokens in the order of the text.
///
/// One pass over the text makes it. It never recurses, so nesting costs no stack, and it checks the limits on
/// length, depth and count before it takes memory for what they limit (P67). The text is checked from end to end:
/// what a type never asks for is no less JSON than the rest.
struct JSONTape: ~Copyable {
    /// The tokens; the first is the value itself.
    private(set) var tokens: UnsafeMutablePointer<JSONToken>
    private(set) var count: UInt32 = 0
    private var capacity: Int
    /// How many texts and keys have a lone surrogate.
    var illFormedTexts = 0

    /// Makes an empty tape for a text of a length.
    init(expectedUnits: Int) {
        // A table of short fields has a token for 8 to 10 units. Where there are more, the tape grows.
        capacity = min(expectedUnits / 8 + 16, 1 << 20)
        tokens = .allocate(capacity: capacity)
    }

    deinit { tokens.deallocate() }

    /// Takes the memory away; the caller owns it from now on.
    consuming func releaseTokens() -> UnsafeMutablePointer<JSONToken> {
        let result = tokens
        discard self
        return result
    }

    /// Adds a token and gives its number.
    @inline(__always)
    mutating func append(_ token: JSONToken) -> UInt32 {
        if Int(count) == capacity { grow() }
        (tokens + Int(count)).initialize(to: token)
        count += 1
        return count - 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<JSONToken>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: tokens, count: Int(count))
        tokens.deallocate()
        tokens = larger
        capacity *= 2
    }
}
