internal import BridgeValues

/// The id that a caller chooses for its call, which the reply repeats verbatim.
///
/// String ids cross on every transport. A number never comes from a text wire. Messages that a script creates itself
/// therefore cannot reply to calls of an in-process session, whose ids are numbers.
package enum MessageID: Sendable, Hashable {
    /// A string id: the peer's, or one of this side in its string form.
    ///
    /// Never empty on a wire.
    case text(String)
    /// An id of this side that does not leave the process.
    case number(UInt64)

    /// Returns whether two ids are equal: strings by their bytes, as canonically equivalent ones differ for a script
    /// (P22).
    package static func == (left: MessageID, right: MessageID) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left == right
        case (.text(let left), .text(let right)): ByteEqualString(left) == ByteEqualString(right)
        default: false
        }
    }

    /// Hashes the number, or the bytes of the string.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .number(let number): hasher.combine(number)
        case .text(let text): hasher.combine(ByteEqualString(text))
        }
    }
}

extension MessageID: CustomStringConvertible {
    /// The id as on the wire of WebViewJavascriptBridge.
    package var description: String {
        switch self {
        case .text(let text): text
        case .number(let number): IdentifierForm.prefix + String(number)
        }
    }
}

extension MessageID {
    /// The id of a script's call as on the wire of WebViewJavascriptBridge, where its prefix differs from that of
    /// native calls.
    var ofScript: MessageID {
        guard case .number(let number) = self else { return self }
        return .text("cb_\(number)")
    }

    // Returns the id as on the wire of WebViewJavascriptBridge, whose sides use different prefixes.
    func text(isScripts: Bool) -> String { (isScripts ? ofScript : self).description }
}
