internal import BridgeValues

/// The content of a JSON text as a flat array of tokens in the order of the text.
///
/// One pass over the text creates it. It never recurses, so that nesting needs no stack. It checks the limits on
/// length, depth and count before it allocates memory for what they limit (P67). The whole text is validated, including
/// the parts that a type never decodes.
struct JSONTape: ~Copyable {
    /// The tokens; the first is the root value.
    private(set) var tokens: UnsafeMutablePointer<JSONToken>
    private(set) var count: UInt32 = 0
    private var capacity: Int
    /// The number of strings and keys with a lone surrogate.
    var illFormedTexts = 0

    /// Creates an empty tape for a text of a length.
    init(expectedUnits: Int) {
        // A table of short fields has a token for 8 to 10 units; for more tokens the tape grows.
        capacity = min(expectedUnits / 8 + 16, 1 << 20)
        tokens = .allocate(capacity: capacity)
    }

    deinit { tokens.deallocate() }

    /// Returns the memory of the tokens, which the caller owns from now on.
    consuming func releaseTokens() -> UnsafeMutablePointer<JSONToken> {
        let result = tokens
        discard self
        return result
    }

    /// Adds a token and returns its number.
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
