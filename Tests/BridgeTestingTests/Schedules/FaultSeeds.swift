/// The seed of a schedule that shows each planted fault; behind it, to how many events it shrinks and what is broken.
///
/// Where schedules or the machine have changed so that one does not any more, the test says which does.
let seedsOfFaults: [String: UInt64] = [
    "settledBeforeRemoved": 2,  // 3: R5 R6 calls that wait
    "pendingCallLeaked": 2,  // 3: R5 R6 calls that wait
    "cancelledCallLeaked": 1,  // 2: R5 R6 calls that wait
    "timerNotCancelled": 1,  // 2: R6 the next deadline is 0.058 seconds, should be none
    "lostCancel": 1,  // 5: R22 a message was dropped without a word
    "cancelToPlainPeer": 5,  // 2: W2 a plain peer is told of an extension
    "responseWithoutPeer": 36,  // 2: R5 R6 calls that wait
    "progressUnasked": 3,  // 5: R5 news came otherwise than they should
    "progressOfUnsentCall": 341,  // 5: R4 call 8589934592 was told what belongs to another
    "payloadDiscardedTwice": 6,  // 8: R5 payload 86 came out twice, or from nowhere
    "deadCallSent": 2,  // 5: R5 R22 a message was sent otherwise than it should
    "requestLeaked": 1,  // 7: R6 requests in progress
    "oldReplyAccepted": 1,  // 3: R6 requests in progress
    "requestTimerNotCancelled": 1,  // 11: R6 the next deadline is 0.058 seconds, should be none
    "errorToLegacyCaller": 7,  // 7: R6 errors to callers that take none
    "oldMessageAccepted": 2,  // 3: R4 messages of contexts that are gone
    "lostEarlyCancel": 6,  // 18: R6 requests in progress
    "earlyCancelOutlivesContext": 157,  // 18: R6 requests in progress
    "abandonLost": 5,  // 7: R23 a cancellation was lost
    "expiredRequestUnanswered": 5,  // 3: R22 a message was dropped without a word
    "unknownNameDropped": 1,  // 5: R22 a message was dropped without a word
    "doubleCredit": 7,  // 20: R5 an item was answered otherwise than it should
    "creditNotSpent": 7,  // 20: R5 an item was answered otherwise than it should
    "gapAccepted": 34,  // 15: R4 stream 0 brought what is not its next item
    "repeatedItemAccepted": 34,  // 15: R4 stream 0 brought what is not its next item
    "overrunAccepted": 24,  // 15: R6 streams that are read
    "streamUnheard": 22,  // 16: R5 openStream
    "endOvertakesItems": 63,  // 18: R6 streams that are read
    "earlyItemsLeaked": 63,  // 17: R6 payloads never came out
    "stopUntold": 12,  // 10: R22 a message was dropped without a word
    "orphanStreamUntold": 4,  // 13: R5 R22 a message was sent otherwise than it should
    "itemAfterEnd": 1,  // 8: R6 streams that are sent
    "streamEndsOtherGrant": 140,  // 18: R6 requests in progress
    "idReuse": 1,  // 10: R4 an id was used twice
    "sentCallsOutliveContext": 1,  // 5: R5 R6 calls that wait
    "queuedCallsSettledTwice": 1,  // 3: R5 R6 calls that wait
    "undoneCarriedOver": 1,  // 6: R5 R22 a message was sent otherwise than it should
    "notificationCountLeaked": 3292,  // 9: R22 dropped messages
    "extensionsOutliveContext": 5,  // 11: R5 R22 a message was sent otherwise than it should
    "subscriptionsUntold": 4,  // 4: R5 R22 a message was sent otherwise than it should
    "topicsOutliveContext": 105,  // 15: R5 emit
    "queueReordered": 1,  // 6: R5 R22 a message was sent otherwise than it should
    "closeForgetsCallers": 5,  // 3: R22 a message was dropped without a word
    "teardownIgnored": 1,  // 10: R3 ignored responses
    "oneCallTooMany": 2,  // 5: R5 call
    "queueUnbounded": 1,  // 4: R5 call
    "requestsUnbounded": 76,  // 16: R6 requests in progress
    "grantIgnored": 2,  // 4: R6 requests in progress
    "grantCountLeaked": 59,  // 16: R6 requests in progress
    "topicsUnbounded": 125,  // 7: R22 dropped messages
    "slotUsedAgain": 1,  // 4: R4 a call has the identity of another
    "zeroFound": 564,  // 7: R23 cancellations that came early or late
    "equalDeadlinesReversed": 28,  // 5: R23 a request was abandoned otherwise than it should
    "leadingZerosRead": 12,  // 3: R4 call 0 was told what belongs to another
    "epochNotRead": 9,  // 13: R5 R6 calls that wait
    "laterIdForgotten": 239,  // 12: R23 cancellations that came early or late
    "namesThatLookAlike": 10,  // 4: R6 requests in progress
    "reentrantDrain": 1,  // 9: R5 payload 64 came out twice, or from nowhere
]
