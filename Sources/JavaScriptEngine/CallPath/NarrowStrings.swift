internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// A factory of engine strings with one byte for each character, as the engine's own Latin-1 strings have.
///
/// The C API makes every string of UTF-16 two bytes wide. Such a string needs twice the memory, and is up to 1.6 times
/// as slow for the script's own work on it. Two C++ functions of the library make narrow strings. They are used where
/// the fast path is used and a self-test finds that their strings equal those of the C API. Without them, everything
/// works with wide strings.
enum NarrowStrings {
    /// A Boolean value that indicates whether narrow strings are made.
    static var areEnabled: Bool { CallPath.current.isFast && jsb_makes_narrow_strings() }

    /// Enables narrow strings, if the library can make them and the self-test passes.
    static func enable() {
        guard jsb_can_make_narrow_strings() else { return }
        jsb_enable_narrow_strings(true)
        if !selfTest() { jsb_enable_narrow_strings(false) }
    }

    private static func selfTest() -> Bool {
        let samples: [[UInt16]] = [
            [0x61], Array(0...0xFF), Array(repeating: 0x78, count: 10_000),
            Array("caf\u{E9}\0, \u{FF}".utf16),
        ]
        return samples.allSatisfy { units in
            let bytes = units.map { UInt8(truncatingIfNeeded: $0) }
            guard let first = jsb_make_narrow_string(bytes, bytes.count),
                let second = jsb_make_narrow_string_of_units(units, units.count)
            else { return false }
            let theirs = JSStringCreateWithCharacters(units, units.count)
            defer { for string in [first, second, theirs] { JSStringRelease(string) } }
            return [first, second].allSatisfy { string in
                JSStringGetLength(string) == units.count && JSStringIsEqual(string, theirs)
                    && EngineString.withUnits(of: string) { $0.elementsEqual(units) }
            }
        }
    }
}
