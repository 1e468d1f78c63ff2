/// How a session writes the ids of its own calls.
///
/// Whatever the form, the counter behind it starts at 1 and is never set back, so that no id is given out
/// twice (P21, P23).
package enum IdentifierForm: Sendable, Hashable {
    /// The ancestor's: `objc_cb_N`. For peers and tools that know only that.
    case ancestor
    /// The ancestor's with the epoch and 64 random bits behind it, so that a late or forged reply meets no
    /// call (P24, R4). For a text transport between two ends of ours.
    case extended
    /// A number without text. For a transport in process, where no script can send one.
    case inProcess
    /// A dialect's: what stands before the number, and behind it.
    case spelled(prefix: String, suffix: String)

    /// What the ids of native calls begin with, but for a dialect's.
    static let prefix = "objc_cb_"
    /// What the ids of native streams begin with.
    static let streamPrefix = "objc_st_"
}

/// Writes and reads the ids of one session's own calls, for one epoch.
struct IdentifierCodec: Sendable {
    let form: IdentifierForm
    /// What the ids of calls begin with.
    let prefix: String
    /// What stands behind the number in this epoch, empty but for the extended form and some dialects.
    let suffix: String
    private let suffixBytes: [UInt8]

    init(form: IdentifierForm, epochText: String) {
        self.form = form
        switch form {
        case .spelled(let prefix, let suffix): (self.prefix, self.suffix) = (prefix, suffix)
        case .extended: (prefix, suffix) = (IdentifierForm.prefix, "_" + epochText)
        case .ancestor, .inProcess: (prefix, suffix) = (IdentifierForm.prefix, "")
        }
        suffixBytes = Array(suffix.utf8)
    }

    /// The id of the call, or with another prefix of the stream, with a number.
    func identifier(_ number: UInt64, prefix: String? = nil) -> MessageID {
        form == .inProcess ? .number(number) : .text((prefix ?? self.prefix) + String(number) + suffix)
    }

    /// The number of the call or stream that an id stands for, or `nil` if this session never writes such an
    /// id.
    func number(_ identifier: MessageID, prefix: String? = nil) -> UInt64? {
        switch identifier {
        case .number(let number): form == .inProcess ? number : nil
        case .text(let text):
            form == .inProcess ? nil : number(inText: text, after: (prefix ?? self.prefix).utf8)
        }
    }

    private func number(inText text: String, after start: String.UTF8View) -> UInt64? {
        var text = text
        return text.withUTF8 { bytes in
            let prefix = start.count
            guard bytes.count > prefix + suffixBytes.count, bytes.starts(with: start),
                bytes[(bytes.count - suffixBytes.count)...].elementsEqual(suffixBytes)
            else { return nil }
            var number: UInt64 = 0
            for digit in bytes[prefix..<(bytes.count - suffixBytes.count)] {
                guard UInt8(ascii: "0") <= digit, digit <= UInt8(ascii: "9") else { return nil }
                let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
                let (sum, carry) = tens.addingReportingOverflow(UInt64(digit &- UInt8(ascii: "0")))
                // Exactly the text that is written: "objc_cb_01" is somebody's forgery, not call 1.
                guard !overflow, !carry, sum > 0 else { return nil }
                number = sum
            }
            return number
        }
    }
}

extension UInt64 {
    /// The number as 16 hexadecimal digits.
    var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
