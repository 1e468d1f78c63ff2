import SessionSimulation

/// The seed of a schedule that finds each mutant, with the number of events after shrinking and the broken rule.
///
/// If a schedule no longer finds its mutant after a change, the test names one that does.
let seedsOfFaults: [String: UInt64] = [
    "settledBeforeRemoved": 2,  // 3: R5 R6 pending calls
    "pendingCallLeaked": 2,  // 3: R5 R6 pending calls
    "cancelledCallLeaked": 1,  // 2: R5 R6 pending calls
    "timerNotCancelled": 1,  // 4: R6 the next deadline is
    "lostCancel": 1,  // 2: R22 a message was dropped silently
    "cancelToPlainPeer": 5,  // 3: W2 an extension was sent to a plain peer
    "responseWithoutPeer": 21,  // 4: R5 R6 pending calls
    "progressUnasked": 14,  // 4: R5 progress or an event was incorrect
    "progressOfUnsentCall": 19,  // 3: R4 call 4294967296 received data of another
    "payloadDiscardedTwice": 1,  // 8: R5 payload 34 was delivered twice, or never sent
    "deadCallSent": 4,  // 4: R5 R22 a message was sent incorrectly
    "releaseToPlainPeer": 17,  // 3: R5 release
    "heldDeadlineLost": 2,  // 1: R6 the next deadline is none, should be 0.848 seconds
    "heldSettlesTwice": 17,  // 5: R5 a call settled twice
    "heldNotificationsUnbounded": 445,  // 4: R5 hold
    "heldNotificationLeaked": 3,  // 1: R5 R6 pending calls
    "partsCounted": 17,  // 2: R5 R6 pending calls
    "heldOutlivesContext": 4,  // 4: R5 R6 pending calls
    "heldLostBeforePeer": 41,  // 3: R5 R6 pending calls
    "heldOutlivesEnd": 4,  // 4: R5 R6 pending calls
    "heldAnswered": 87,  // 4: R5 R6 pending calls
    "unsentCallCancelled": 21,  // 4: R5 R22 a message was sent incorrectly
    "requestLeaked": 1,  // 3: R6 requests in progress
    "oldReplyAccepted": 1,  // 3: R6 requests in progress
    "requestTimerNotCancelled": 1,  // 7: R6 the next deadline is
    "errorToLegacyCaller": 3,  // 9: R6 errors to callers without support
    "oldMessageAccepted": 1,  // 10: R3 ignored responses
    "lostEarlyCancel": 1,  // 3: R22 R23 remembered early cancellations
    "earlyCancelOutlivesContext": 4,  // 7: R22 R23 remembered early cancellations
    "abandonLost": 1,  // 11: R23 a cancellation was lost
    "expiredRequestUnanswered": 4,  // 6: R22 a message was dropped silently
    "unknownNameDropped": 1,  // 26: R5 R22 a message was sent incorrectly
    "earlyCancelsUnbounded": 388,  // 9: R22 R23 remembered early cancellations
    "earlyCancelsForgotten": 9,  // 9: R22 R23 remembered early cancellations
    "earlyCancelTwice": 186,  // 8: R22 R23 remembered early cancellations
    "oldRefusalAnswered": 1,  // 56: R4 messages of lost contexts
    "doubleCredit": 22,  // 11: R5 sendItem
    "creditNotSpent": 22,  // 11: R5 sendItem
    "gapAccepted": 22,  // 12: R4 stream 0 delivered an item that is not its next one
    "repeatedItemAccepted": 24,  // 36: R4 stream 0 delivered an item that is not its next one
    "overrunAccepted": 149,  // 21: R6 streams with a reader
    "streamUnheard": 29,  // 24: R5 openStream
    "endOvertakesItems": 22,  // 14: R6 streams with a reader
    "earlyItemsLeaked": 138,  // 25: R6 payloads were never delivered
    "stopUnsent": 3,  // 9: R22 a message was dropped silently
    "orphanStreamStopUnsent": 31,  // 48: R5 R22 a message was sent incorrectly
    "itemAfterEnd": 7,  // 9: R6 streams with a sender
    "streamEndsOtherGrant": 31,  // 14: R6 requests in progress
    "creditWraps": 22,  // 14: R5 sendItem
    "idReuse": 2,  // 8: R4 an id was used twice
    "sentCallsOutliveContext": 1,  // 4: R5 R6 pending calls
    "queuedCallsSettledTwice": 2,  // 3: R5 R6 pending calls
    "undoneCarriedOver": 1,  // 4: R5 R22 a message was sent incorrectly
    "notificationCountLeaked": 5316,  // 12: R6 requests in progress
    "extensionsOutliveContext": 12,  // 9: W2 an extension was sent to a plain peer
    "subscriptionsUnannounced": 2,  // 4: R5 R22 a message was sent incorrectly
    "topicsOutliveContext": 9,  // 8: R5 emit
    "queueReordered": 2,  // 6: R5 R22 a message was sent incorrectly
    "closeForgetsCallers": 4,  // 3: R22 a message was dropped silently
    "teardownIgnored": 2,  // 7: R3 ignored responses
    "epochNotRandom": 46,  // 11: R4 an id lacks random bits of its own context
    "repliesCountOn": 49,  // 9: R22 dropped messages
    "forgottenPayloadLeaked": 193,  // 22: R6 payloads were never delivered
    "oneCallTooMany": 2,  // 5: R5 call
    "queueUnbounded": 1,  // 1: R5 call
    "requestsUnbounded": 19,  // 36: R6 requests in progress
    "grantIgnored": 7,  // 12: R6 requests in progress
    "grantCountLeaked": 27,  // 16: R22 dropped messages
    "topicsUnbounded": 30,  // 13: R22 dropped messages
    "rateIgnored": 27,  // 20: R22 dropped messages
    "payloadLimitIgnored": 12,  // 3: R5 beginSynchronous
    "grantNeverEnds": 224,  // 6: R5 beginSynchronous
    "prefixGrantNeverEnds": 423,  // 10: R22 dropped messages
    "denialNeverEnds": 91,  // 7: R6 requests in progress
    "keptGrantBeginsAnew": 27,  // 21: R22 dropped messages
    "renewedGrantGoesOn": 4080,  // 8: R22 dropped messages
    "refusalTakesToken": 317,  // 58: R5 beginSynchronous
    "burstUnbounded": 122,  // 5: R6 requests in progress
    "tokensComeTwice": 27,  // 21: R22 dropped messages
    "notificationsUnbounded": 4,  // 35: R5 beginNotification
    "notificationWorkLeaked": 4,  // 20: R5 beginNotification
    "refusedNotificationCounts": 3614,  // 21: R6 requests in progress
    "synchronousUngranted": 12,  // 6: R5 beginSynchronous
    "synchronousUnbounded": 730,  // 11: R5 beginSynchronous
    "synchronousGrantUncounted": 205,  // 14: R5 beginSynchronous
    "synchronousGrantLeaked": 61,  // 8: R5 beginSynchronous
    "synchronousCountLeaked": 12,  // 10: R5 beginSynchronous
    "synchronousAfterContext": 32,  // 3: R5 beginSynchronous
    "deniedAfterContext": 397,  // 11: R4 messages of lost contexts
    "subscriptionUngranted": 99,  // 15: R22 dropped messages
    "slotUsedAgain": 1,  // 4: R4 a call has the identity of another
    "zeroFound": 913,  // 12: R22 R23 remembered early cancellations
    "equalDeadlinesReversed": 39,  // 12: R23 a request was abandoned incorrectly
    "leadingZerosRead": 180,  // 3: R5 R6 pending calls
    "epochNotRead": 4,  // 8: R5 R6 pending calls
    "laterIdForgotten": 168,  // 10: R22 R23 remembered early cancellations
    "namesThatLookAlike": 8,  // 4: R22 R23 remembered early cancellations
    "reentrantDrain": 2,  // 6: R5 a call settled twice
    "tableHolesStay": 1555,  // 40: R5 R6 pending calls
    "longNameTaken": 1,  // 1: R5 call
    "oldTeardownEnds": 32,  // 4: R5 beginSynchronous
    "replacedHandlerStays": 1,  // 4: R1 R31 a request was dispatched incorrectly
    "anyHandlerCalled": 1,  // 3: R1 R31 a request was dispatched incorrectly
    "deadlinesNotRaised": 1448,  // 12: R5 a call settled twice
    "deadlinesNotSunk": 5,  // 4: R6 the next deadline is
    "queueGrowsTurned": 5,  // 11: R1 R31 a request was dispatched incorrectly
    "deadlineLate": 1,  // 2: R6 the next deadline is
    "requestDeadlineLate": 18,  // 10: R6 requests in progress
    "cancelledStreamOpens": 1,  // 9: R5 openStream
    "grantForgetsRunning": 207,  // 7: R5 beginSynchronous
    "resetDropsReplies": 63,  // 9: R22 0 messages are queued, should be 1
    "resetLeavesStreams": 44,  // 8: R6 streams with a sender
    "streamsShareID": 199,  // 30: R6 streams with a reader
    "greetsAgain": 5,  // 6: R5 R22 a message was sent incorrectly
    "eventUngranted": 117,  // 9: R22 dropped messages
    "oneStreamTooMany": 5,  // 13: R5 openStream
    "handlersGoWithContext": 1,  // 6: R6 requests in progress
    "abandonedTwice": 4,  // 6: R23 a request was abandoned incorrectly
    "handedIdReuse": 19,  // 5: R4 an id was used twice
    "handedUnbounded": 19,  // 4: R5 beginInline
    "handedWithoutPeer": 50,  // 1: R5 beginInline
    "handedOutlivesEnd": 20,  // 4: R5 R6 pending calls
    "handedEndsWithOthers": 45,  // 8: R5 R6 pending calls
    "handedIsUnsent": 47,  // 8: R22 a message was dropped silently
    "handedDeadlineLost": 2,  // 3: R6 the next deadline is 0.882 seconds, should be 0.714 seconds
    "closedInlineUnanswered": 166,  // 7: R4 messages of lost contexts
    "lostInlineAnswered": 49,  // 10: R4 messages of lost contexts
    "failureInlineOutlivesContext": 54,  // 7: R4 messages of lost contexts
    "failureInlineToLegacyCaller": 13,  // 18: R6 errors to callers without support
    "itemsPassEarlyOnes": 252,  // 13: R5 openItems
    "itemsPassWhatWaits": 140,  // 27: R5 openItems
    "itemsUncounted": 23,  // 15: R5 openItems
    "itemsOfStoppedStream": 253,  // 16: R5 countItems
    "removedHandlerSilent": 2,  // 13: R6 requests in progress
    "removedNotificationLeaked": 310,  // 126: R6 requests in progress
    "itemsPassTheEnd": 3879,  // 20: R5 openItems
    "replyPassesRequests": 4,  // 9: R5 R6 pending calls
    "forgedReplyWaits": 21,  // 8: R3 ignored responses
    "itemPassesRequests": 7,  // 11: R3 messages of unknown streams
    "arrivalPassesLaterHandler": 4,  // 40: R5 R6 pending calls
    "begunAheadForgotten": 4,  // 9: R5 R6 pending calls
    "arrivalsLostAtEnd": 16,  // 11: R3 messages of unknown streams
    "orderOutlivesContext": 97,  // 15: R5 R6 pending calls
]
