/// The seed of a schedule that shows each planted fault; behind it, to how many events it shrinks and what is broken.
///
/// Where schedules or the machine have changed so that one does not any more, the test says which does.
let seedsOfFaults: [String: UInt64] = [
    "settledBeforeRemoved": 1,  // 3: R5 R6 calls that wait
    "pendingCallLeaked": 1,  // 3: R5 R6 calls that wait
    "cancelledCallLeaked": 1,  // 2: R5 R6 calls that wait
    "timerNotCancelled": 1,  // 2: R6 the next deadline
    "lostCancel": 3,  // 5: R5 R22 a message was sent otherwise than it should
    "cancelToPlainPeer": 5,  // 2: W2 a plain peer is told of an extension
    "responseWithoutPeer": 36,  // 2: R5 R6 calls that wait
    "progressUnasked": 3,  // 5: R5 news came otherwise than they should
    "progressOfUnsentCall": 341,  // 5: R4 call
    "payloadDiscardedTwice": 6,  // 8: R5 payload 88 came out twice, or from nowhere
    "deadCallSent": 2,  // 5: R5 R22 a message was sent otherwise than it should
    "requestLeaked": 1,  // 7: R6 requests in progress
    "oldReplyAccepted": 5,  // 3: R6 requests in progress
    "requestTimerNotCancelled": 1,  // 7: R6 the next deadline
    "errorToLegacyCaller": 7,  // 7: R6 errors to callers that take none
    "oldMessageAccepted": 1,  // 11: R3 ignored responses
    "lostEarlyCancel": 25,  // 9: R6 requests in progress
    "earlyCancelOutlivesContext": 93,  // 34: R6 requests in progress
    "abandonLost": 5,  // 7: R23 a cancellation was lost
    "expiredRequestUnanswered": 5,  // 3: R22 a message was dropped without a word
    "unknownNameDropped": 1,  // 3: R22 a message was dropped without a word
    "doubleCredit": 7,  // 13: R5 an item was answered otherwise than it should
    "creditNotSpent": 7,  // 13: R5 an item was answered otherwise than it should
    "gapAccepted": 34,  // 15: R4 stream 0 brought what is not its next item
    "repeatedItemAccepted": 34,  // 15: R4 stream 0 brought what is not its next item
    "overrunAccepted": 24,  // 15: R6 streams that are read
    "streamUnheard": 22,  // 16: R5 openStream
    "endOvertakesItems": 63,  // 18: R6 streams that are read
    "earlyItemsLeaked": 63,  // 17: R6 payloads never came out
    "stopUntold": 12,  // 10: R22 a message was dropped without a word
    "orphanStreamUntold": 4,  // 13: R5 R22 a message was sent otherwise than it should
    "itemAfterEnd": 5,  // 8: R6 streams that are sent
    "streamEndsOtherGrant": 140,  // 18: R6 requests in progress
    "idReuse": 3,  // 6: R4 an id was used twice
    "sentCallsOutliveContext": 1,  // 5: R5 R6 calls that wait
    "queuedCallsSettledTwice": 1,  // 3: R5 R6 calls that wait
    "undoneCarriedOver": 1,  // 6: R5 R22 a message was sent otherwise than it should
    "notificationCountLeaked": 3292,  // 9: R22 dropped messages
    "extensionsOutliveContext": 5,  // 17: R5 R22 a message was sent otherwise than it should
    "subscriptionsUntold": 4,  // 4: R5 R22 a message was sent otherwise than it should
    "topicsOutliveContext": 302,  // 10: R5 emit
    "queueReordered": 2,  // 4: R5 R22 a message was sent otherwise than it should
    "closeForgetsCallers": 5,  // 3: R22 a message was dropped without a word
    "teardownIgnored": 1,  // 12: R3 ignored responses
    "oneCallTooMany": 2,  // 5: R5 call
    "queueUnbounded": 1,  // 4: R5 call
    "requestsUnbounded": 76,  // 8: R6 requests in progress
    "grantIgnored": 2,  // 4: R6 requests in progress
    "grantCountLeaked": 59,  // 16: R6 requests in progress
    "topicsUnbounded": 46,  // 7: R22 dropped messages
    "slotUsedAgain": 1,  // 4: R4 a call has the identity of another
    "zeroFound": 564,  // 7: R23 cancellations that came early or late
    "equalDeadlinesReversed": 28,  // 7: R23 a request was abandoned otherwise than it should
    "leadingZerosRead": 12,  // 3: R4 call 0 was told what belongs to another
    "epochNotRead": 9,  // 13: R5 R6 calls that wait
    "laterIdForgotten": 239,  // 16: R23 cancellations that came early or late
    "namesThatLookAlike": 10,  // 4: R6 requests in progress
    "reentrantDrain": 3,  // 6: R5 a call settled twice
    "longNameTaken": 1,  // 1: R5 call
    "oldTeardownEnds": 11,  // 5: R22 0 messages wait for the other end, where 25 should
    "replacedHandlerStays": 1,  // 4: R1 R31 a request was dispatched otherwise than it should
    "anyHandlerCalled": 1,  // 3: R1 R31 a request was dispatched otherwise than it should
    "deadlinesNotRaised": 554,  // 27: R5 a call settled twice
    "deadlinesNotSunk": 5,  // 9: R5 R6 calls that wait
    "queueGrowsTurned": 2,  // 17: R5 R22 a message was sent otherwise than it should
    "deadlineLate": 3,  // 2: R5 R6 calls that wait
    "requestDeadlineLate": 15,  // 7: R6 requests in progress
    "cancelledStreamOpens": 4,  // 8: R5 openStream
    "grantForgetsRunning": 627,  // 8: R6 requests in progress
    "resetDropsReplies": 22,  // 5: R22 0 messages wait for the other end, where 2 should
    "resetLeavesStreams": 82,  // 10: R6 streams that are sent
    "streamsShareID": 437,  // 13: R6 streams that are read
    "greetsAgain": 5,  // 6: R5 R22 a message was sent otherwise than it should
    "eventUngranted": 20,  // 12: R22 dropped messages
    "oneStreamTooMany": 15,  // 12: R5 openStream
    "handlersGoWithContext": 1,  // 6: R6 requests in progress
    "abandonedTwice": 5,  // 3: R23 a request was abandoned otherwise than it should
]
