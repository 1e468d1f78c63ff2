/// What a value of a Codable type looks like to a script.
///
/// It is found by a decoder that writes down what the type asks for (``TypeSchemas``), so no type has to declare anything.
package indirect enum TypeSchema: Sendable, Hashable {
    /// Anything: the type says nothing, or decides by the value.
    case any
    /// Nothing at all.
    case nothing
    /// `true` or `false`.
    case bool
    /// A whole number of so many bits.
    case integer(bits: Int, isSigned: Bool)
    /// Any number.
    case number
    /// A text.
    case string
    /// One of these texts.
    case texts([String])
    /// A number as text, with all its digits.
    case decimal
    /// A URL as text.
    case url
    /// A UUID as text.
    case uuid
    /// A moment.
    case date
    /// Bytes.
    case bytes
    /// The value, or nothing.
    case optional(TypeSchema)
    /// A list.
    case list(TypeSchema)
    /// An object with any keys.
    case dictionary(TypeSchema)
    /// A structure that has a name and stands in ``TypeSchemas/structures``.
    case structure(String)
}

/// What a structure is made of.
package struct StructureSchema: Sendable, Hashable {
    /// A member of a structure.
    package struct Member: Sendable, Hashable {
        /// The key.
        package let name: String
        /// What stands there.
        package let schema: TypeSchema
        /// Whether it may be left out, or be `null`.
        package let isOptional: Bool
    }

    /// The members, in the order in which the type asks for them.
    package var members: [Member] = []
    /// Whether there may be members that are not known: the type wanted a value that makes sense before it went on.
    package var isOpen = false
}
