internal import CJavaScriptCoreSPI

/// Everything that the package knows of one branch of the engine's library, and that an update may change.
///
/// It is chosen once per process (``EngineProfile/choose(version:buildID:written:takesNewest:)``), and used only as far as
/// the self-test at the engine's start finds it true. `jsbridge engine-probe` derives it from the library that is loaded.
package struct EngineProfile: Codable, Hashable, Sendable {
    /// The version without its last number, such as `2.52`: updates of one branch keep its layout.
    package var branch: String
    /// Where values, strings, objects and frames keep what the fast path reads; `nil` where that is not known.
    package var layout: Layout?
    /// Where a promise keeps its state: two bits, 0 pending, 1 fulfilled, 2 rejected; `nil` where that is not known.
    package var promise: BitField?
    /// Whether the engine's main thread may be started where a virtual machine exists: other branches end the process.
    package var startsMainThreadLate: Bool

    /// Some bits of one word of a cell.
    package struct BitField: Codable, Hashable, Sendable {
        /// The word, of 8 bytes each.
        package var word: Int
        /// The lowest of the bits.
        package var shift: Int
    }

    /// The private layout that the fast path reads.
    package struct Layout: Codable, Hashable, Sendable {
        /// How numbers and constants are encoded.
        package var numbers: Numbers
        /// The byte of a cell that holds its type.
        package var typeByte: Int
        /// The type of a string.
        package var stringType: Int
        /// Where a string keeps its characters.
        package var string: StringLayout
        /// The word of an object that leads to its private data.
        package var privateData: Int
        /// The slots of a call frame.
        package var frame: Frame
    }

    /// The encoding of numbers and constants in 64 bits.
    package struct Numbers: Codable, Hashable, Sendable {
        package var doubleOffset: UInt64
        package var integerTag: UInt64
        package var undefined: UInt64
        package var null: UInt64
        package var `false`: UInt64
        package var `true`: UInt64
    }

    /// The record of a string, in bytes.
    package struct StringLayout: Codable, Hashable, Sendable {
        /// The word of the cell that leads to the record.
        package var word: Int
        /// The bit of that word which marks a string that is not flat.
        package var ropeBit: Int
        package var length: Int
        package var characters: Int
        package var flags: Int
        /// The bit of the flags that is set where a character is one byte.
        package var narrowBit: Int
    }

    /// The slots of a call frame, in words.
    package struct Frame: Codable, Hashable, Sendable {
        package var callee: Int
        package var count: Int
        package var firstArgument: Int
    }
}

extension EngineProfile {
    /// The branches with which the whole suite passed, oldest first.
    package static let listed = [
        EngineProfile(
            branch: "2.50",
            layout: .measured,
            promise: BitField(word: 2, shift: 0),
            startsMainThreadLate: true
        ),
        EngineProfile(
            branch: "2.52",
            layout: .measured,
            promise: BitField(word: 2, shift: 0),
            startsMainThreadLate: true
        ),
        EngineProfile(
            branch: "2.54",
            layout: .measured,
            promise: BitField(word: 2, shift: 48),
            startsMainThreadLate: false
        ),
    ]

    /// The profile for a library, and where it comes from.
    package struct Choice: Hashable, Sendable {
        /// The profile; `nil` for a library that nothing is known of.
        package var profile: EngineProfile?
        /// Where it comes from, or why there is none, for `--version --verbose`.
        package var origin: String
    }

    /// Chooses the profile for a library.
    ///
    /// - Parameters:
    ///   - version: The library's.
    ///   - buildID: The library's, where it has one.
    ///   - written: A profile that a probe on this machine has written, good for its build alone.
    ///   - takesNewest: Whether an unlisted version gets the newest profile.
    /// - Returns: The profile, and where it comes from.
    package static func choose(
        version: String,
        buildID: String?,
        written: WrittenProfile?,
        takesNewest: Bool
    ) -> Choice {
        let branch = branch(of: version)
        if let profile = listed.first(where: { $0.branch == branch }) {
            return Choice(profile: profile, origin: "branch \(branch) has been tested")
        }
        if let written, written.buildID == buildID, buildID != nil {
            return Choice(profile: written.profile, origin: "version \(version) has been probed")
        }
        if takesNewest, let newest = listed.last {
            return Choice(profile: newest, origin: "JSBRIDGE_FAST_LANE=on")
        }
        return Choice(profile: nil, origin: "version \(version) of the library has not been tested")
    }

    /// The branch of a version: its first two numbers.
    package static func branch(of version: String) -> String {
        version.split(separator: ".").prefix(2).joined(separator: ".")
    }
}

extension EngineProfile.Layout {
    /// The layout of all branches that are listed, on 64-bit processors.
    fileprivate static let measured = EngineProfile.Layout(
        numbers: .ours,
        typeByte: 5,
        stringType: 2,
        string: EngineProfile.StringLayout(
            word: 1,
            ropeBit: 0,
            length: 4,
            characters: 8,
            flags: 16,
            narrowBit: 2
        ),
        privateData: 2,
        frame: EngineProfile.Frame(callee: 3, count: 4, firstArgument: 6)
    )

    /// The same for the functions that read by it; `nil` where a field is out of range.
    var cLayout: jsb_layout? {
        func byte(_ value: Int) -> UInt8? { UInt8(exactly: value) }
        guard let typeByte = byte(typeByte), let stringType = byte(stringType), let word = byte(string.word),
            let ropeBit = byte(string.ropeBit), let length = byte(string.length),
            let characters = byte(string.characters), let flags = byte(string.flags),
            let narrowBit = byte(string.narrowBit), let privateData = byte(privateData),
            let callee = byte(frame.callee), let count = byte(frame.count),
            let firstArgument = byte(frame.firstArgument)
        else { return nil }
        return jsb_layout(
            type_byte: typeByte,
            string_type: stringType,
            string_word: word,
            rope_bit: ropeBit,
            length_byte: length,
            characters_byte: characters,
            flags_byte: flags,
            narrow_bit: narrowBit,
            data_word: privateData,
            callee_slot: callee,
            count_slot: count,
            argument_slot: firstArgument
        )
    }
}

extension EngineProfile.Numbers {
    /// The encoding that ``EncodedValue`` is compiled for.
    static let ours = EngineProfile.Numbers(
        doubleOffset: EncodedValue.doubleOffset,
        integerTag: EncodedValue.numberMask,
        undefined: EncodedValue.undefined.bits,
        null: EncodedValue.null.bits,
        false: EncodedValue.false.bits,
        true: EncodedValue.true.bits
    )
}
