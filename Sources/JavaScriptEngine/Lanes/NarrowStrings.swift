internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// Strings that take one byte a character in the engine, as its own strings of Latin-1 do.
///
/// The C API makes every string of UTF-16 two bytes wide: twice the memory, and up to 1.6 times as long for the script's own
/// work on it. Two C++ functions of the library make narrow ones. They serve where the fast lane does and a test of
/// their own finds every string as the C API has it; everything works without them.
enum NarrowStrings {
    /// Whether they are made.
    static var areEnabled: Bool { CrossingLane.current.isFast && jsb_makes_narrow_strings() }

    /// Has them made from now on, if the library can.
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
                    && EngineText.withUnits(of: string) { $0.elementsEqual(units) }
            }
        }
    }
}
