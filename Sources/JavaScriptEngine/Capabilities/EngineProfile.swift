internal import CJavaScriptCoreSPI

/// The facts that the package knows about one branch of the engine's library, and that an update may change.
///
/// It is chosen once per process (``EngineProfile/choose(version:buildID:written:takesNewest:)``). A part is used only
/// if the self-test at the engine's start confirms it. `jsbridge engine-probe` derives a profile from the loaded
/// library.
package struct EngineProfile: Codable, Hashable, Sendable {
    /// The version without its last number, such as `2.52`.
    ///
    /// Updates of one branch keep its layout.
    package var branch: String
    /// The positions in values, strings, objects and frames that the fast path reads; `nil` if unknown.
    package var layout: Layout?
    /// The bits in which a promise stores its state: 0 pending, 1 fulfilled, 2 rejected; `nil` if unknown.
    package var promise: BitField?
    /// The word in which a settled promise stores its result; `nil` if unknown.
    package var promiseResult: Int?
    /// A Boolean value that indicates whether the engine's main thread can be started after a virtual machine exists.
    ///
    /// On other branches this ends the process.
    package var startsMainThreadLate: Bool

    /// A range of bits in one word of a cell.
    package struct BitField: Codable, Hashable, Sendable {
        /// The index of the word, of 8 bytes each.
        package var word: Int
        /// The lowest of the bits.
        package var shift: Int
    }

    /// The private layout that the fast path reads.
    package struct Layout: Codable, Hashable, Sendable {
        /// The encoding of numbers and constants.
        package var numbers: Numbers
        /// The index of the byte of a cell that contains its type.
        package var typeByte: Int
        /// The type byte of a string.
        package var stringType: Int
        /// The positions in a string's record.
        package var string: StringLayout
        /// The word of an object that points to its private data.
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
        /// The word of the cell that points to the record.
        package var word: Int
        /// The bit of that word that marks a string that is not flat.
        package var ropeBit: Int
        package var length: Int
        package var characters: Int
        package var flags: Int
        /// The bit of the flags that is set if a character is one byte.
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
    /// The branches with which the whole test suite passed, oldest first.
    package static let listed = [
        EngineProfile(
            branch: "2.50",
            layout: .measured,
            promise: BitField(word: 2, shift: 0),
            promiseResult: 3,
            startsMainThreadLate: true
        ),
        EngineProfile(
            branch: "2.52",
            layout: .measured,
            promise: BitField(word: 2, shift: 0),
            promiseResult: 3,
            startsMainThreadLate: true
        ),
        EngineProfile(
            branch: "2.54",
            layout: .measured,
            promise: BitField(word: 2, shift: 48),
            promiseResult: 3,
            startsMainThreadLate: false
        ),
    ]

    /// The profile for a library, and its origin.
    package struct Choice: Hashable, Sendable {
        /// The profile; `nil` for an unknown library.
        package var profile: EngineProfile?
        /// The origin of the profile, or the reason why there is none, for `--version --verbose`.
        package var origin: String
    }

    /// Chooses the profile for a library.
    ///
    /// - Parameters:
    ///   - version: The library's version.
    ///   - buildID: The library's build ID, if it has one.
    ///   - written: A profile that a probe on this machine has written. It is valid for its build only.
    ///   - takesNewest: Whether an unlisted version gets the newest profile.
    /// - Returns: The profile, and its origin.
    package static func choose(
        version: String,
        buildID: String?,
        written: SavedEngineProfile?,
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
            return Choice(profile: newest, origin: "JSBRIDGE_FAST_PATH=on")
        }
        return Choice(profile: nil, origin: "version \(version) of the library has not been tested")
    }

    /// Returns the branch of a version: its first two numbers.
    package static func branch(of version: String) -> String {
        version.split(separator: ".").prefix(2).joined(separator: ".")
    }
}

extension EngineProfile.Layout {
    /// The layout of all listed branches, on 64-bit processors.
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

    /// The same layout for the C functions that read by it; `nil` if a field is out of range.
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
