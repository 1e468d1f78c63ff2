/// The seed of a schedule that shows each planted fault; behind it, to how many events it shrinks and what is broken.
///
/// Where schedules or the machine have changed so that one does not any more, the test says which does.
let seedsOfFaults: [String: UInt64] = [
    "settledBeforeRemoved": 1,  // 3: R5 R6 calls that wait
    "pendingCallLeaked": 1,  // 3: R5 R6 calls that wait
    "cancelledCallLeaked": 1,  // 2: R5 R6 calls that wait
    "timerNotCancelled": 3,  // 3: R6 the next deadline
    "lostCancel": 2,  // 3: R22 a message was dropped without a word
    "cancelToPlainPeer": 8,  // 2: W2 a plain peer is told of an extension
    "responseWithoutPeer": 255,  // 3: R5 R6 calls that wait
    "progressUnasked": 25,  // 4: R5 news came otherwise than they should
    "progressOfUnsentCall": 220,  // 3: R4 call
    "payloadDiscardedTwice": 7,  // 6: R5 payload
    "deadCallSent": 9,  // 4: R5 R22 a message was sent otherwise than it should
    "requestLeaked": 2,  // 5: R6 requests in progress
    "oldReplyAccepted": 1,  // 3: R6 requests in progress
    "requestTimerNotCancelled": 3,  // 5: R6 the next deadline
    "errorToLegacyCaller": 6,  // 3: R6 errors to callers that take none
    "oldMessageAccepted": 4,  // 2: R4 messages of contexts that are gone
    "lostEarlyCancel": 3,  // 9: R6 requests in progress
    "earlyCancelOutlivesContext": 328,  // 8: R6 requests in progress
    "abandonLost": 2,  // 4: R23 a cancellation was lost
    "expiredRequestUnanswered": 5,  // 4: R22 a message was dropped without a word
    "unknownNameDropped": 1,  // 3: R22 a message was dropped without a word
    "doubleCredit": 40,  // 11: R5 sendItem(0, payload
    "creditNotSpent": 40,  // 11: R5 sendItem(0, payload
    "gapAccepted": 701,  // 11: R4 stream
    "repeatedItemAccepted": 1275,  // 13: R4 stream
    "overrunAccepted": 1657,  // 13: R6 streams that are read
    "endOvertakesItems": 10258,  // 13: R6 streams that are read
    "earlyItemsLeaked": 10258,  // 12: R6 payloads never came out
    "stopUntold": 100,  // 8: R22 a message was dropped without a word
    "orphanStreamUntold": 6,  // 7: R22 a message was dropped without a word
    "itemAfterEnd": 3,  // 6: R6 streams that are sent
    "streamEndsOtherGrant": 116,  // 9: R22 dropped messages
    "idReuse": 2,  // 4: R5 a call settled twice
    "sentCallsOutliveContext": 4,  // 4: R5 R6 calls that wait
    "queuedCallsSettledTwice": 1,  // 2: R5 R6 calls that wait
    "undoneCarriedOver": 2,  // 7: R5 R22 a message was sent otherwise than it should
    "notificationCountLeaked": 5191,  // 13: R6 requests in progress
    "extensionsOutliveContext": 18,  // 7: W2 a plain peer is told of an extension
    "subscriptionsUntold": 6,  // 4: R5 R22 a message was sent otherwise than it should
    "topicsOutliveContext": 66,  // 7: R5 emit("alpha.x", payload
    "queueReordered": 6,  // 4: R5 R22 a message was sent otherwise than it should
    "closeForgetsCallers": 3,  // 4: R22 a message was dropped without a word
    "teardownIgnored": 1,  // 6: R3 ignored responses
    "oneCallTooMany": 2,  // 5: R5 call(BridgeTesting.SessionCall(name
    "queueUnbounded": 6,  // 4: R5 call(BridgeTesting.SessionCall(name
    "requestsUnbounded": 17,  // 9: R6 requests in progress
    "grantIgnored": 2,  // 4: R22 dropped messages
    "grantCountLeaked": 30,  // 8: R22 dropped messages
    "topicsUnbounded": 16,  // 7: R22 dropped messages
    "slotUsedAgain": 1,  // 6: R4 a call has the identity of another
    "zeroFound": 217,  // 6: R23 cancellations that came early or late
    "equalDeadlinesReversed": 50,  // 5: R23 a request was abandoned otherwise than it should
    "leadingZerosRead": 132,  // 3: R5 R6 calls that wait
    "epochNotRead": 15,  // 9: R5 R6 calls that wait
    "laterIdForgotten": 440,  // 11: R23 cancellations that came early or late
    "namesThatLookAlike": 6,  // 4: R22 dropped messages
    "reentrantDrain": 4,  // 4: R5 payload
]
