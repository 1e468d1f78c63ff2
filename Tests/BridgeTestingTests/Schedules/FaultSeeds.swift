import SessionSimulation

/// The seed of a schedule that finds each mutant, with the number of events after shrinking and the broken rule.
///
/// If a schedule no longer finds its mutant after a change, the test names one that does.
let seedsOfFaults: [String: UInt64] = [
    "settledBeforeRemoved": 1,  // 3: R5 R6 pending calls
    "pendingCallLeaked": 1,  // 3: R5 R6 pending calls
    "cancelledCallLeaked": 1,  // 2: R6 the next deadline is 0.282 seconds
    "timerNotCancelled": 1,  // 2: R6 the next deadline is 0.282 seconds
    "lostCancel": 1,  // 2: R22 a message was dropped silently
    "cancelToPlainPeer": 2,  // 5: R5 R22 a message was sent incorrectly
    "responseWithoutPeer": 3,  // 3: R5 R6 pending calls
    "progressUnasked": 6,  // 5: R5 progress or an event was incorrect
    "progressOfUnsentCall": 3,  // 4: R4 call 4294967296 received data of another
    "payloadDiscardedTwice": 1,  // 16: R5 payload 23 was delivered twice, or never sent
    "deadCallSent": 4,  // 4: R5 R22 a message was sent incorrectly
    "releaseToPlainPeer": 27,  // 2: R5 release
    "heldDeadlineLost": 1,  // 1: R6 the next deadline is none
    "heldSettlesTwice": 1,  // 3: R5 a call settled twice
    "heldNotificationsUnbounded": 347,  // 4: R5 hold
    "heldNotificationLeaked": 1,  // 1: R5 R6 pending calls
    "partsCounted": 1,  // 2: R5 R6 pending calls
    "heldOutlivesContext": 1,  // 4: R5 R6 pending calls
    "heldLostBeforePeer": 93,  // 3: R5 R6 pending calls
    "heldOutlivesEnd": 1,  // 1: R5 R6 pending calls
    "heldAnswered": 3,  // 5: R5 R6 pending calls
    "unsentCallCancelled": 1,  // 3: R5 R22 a message was sent incorrectly
    "requestLeaked": 1,  // 3: R6 requests in progress
    "oldReplyAccepted": 2,  // 6: R6 requests in progress
    "requestTimerNotCancelled": 2,  // 27: R6 the next deadline is 0.225 seconds
    "errorToLegacyCaller": 4,  // 13: R6 errors to callers without support
    "oldMessageAccepted": 1,  // 3: R3 ignored responses
    "lostEarlyCancel": 1,  // 3: R22 R23 remembered early cancellations
    "earlyCancelOutlivesContext": 4,  // 6: R22 R23 remembered early cancellations
    "abandonLost": 1,  // 7: R23 a cancellation was lost
    "expiredRequestUnanswered": 2,  // 3: R22 a message was dropped silently
    "unknownNameDropped": 1,  // 6: R22 a message was dropped silently
    "earlyCancelsUnbounded": 41,  // 8: R22 R23 remembered early cancellations
    "earlyCancelsForgotten": 10,  // 4: R22 R23 remembered early cancellations
    "earlyCancelTwice": 10,  // 8: R22 R23 remembered early cancellations
    "oldRefusalAnswered": 11,  // 5: R4 messages of lost contexts
    "doubleCredit": 3,  // 15: R5 sendItem
    "creditNotSpent": 3,  // 15: R5 sendItem
    "gapAccepted": 28,  // 15: R4 stream 0 delivered an item that is not its next one
    "repeatedItemAccepted": 175,  // 14: R4 stream 0 delivered an item that is not its next one
    "overrunAccepted": 3,  // 68: R6 streams with a reader
    "streamUnheard": 13,  // 26: R5 openStream
    "endOvertakesItems": 28,  // 16: R6 streams with a reader
    "earlyItemsLeaked": 28,  // 16: R6 payloads were never delivered
    "stopUnsent": 22,  // 11: R22 a message was dropped silently
    "orphanStreamStopUnsent": 2,  // 20: R5 R22 a message was sent incorrectly
    "itemAfterEnd": 2,  // 8: R6 streams with a sender
    "streamEndsOtherGrant": 621,  // 27: R6 requests in progress
    "creditWraps": 147,  // 16: R5 sendItem
    "idReuse": 1,  // 5: R4 a call has the identity of another
    "sentCallsOutliveContext": 1,  // 4: R5 R6 pending calls
    "queuedCallsSettledTwice": 1,  // 3: R5 R6 pending calls
    "undoneCarriedOver": 1,  // 4: R5 R22 a message was sent incorrectly
    "notificationCountLeaked": 3903,  // 30: R6 requests in progress
    "extensionsOutliveContext": 22,  // 9: W2 an extension was sent to a plain peer
    "subscriptionsUnannounced": 4,  // 4: R5 R22 a message was sent incorrectly
    "topicsOutliveContext": 44,  // 8: R5 emit
    "queueReordered": 3,  // 3: R5 R22 a message was sent incorrectly
    "closeForgetsCallers": 2,  // 6: R22 a message was dropped silently
    "teardownIgnored": 1,  // 3: R4 messages of lost contexts
    "epochNotRandom": 89,  // 10: R4 an id lacks random bits of its own context
    "repliesCountOn": 13,  // 13: R22 dropped messages
    "forgottenPayloadLeaked": 40,  // 25: R6 payloads were never delivered
    "oneCallTooMany": 2,  // 5: R5 call
    "queueUnbounded": 1,  // 1: R5 call
    "requestsUnbounded": 9,  // 9: R6 requests in progress
    "grantIgnored": 2,  // 4: R6 requests in progress
    "grantCountLeaked": 15,  // 17: R6 requests in progress
    "topicsUnbounded": 50,  // 6: R22 dropped messages
    "rateIgnored": 2,  // 5: R6 requests in progress
    "payloadLimitIgnored": 2,  // 4: R5 beginSynchronous
    "grantNeverEnds": 306,  // 8: R6 requests in progress
    "prefixGrantNeverEnds": 109,  // 10: R6 requests in progress
    "denialNeverEnds": 33,  // 5: R6 requests in progress
    "keptGrantBeginsAnew": 119,  // 7: R6 requests in progress
    "renewedGrantGoesOn": 207,  // 9: R6 requests in progress
    "refusalTakesToken": 803,  // 56: R5 beginSynchronous
    "burstUnbounded": 86,  // 5: R6 requests in progress
    "tokensComeTwice": 2,  // 15: R5 beginSynchronous
    "notificationsUnbounded": 22,  // 3: R5 beginNotification
    "notificationWorkLeaked": 46,  // 13: R5 beginNotification
    "refusedNotificationCounts": 4103,  // 53: R6 requests in progress
    "synchronousUngranted": 2,  // 4: R5 beginSynchronous
    "synchronousUnbounded": 2,  // 37: R5 beginSynchronous
    "synchronousGrantUncounted": 157,  // 7: R31 denials
    "synchronousGrantLeaked": 77,  // 10: R5 beginSynchronous
    "synchronousCountLeaked": 2,  // 14: R5 beginSynchronous
    "synchronousAfterContext": 1,  // 3: R5 beginSynchronous
    "deniedAfterContext": 8,  // 5: R4 messages of lost contexts
    "subscriptionUngranted": 33,  // 9: R22 dropped messages
    "slotUsedAgain": 1,  // 3: R4 a call has the identity of another
    "zeroFound": 2,  // 6: R22 R23 remembered early cancellations
    "equalDeadlinesReversed": 3,  // 32: R23 a request was abandoned incorrectly
    "leadingZerosRead": 99,  // 6: R5 R6 pending calls
    "epochNotRead": 9,  // 16: R5 R6 pending calls
    "laterIdForgotten": 152,  // 18: R22 R23 remembered early cancellations
    "namesThatLookAlike": 8,  // 3: R6 requests in progress
    "reentrantDrain": 4,  // 4: R5 payload 155 was delivered twice, or never sent
    "tableHolesStay": 168,  // 44: R5 R6 pending calls
    "longNameTaken": 1,  // 1: R5 call
    "oldTeardownEnds": 20,  // 5: R22 0 messages are queued
    "replacedHandlerStays": 1,  // 4: R1 R31 a request was dispatched incorrectly
    "anyHandlerCalled": 1,  // 3: R1 R31 a request was dispatched incorrectly
    "deadlinesNotRaised": 4716,  // 28: R5 a call settled twice
    "deadlinesNotSunk": 1,  // 3: R6 the next deadline is 0.538 seconds
    "queueGrowsTurned": 2,  // 24: R5 R22 a message was sent incorrectly
    "deadlineLate": 1,  // 2: R5 R6 pending calls
    "requestDeadlineLate": 3,  // 26: R6 requests in progress
    "cancelledStreamOpens": 5,  // 55: R5 openStream
    "grantForgetsRunning": 132,  // 12: R6 requests in progress
    "resetDropsReplies": 19,  // 5: R22 0 messages are queued
    "resetLeavesStreams": 48,  // 12: R6 streams with a sender
    "streamsShareID": 389,  // 13: R6 streams with a reader
    "greetsAgain": 8,  // 7: R5 R22 a message was sent incorrectly
    "eventUngranted": 50,  // 18: R6 requests in progress
    "oneStreamTooMany": 9,  // 23: R5 openStream
    "handlersGoWithContext": 3,  // 8: R6 requests in progress
    "abandonedTwice": 2,  // 3: R23 a request was abandoned incorrectly
    "handedIdReuse": 6,  // 7: R4 an id was used twice
    "handedUnbounded": 2,  // 4: R5 beginInline
    "handedWithoutPeer": 19,  // 1: R5 beginInline
    "handedOutlivesEnd": 8,  // 4: R5 R6 pending calls
    "handedEndsWithOthers": 10,  // 14: R5 R6 pending calls
    "handedIsUnsent": 8,  // 8: R5 R6 pending calls
    "handedDeadlineLost": 19,  // 3: R6 the next deadline is none
    "closedInlineUnanswered": 19,  // 10: R4 messages of lost contexts
    "lostInlineAnswered": 62,  // 9: R4 messages of lost contexts
    "failureInlineOutlivesContext": 187,  // 8: R4 messages of lost contexts
    "failureInlineToLegacyCaller": 2,  // 15: R6 errors to callers without support
    "itemsPassEarlyOnes": 175,  // 18: R5 openItems
    "itemsPassWhatWaits": 592,  // 23: R5 openItems
    "itemsPassTheEnd": 22911,  // 28: R5 openItems
    "itemsUncounted": 172,  // 28: R5 openItems
    "itemsOfStoppedStream": 488,  // 22: R5 countItems
    "removedHandlerSilent": 3,  // 15: R6 requests in progress
    "removedNotificationLeaked": 5626,  // 23: R6 requests in progress
    "replyPassesRequests": 2,  // 11: R5 R6 pending calls
    "forgedReplyWaits": 576,  // 14: R3 ignored responses
    "itemPassesRequests": 8,  // 14: R3 messages of unknown streams
    "arrivalPassesLaterHandler": 10,  // 14: R5 R6 pending calls
    "begunAheadForgotten": 2,  // 53: R5 R6 pending calls
    "arrivalsLostAtEnd": 6,  // 12: R5 R6 pending calls
    "orderOutlivesContext": 9,  // 15: R5 R6 pending calls
    "adoptedAfterContext": 80,  // 11: R5 adopt
    "adoptedDeadlineLost": 15,  // 8: R6 the next deadline is none
    "adoptedNotAbandoned": 32,  // 16: R23 a cancellation was lost
    "adoptedUncancelled": 64,  // 14: R5 openStream
    "adoptedUncounted": 411,  // 33: R31 denials
    "adoptedOfNoOperation": 29,  // 6: R5 R22 a message was sent incorrectly
    "freeInSpiteOfLimits": 16,  // 2: R5 admitsFreely
    "resultPassesWhatWaits": 77,  // 8: R4 messages of lost contexts
    "endedWorkOfOthers": 1,  // 2: R5 R6 pending calls
    "endedStreamsReadOn": 70,  // 16: R6 streams with a reader
    "endedWorkGoesOn": 38,  // 9: R23 a cancellation was lost
    "endedMessagesSent": 42,  // 11: R22 8 messages are queued
    "endOvertakesArrivals": 6,  // 12: R5 R6 pending calls
    "droppedRequestLeaked": 5,  // 47: R6 requests in progress
    "denialOfNoOperation": 2,  // 4: R5 R22 a message was sent incorrectly
    "closeOfNoOperation": 2,  // 3: R5 R22 a message was sent incorrectly
    "failureOvertakesItems": 306,  // 11: R5 R6 pending calls
    "openStreamRefused": 115,  // 16: R5 R22 a message was sent incorrectly
    "eventNumberTwice": 9,  // 17: R5 beginEvent
    "eventNumberLost": 120,  // 8: R5 beginEvent
    "laterEventTakenBack": 925,  // 14: R5 beginEvent
    "denialUnreported": 2,  // 3: R31 a denial was not reported
    "denialReportedTwice": 2,  // 3: R31 a denial was reported incorrectly
    "synchronousDenialUnreported": 2,  // 4: R31 denials
    "auditBeginsAgain": 2,  // 4: R31 denials
    "dataDenialUnreported": 20,  // 2: R31 a denial was not reported
    "waitsWithoutGrant": 9,  // 6: R5 admitsWaiting
    "resultsUnbounded": 34,  // 44: R5 keepResult
    "waitingUnbounded": 2466,  // 65: R5 findResults
    "ownResultAwaited": 29,  // 4: R5 findResults
    "laterOutcomeCounts": 1013,  // 21: R5 findResults
    "oneResultSuffices": 2081,  // 26: R5 R6 a request that waits for results continued incorrectly
    "releasedResultLost": 34,  // 13: R5 keepResult
    "releasedResultLeaked": 100,  // 10: R5 releaseResult
]
