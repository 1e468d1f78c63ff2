internal import BridgeValues

/// One entry of a ``JSONTape``: a value or a key of the text, in 16 bytes.
struct JSONToken {
    /// The kind of a token.
    enum Kind: UInt8 {
        case null, yes, no, number, text, key, array, object
    }

    /// The properties of a token that the scan found.
    struct Traits: OptionSet {
        let rawValue: UInt8

        /// A string with escapes.
        static let escaped = Traits(rawValue: 1)
        /// A string with non-ASCII units, escapes not counted.
        static let beyondASCII = Traits(rawValue: 2)
        /// A string with surrogates, escaped or not.
        static let surrogates = Traits(rawValue: 4)
        /// A string with a surrogate without its partner.
        static let illFormed = Traits(rawValue: 8)
        /// A number without a point and an exponent.
        static let whole = Traits(rawValue: 16)
        /// An object whose members are found by an index: it has many, or a duplicate key, or a key that is not plain
        /// ASCII.
        static let indexed = Traits(rawValue: 32)
    }

    /// The index of the first unit of a number, or of a string or key after its quote.
    ///
    /// For an object, the token of the key that is expected to be requested next. While the object is scanned, a bit
    /// set of the hashes of its keys.
    var start: UInt32
    /// The number of units of a scalar or key, without quotes; the number of elements or members of a container.
    var count: UInt32
    /// The index of the token after the value and all its parts.
    ///
    /// For a key, a hash of its string; for a container that is being scanned, the container around it.
    var next: UInt32
    var kind: Kind
    var traits: Traits

    static let none = UInt32.max
}
