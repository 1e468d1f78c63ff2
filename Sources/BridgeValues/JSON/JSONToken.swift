/// One entry of a ``JSONTape``: a value or a key of the text, in 16 bytes.
struct JSONToken {
    /// What stands at the token's place.
    enum Kind: UInt8 {
        case null, yes, no, number, text, key, array, object
    }

    /// What the scan found out about a token on the way.
    struct Traits: OptionSet {
        let rawValue: UInt8

        /// A text has escapes.
        static let escaped = Traits(rawValue: 1)
        /// A text has units beyond ASCII, escapes not counted.
        static let beyondASCII = Traits(rawValue: 2)
        /// A text has surrogates, escaped or not.
        static let surrogates = Traits(rawValue: 4)
        /// A text has a surrogate without its partner.
        static let illFormed = Traits(rawValue: 8)
        /// A number is written without a point and an exponent.
        static let whole = Traits(rawValue: 16)
        /// An object's members are found by an index: it has many, or two with one key, or a key that is not
        /// plain ASCII.
        static let indexed = Traits(rawValue: 32)
    }

    /// The first unit of a number, of a text or key behind its quote.
    ///
    /// Of an object the key that is expected to be asked for next, as the number of its token; while the object
    /// is being scanned, a bit for each key that it may have.
    var start: UInt32
    /// How many units a scalar or key has, quotes not counted; how many elements or members a container.
    var count: UInt32
    /// The token after the value with all that is in it.
    ///
    /// Of a key a number made of its text; of a container that is being scanned the container around it.
    var next: UInt32
    var kind: Kind
    var traits: Traits

    static let none = UInt32.max
}
