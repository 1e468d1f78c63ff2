package import BridgeValues

/// A control message, beside calls and replies: a notification with a reserved name (W5), which older peers ignore.
///
/// It is sent only to a peer that has shown that it supports extensions.
package struct Control: Sendable, Hashable {
    /// The kind of a control message.
    ///
    /// The raw values cross in process.
    package enum Kind: UInt8, Sendable, Hashable {
        /// The caller cancels a call (`_wvjb.cancel` with `id`).
        case cancel = 1
        /// The progress of a call (`_wvjb.progress`).
        case progress
        /// An item of a stream, with its number from 0 (`_wvjb.next`).
        case next
        /// The end of a stream, with the number of its items (`_wvjb.end`).
        case end
        /// The number of additional items that may be sent (`_wvjb.more`).
        case more
        /// The consumer cancels a stream (`_wvjb.cancel` with `sid`).
        case stop
        /// The sender listens to a topic (`_wvjb.sub`).
        case subscribe
        /// The sender stops listening to a topic (`_wvjb.unsub`).
        case unsubscribe
        /// An event of a topic, with its number from 0 (`_wvjb.next` with `topic`).
        case event
        /// A greeting (`_wvjb.hello`, W4), which shows that its sender supports extensions.
        case hello
        /// A release of references (`_wvjb.release`), whose payload is an array of `{id, n}`.
        case release
    }

    /// The kind of the message.
    package var kind: Kind
    /// The id of the call or the stream, or the topic as a string.
    package var id: MessageID
    /// The number of an item or an event, the length of a stream, or a credit.
    package var number: UInt64
    /// The item, the event or the progress.
    package var payload: PayloadToken?
    /// The reason of a stream's end or of a cancellation.
    package var error: BridgeError?
    /// The budget that the work on it is charged to; not a part of the message.
    package var account: WorkBudget?

    /// Creates a control message.
    package init(
        _ kind: Kind,
        _ id: MessageID,
        number: UInt64 = 0,
        payload: PayloadToken? = nil,
        error: BridgeError? = nil,
        account: WorkBudget? = nil
    ) {
        self.kind = kind
        self.id = id
        self.number = number
        self.payload = payload
        self.error = error
        self.account = account
    }
}

extension Control.Kind {
    /// A Boolean value that indicates whether messages of this kind have a payload.
    package var hasPayload: Bool {
        self == .next || self == .event || self == .progress || self == .release
    }
    /// A Boolean value that indicates whether the id of this kind is a topic, or empty.
    package var isOfTopic: Bool {
        self == .subscribe || self == .unsubscribe || self == .event || self == .release
    }
}

extension Control {
    /// The topic of a message about one.
    package var topic: String {
        guard case .text(let text) = id else { return "" }
        return text
    }
}
