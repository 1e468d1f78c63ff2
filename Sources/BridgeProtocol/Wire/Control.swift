package import BridgeValues

/// What the sides tell each other beside calls and replies: a notification under a reserved name (W5), which a
/// peer that does not know it passes over.
///
/// It is sent only to a peer that has shown that it knows extensions.
package struct Control: Sendable, Hashable {
    /// What is told.
    ///
    /// The raw values cross in process.
    package enum Kind: UInt8, Sendable, Hashable {
        /// The caller of a call gave up (`_wvjb.cancel` with `id`).
        case cancel = 1
        /// How far a call has come (`_wvjb.progress`).
        case progress
        /// An item of a stream, by its number from 0 (`_wvjb.next`).
        case next
        /// A stream has ended after so many items (`_wvjb.end`).
        case end
        /// So many more items may be sent (`_wvjb.more`).
        case more
        /// The consumer of a stream gave up (`_wvjb.cancel` with `sid`).
        case stop
        /// Somebody listens to a topic (`_wvjb.sub`).
        case subscribe
        /// Nobody listens to a topic any more (`_wvjb.unsub`).
        case unsubscribe
        /// An event of a topic, by its number from 0 (`_wvjb.next` with `topic`).
        case event
        /// A greeting (`_wvjb.hello`, W4): its sender knows extensions, which is all that counts here.
        case hello
        /// References are held no longer (`_wvjb.release`): its payload is a list of `{id, n}`.
        case release
    }

    /// What is told.
    package var kind: Kind
    /// The call's or the stream's id, or the topic as text.
    package var id: MessageID
    /// The number of an item or an event, the length of a stream, or a credit.
    package var number: UInt64
    /// The item, the event or the news.
    package var payload: PayloadToken?
    /// Why a stream ended or a caller gave up.
    package var error: BridgeError?
    /// What the work on it counts for; no part of the message.
    package var account: WorkAccount?

    /// Makes a control message.
    package init(
        _ kind: Kind,
        _ id: MessageID,
        number: UInt64 = 0,
        payload: PayloadToken? = nil,
        error: BridgeError? = nil,
        account: WorkAccount? = nil
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
    /// Whether it carries a payload.
    package var hasPayload: Bool {
        self == .next || self == .event || self == .progress || self == .release
    }
    /// Whether its id is a topic, or nothing at all.
    package var isOfTopic: Bool {
        self == .subscribe || self == .unsubscribe || self == .event || self == .release
    }
}

extension Control {
    /// The topic of what is about one.
    package var topic: String {
        guard case .text(let text) = id else { return "" }
        return text
    }
}
