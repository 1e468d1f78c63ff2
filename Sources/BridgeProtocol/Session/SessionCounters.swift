/// The counts of events in a session that are not all reported individually.
package struct SessionCounters: Sendable, Hashable {
    /// Messages that were passed to the transport.
    package var sentMessages = 0
    /// Messages that the transport received.
    package var receivedMessages = 0
    /// Responses with an id that this session never used.
    package var unknownResponses = 0
    /// Responses to calls that had ended.
    package var lateResponses = 0
    /// Second replies of a handler to one call.
    package var duplicateReplies = 0
    /// Replies to calls of a lost context.
    package var lostReplies = 0
    /// Messages from a lost context.
    package var lostMessages = 0
    /// Errors that were not sent because the caller does not support errors.
    package var suppressedErrors = 0
    /// Messages that were neither dispatched nor answered: malformed, refused, too late.
    package var droppedMessages = 0
    /// Names and keys that came with a lone surrogate.
    package var repairedTexts = 0
    /// Cancellations of calls that had ended, or have not arrived yet.
    package var lateCancellations = 0
    /// Items, ends, credits and stops of unknown streams.
    package var unknownStreams = 0

    /// Creates counters that are all 0.
    package init() {}
}

extension Int {
    /// A Boolean value that indicates whether the count is 1, 2, 4, 8 and so on: the occurrences that are worth a log
    /// line.
    package var isWorthReporting: Bool { self & (self - 1) == 0 }
}
