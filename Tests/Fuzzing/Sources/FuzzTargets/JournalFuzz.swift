import BridgeValues
import JavaScriptBridge

enum JournalFuzz {
    private static let header = Array(Journal(header: JournalHeader(), entries: []).text.utf8)

    static func problem(_ bytes: [UInt8]) -> String? {
        let bytes = bytes.starts(with: Array("{\"journal".utf8)) ? bytes : header + bytes
        // An error is a valid result.
        guard let journal = try? Journal(utf8: bytes) else { return nil }
        let text = journal.text
        guard let again = try? Journal(text) else { return "an encoded journal cannot be decoded" }
        guard again.text == text else { return "a journal is not equal to its decoded copy" }
        return again.entries.count == journal.entries.count ? nil : "entries are lost"
    }
}
