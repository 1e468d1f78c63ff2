import BridgeValues
import Testing

/// Numbers and strings in texts for people and in documents.
@Suite struct TextTests {
    @Test(
        "numbers have a fixed number of decimals",
        arguments: [
            (0, 1, "0.0"), (0.05, 1, "0.1"), (-0.25, 1, "-0.3"), (12.999, 2, "13.00"), (1.005, 3, "1.005"),
            (-0.001, 2, "0.00"), (1234.5, 1, "1234.5"),
        ] as [(Double, Int, String)]
    )
    func decimals(value: Double, decimals: Int, text: String) {
        #expect(DecimalText.of(value, decimals: decimals) == text)
    }

    @Test("XML has references for markup and white space, and U+FFFD for characters that it cannot represent")
    func markup() {
        #expect(
            XMLText.escaped("<a b=\"c\">&'\n\t\r\u{0}\u{1B}\u{FFFF}\u{85}é😀")
                == "&lt;a b=&quot;c&quot;&gt;&amp;'&#10;&#9;&#13;\u{FFFD}\u{FFFD}\u{FFFD}\u{85}é😀"
        )
    }
}
