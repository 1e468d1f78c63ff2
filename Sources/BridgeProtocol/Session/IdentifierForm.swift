/// The format of the ids of a session's own calls.
///
/// In every format the counter starts at 1 and is never reset, so that no id is used twice (P21, P23).
package enum IdentifierForm: Sendable, Hashable {
    /// The format of WebViewJavascriptBridge: `objc_cb_N`.
    ///
    /// For peers and tools that know only that.
    case legacy
    /// The same format, followed by the epoch and 64 random bits, so that a late or forged reply matches no call (P24,
    /// R4).
    ///
    /// For a text transport between two sides of this package.
    case extended
    /// A number instead of a string.
    ///
    /// For the direct transport, where no script can send one.
    case inProcess
    /// The format of a dialect: the text before the number, and the text after it.
    case spelled(prefix: String, suffix: String)

    /// The prefix of the ids of native calls, except in dialects.
    static let prefix = "objc_cb_"
    /// The prefix of the ids of native streams.
    static let streamPrefix = "objc_st_"
}

/// The encoder and parser of the ids of one session's own calls, for one epoch.
struct IdentifierCodec: Sendable {
    let form: IdentifierForm
    /// The prefix of the ids of calls.
    let prefix: String
    /// The text after the number in this epoch; empty except in the extended format and some dialects.
    let suffix: String
    private let suffixBytes: [UInt8]

    init(form: IdentifierForm, epochText: String) {
        self.form = form
        switch form {
        case .spelled(let prefix, let suffix): (self.prefix, self.suffix) = (prefix, suffix)
        case .extended: (prefix, suffix) = (IdentifierForm.prefix, "_" + epochText)
        case .legacy, .inProcess: (prefix, suffix) = (IdentifierForm.prefix, "")
        }
        suffixBytes = Array(suffix.utf8)
    }

    /// Returns the id of the call with a number, or with another prefix the id of the stream.
    func identifier(_ number: UInt64, prefix: String? = nil) -> MessageID {
        form == .inProcess ? .number(number) : .text((prefix ?? self.prefix) + String(number) + suffix)
    }

    /// Returns the number of the call or stream that an id denotes, or `nil` if this session never creates such an id.
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
                // Only the exact spelling: "objc_cb_01" is a forgery, not call 1.
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
