/// How often things happened in a session that nobody was told about one by one.
package struct SessionCounters: Sendable, Hashable {
    /// Messages that were given to the transport.
    package var sentMessages = 0
    /// Messages that came from the transport.
    package var receivedMessages = 0
    /// Responses with an id that was never given out.
    package var unknownResponses = 0
    /// Responses to calls that had ended.
    package var lateResponses = 0
    /// Second replies of a handler to one call.
    package var duplicateReplies = 0
    /// Replies to calls of a context that is gone.
    package var lostReplies = 0
    /// Messages that came from a context that is gone.
    package var lostMessages = 0
    /// Errors that were not sent because the caller takes none.
    package var suppressedErrors = 0
    /// Messages that were neither dispatched nor answered: malformed, refused, too late.
    package var droppedMessages = 0
    /// Names and keys that came with a lone surrogate.
    package var repairedTexts = 0
    /// Cancellations of calls that had ended, or have not come yet.
    package var lateCancellations = 0
    /// Items, ends, credits and stops of streams that are not there.
    package var unknownStreams = 0

    /// Makes counters that stand at 0.
    package init() {}
}

extension Int {
    /// Whether the count is 1, 2, 4, 8 and so on: the occurrences that are worth a line in a log.
    package var isWorthReporting: Bool { self & (self - 1) == 0 }
}
