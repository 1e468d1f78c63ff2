/// The seed of a schedule that shows each planted fault; behind it, to how many events it shrinks and what is broken.
///
/// Where schedules or the machine have changed so that one does not any more, the test says which does.
let seedsOfFaults: [String: UInt64] = [
    "settledBeforeRemoved": 1,  // 3: R5 R6 calls that wait
    "pendingCallLeaked": 1,  // 3: R5 R6 calls that wait
    "cancelledCallLeaked": 1,  // 2: R5 R6 calls that wait
    "timerNotCancelled": 1,  // 4: R6 the next deadline is
    "lostCancel": 1,  // 2: R22 a message was dropped without a word
    "cancelToPlainPeer": 8,  // 3: W2 a plain peer is told of an extension
    "responseWithoutPeer": 32,  // 3: R5 R6 calls that wait
    "progressUnasked": 3,  // 8: R5 news came otherwise than they should
    "progressOfUnsentCall": 324,  // 2: R4 call 2 was told what belongs to another
    "payloadDiscardedTwice": 1,  // 8: R5 payload 34 came out twice, or from nowhere
    "deadCallSent": 5,  // 4: R5 R22 a message was sent otherwise than it should
    "releaseToPlainPeer": 29,  // 2: R5 release
    "heldDeadlineLost": 1,  // 1: R6 the next deadline is none, should be
    "heldSettlesTwice": 1,  // 3: R5 a call settled twice
    "heldNotificationsUnbounded": 153,  // 4: R5 hold
    "heldNotificationLeaked": 3,  // 1: R5 R6 calls that wait
    "partsCounted": 1,  // 2: R5 R6 calls that wait
    "heldOutlivesContext": 5,  // 6: R5 R6 calls that wait
    "heldLostBeforePeer": 17,  // 4: R5 a call settled otherwise than it should
    "heldOutlivesEnd": 5,  // 1: R5 R6 calls that wait
    "heldAnswered": 77,  // 5: R5 R6 calls that wait
    "unsentCallCancelled": 3,  // 2: R5 R22 a message was sent otherwise than it should
    "requestLeaked": 1,  // 3: R6 requests in progress
    "oldReplyAccepted": 1,  // 3: R6 requests in progress
    "requestTimerNotCancelled": 1,  // 7: R6 the next deadline is
    "errorToLegacyCaller": 6,  // 9: R6 errors to callers that take none
    "oldMessageAccepted": 1,  // 10: R3 ignored responses
    "lostEarlyCancel": 1,  // 3: R22 R23 early cancellations that are remembered
    "earlyCancelOutlivesContext": 1,  // 6: R22 R23 early cancellations that are remembered
    "abandonLost": 1,  // 11: R23 a cancellation was lost
    "expiredRequestUnanswered": 3,  // 5: R22 a message was dropped without a word
    "unknownNameDropped": 1,  // 26: R5 R22 a message was sent otherwise than it should
    "earlyCancelsUnbounded": 81,  // 9: R22 R23 early cancellations that are remembered
    "earlyCancelsForgotten": 15,  // 5: R22 R23 early cancellations that are remembered
    "earlyCancelTwice": 101,  // 6: R22 R23 early cancellations that are remembered
    "oldRefusalAnswered": 4,  // 68: R4 messages of contexts that are gone
    "doubleCredit": 8,  // 12: R5 sendItem
    "creditNotSpent": 8,  // 12: R5 sendItem
    "gapAccepted": 39,  // 14: R4 stream 0 brought what is not its next item
    "repeatedItemAccepted": 39,  // 11: R4 stream 0 brought what is not its next item
    "overrunAccepted": 185,  // 14: R6 streams that are read
    "streamUnheard": 80,  // 9: R5 openStream
    "endOvertakesItems": 79,  // 17: R6 streams that are read
    "earlyItemsLeaked": 96,  // 21: R6 payloads never came out
    "stopUntold": 2,  // 11: R22 a message was dropped without a word
    "orphanStreamUntold": 2,  // 9: R5 R22 a message was sent otherwise than it should
    "itemAfterEnd": 1,  // 8: R6 streams that are sent
    "streamEndsOtherGrant": 33,  // 12: R22 dropped messages
    "creditWraps": 332,  // 14: R5 sendItem
    "idReuse": 1,  // 6: R5 R6 calls that wait
    "sentCallsOutliveContext": 1,  // 4: R5 R6 calls that wait
    "queuedCallsSettledTwice": 1,  // 3: R5 R6 calls that wait
    "undoneCarriedOver": 1,  // 4: R5 R22 a message was sent otherwise than it should
    "notificationCountLeaked": 3518,  // 16: R22 dropped messages
    "extensionsOutliveContext": 12,  // 9: W2 a plain peer is told of an extension
    "subscriptionsUntold": 1,  // 3: R22 a message was dropped without a word
    "topicsOutliveContext": 449,  // 8: R5 emit
    "queueReordered": 2,  // 6: R5 R22 a message was sent otherwise than it should
    "closeForgetsCallers": 2,  // 3: R22 a message was dropped without a word
    "teardownIgnored": 1,  // 10: R3 ignored responses
    "epochNotRandom": 9,  // 13: R4 an id has not the random bits of its context alone
    "repliesCountOn": 113,  // 35: R22 dropped messages
    "forgottenPayloadLeaked": 416,  // 36: R6 payloads never came out
    "oneCallTooMany": 2,  // 5: R5 call
    "queueUnbounded": 1,  // 1: R5 call
    "requestsUnbounded": 9,  // 25: R6 requests in progress
    "grantIgnored": 2,  // 11: R6 requests in progress
    "grantCountLeaked": 4,  // 10: R6 requests in progress
    "topicsUnbounded": 147,  // 12: R22 dropped messages
    "rateIgnored": 20,  // 4: R22 dropped messages
    "payloadLimitIgnored": 7,  // 3: R5 beginSynchronous
    "grantNeverEnds": 2,  // 11: R6 requests in progress
    "prefixGrantNeverEnds": 2377,  // 6: R5 R22 a message was sent otherwise than it should
    "denialNeverEnds": 113,  // 6: R6 requests in progress
    "keptGrantBeginsAnew": 30,  // 9: R6 requests in progress
    "renewedGrantGoesOn": 524,  // 12: R6 requests in progress
    "refusalTakesToken": 192,  // 18: R6 requests in progress
    "burstUnbounded": 20,  // 5: R22 dropped messages
    "tokensComeTwice": 20,  // 5: R22 dropped messages
    "notificationsUnbounded": 8,  // 3: R5 beginNotification
    "notificationWorkLeaked": 11,  // 10: R5 beginNotification
    "refusedNotificationCounts": 2024,  // 23: R22 dropped messages
    "synchronousUngranted": 2,  // 4: R5 beginSynchronous
    "synchronousUnbounded": 212,  // 16: R5 beginSynchronous
    "synchronousGrantUncounted": 132,  // 13: R6 requests in progress
    "synchronousGrantLeaked": 2,  // 7: R5 beginSynchronous
    "synchronousCountLeaked": 2,  // 16: R5 beginSynchronous
    "synchronousAfterContext": 10,  // 5: R5 beginSynchronous
    "deniedAfterContext": 68,  // 7: R4 messages of contexts that are gone
    "subscriptionUngranted": 181,  // 7: R22 dropped messages
    "slotUsedAgain": 1,  // 4: R4 a call has the identity of another
    "zeroFound": 1051,  // 13: R22 R23 early cancellations that are remembered
    "equalDeadlinesReversed": 15,  // 2: R5 a call settled twice
    "leadingZerosRead": 308,  // 4: R5 R6 calls that wait
    "epochNotRead": 16,  // 13: R5 R6 calls that wait
    "laterIdForgotten": 340,  // 12: R22 R23 early cancellations that are remembered
    "namesThatLookAlike": 9,  // 7: R5 R22 a message was sent otherwise than it should
    "reentrantDrain": 1,  // 9: R5 R22 a message was sent otherwise than it should
    "tableHolesStay": 1784,  // 94: R22 R23 early cancellations that are remembered
    "longNameTaken": 1,  // 1: R5 call
    "oldTeardownEnds": 10,  // 6: R5 beginSynchronous
    "replacedHandlerStays": 1,  // 4: R1 R31 a request was dispatched otherwise than it should
    "anyHandlerCalled": 1,  // 3: R1 R31 a request was dispatched otherwise than it should
    "deadlinesNotRaised": 107,  // 44: R5 a call settled twice
    "deadlinesNotSunk": 5,  // 4: R6 the next deadline is
    "queueGrowsTurned": 2,  // 27: R5 a call settled twice
    "deadlineLate": 1,  // 2: R6 the next deadline is
    "requestDeadlineLate": 22,  // 8: R6 requests in progress
    "cancelledStreamOpens": 3,  // 14: R5 openStream
    "grantForgetsRunning": 476,  // 38: R5 R22 a message was sent otherwise than it should
    "resetDropsReplies": 25,  // 7: R22 messages that wait for the other end
    "resetLeavesStreams": 18,  // 17: R6 streams that are read
    "streamsShareID": 1005,  // 21: R6 streams that are read
    "greetsAgain": 8,  // 5: R5 R22 a message was sent otherwise than it should
    "eventUngranted": 112,  // 13: R22 dropped messages
    "oneStreamTooMany": 30,  // 34: R5 openStream
    "handlersGoWithContext": 1,  // 6: R6 requests in progress
    "abandonedTwice": 3,  // 4: R23 a request was abandoned otherwise than it should
]
