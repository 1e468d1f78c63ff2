import BridgeValues
import JavaScriptBridge

enum JournalFuzz {
    private static let header = Array(Journal(header: JournalHeader(), entries: []).text.utf8)

    static func problem(_ bytes: [UInt8]) -> String? {
        let bytes = bytes.starts(with: Array("{\"journal".utf8)) ? bytes : header + bytes
        // An error is an answer.
        guard let journal = try? Journal(utf8: bytes) else { return nil }
        let text = journal.text
        guard let again = try? Journal(text) else { return "what was written cannot be read" }
        guard again.text == text else { return "a journal does not come back" }
        return again.entries.count == journal.entries.count ? nil : "crossings are lost"
    }
}
