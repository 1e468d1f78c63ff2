internal import BridgeValues

/// What a caller calls its call, and what the reply to it carries back, verbatim.
///
/// Texts travel on every transport. A number never comes out of a text wire, so a session in process that
/// gives out numbers cannot be answered by a message that a script wrote itself.
package enum MessageID: Sendable, Hashable {
    /// An id as text: the peer's, or one of ours in a textual form. Never empty on a wire.
    case text(String)
    /// An id of ours that does not leave the process.
    case number(UInt64)

    /// Whether two ids are the same: texts by their bytes, as those that only look alike are two to a script (P22).
    package static func == (left: MessageID, right: MessageID) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left == right
        case (.text(let left), .text(let right)): ExactText(left) == ExactText(right)
        default: false
        }
    }

    /// Hashes the number, or the bytes of the text.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .number(let number): hasher.combine(number)
        case .text(let text): hasher.combine(ExactText(text))
        }
    }
}

extension MessageID: CustomStringConvertible {
    /// The id as it would stand on the ancestor's wire.
    package var description: String {
        switch self {
        case .text(let text): text
        case .number(let number): IdentifierForm.prefix + String(number)
        }
    }
}

extension MessageID {
    /// The id of a call of a script as it would stand on the ancestor's wire, where those of native calls begin otherwise.
    var ofScript: MessageID {
        guard case .number(let number) = self else { return self }
        return .text("cb_\(number)")
    }

    // The id as it would stand on the ancestor's wire, whose sides begin theirs differently.
    func text(isScripts: Bool) -> String { (isScripts ? ofScript : self).description }
}
