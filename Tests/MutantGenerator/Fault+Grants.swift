// Each `old` must occur once in its file, and no two may overlap.

private let table = "GrantTable"
private let bucket = "TokenBucket"
private let granting = "SessionMachine+Grants"
private let synchronous = "SessionMachine+Synchronous"

extension Fault {
    /// Mistakes with the limits of grants: rates, sizes, lifetimes, and synchronous requests.
    static let grants = [
        Fault(
            "rateIgnored",
            "The rate of requests is not limited.",
            [
                (
                    table, "            guard isTaken else {\n",
                    "            guard isTaken || isPlanted(.rateIgnored) else {\n"
                )
            ]
        ),
        Fault(
            "payloadLimitIgnored",
            "The size of payloads is not limited.",
            [
                (
                    table, "if let maximum = limits.maximumPayloadBytes, bytes > maximum {",
                    "if let maximum = limits.maximumPayloadBytes, bytes > maximum, !isPlanted(.payloadLimitIgnored) {"
                )
            ]
        ),
        Fault(
            "grantNeverEnds",
            "A grant of a name does not expire.",
            [
                (
                    table, "if let number = exact[ByteEqualString(name)], holds(allowances[number]?.end) {",
                    "if let number = exact[ByteEqualString(name)], holds(allowances[number]?.end) || isPlanted(.grantNeverEnds) {"
                )
            ]
        ),
        Fault(
            "prefixGrantNeverEnds",
            "A grant of a prefix does not expire.",
            [
                (
                    table, "return holds(grant.end) && grant.pattern",
                    "return (holds(grant.end) || isPlanted(.prefixGrantNeverEnds)) && grant.pattern"
                )
            ]
        ),
        Fault(
            "denialNeverEnds",
            "A denial does not expire.",
            [
                (
                    table, "denials.contains(where: { holds($0.end) &&",
                    "denials.contains(where: { (holds($0.end) || isPlanted(.denialNeverEnds)) &&"
                )
            ]
        ),
        Fault(
            "keptGrantBeginsAnew",
            "An unchanged grant starts again with each change of others.",
            [
                (
                    table, "if let number, before.contains(rule), let grant = allowances[number] {",
                    "if let number, before.contains(rule), !isPlanted(.keptGrantBeginsAnew), let grant = allowances[number] {"
                )
            ]
        ),
        Fault(
            "renewedGrantGoesOn",
            "A renewed grant does not start again.",
            [
                (
                    table, ".filter { $0.pattern != renewed }\n",
                    ".filter { $0.pattern != renewed || isPlanted(.renewedGrantGoesOn) }\n"
                )
            ]
        ),
        Fault(
            "refusalTakesToken",
            "A request that is refused by the concurrency limit counts for the rate.",
            [
                (
                    table,
                    "        if let maximum = limits.maximumConcurrentCalls, grant.running >= maximum {\n",
                    "        if let maximum = limits.maximumConcurrentCalls, grant.running >= maximum {\n            if isPlanted(.refusalTakesToken), limits.rate != nil { _ = grant.bucket?.take(now: now); allowances[admission.grant] = grant }\n"
                )
            ]
        ),
        Fault(
            "burstUnbounded",
            "After a pause the burst of requests is not limited.",
            [
                (
                    bucket, "tokens = min(Double(rate.burst), tokens",
                    "tokens = min(isPlanted(.burstUnbounded) ? .infinity : Double(rate.burst), tokens"
                )
            ]
        ),
        Fault(
            "tokensComeTwice",
            "Elapsed time adds tokens twice.",
            [
                (
                    bucket, "            filledAt = now\n        }",
                    "            if !isPlanted(.tokensComeTwice) { filledAt = now }\n        }"
                )
            ]
        ),
        Fault(
            "notificationsUnbounded",
            "The number of notifications in progress is not limited.",
            [
                (
                    granting, "guard incoming.notificationCount >= limits.maximumNotifications else {",
                    "guard incoming.notificationCount >= limits.maximumNotifications, !isPlanted(.notificationsUnbounded) else {"
                )
            ]
        ),
        Fault(
            "notificationWorkLeaked",
            "A notification whose handler has ended still counts as in progress.",
            [
                (
                    granting, "{ incoming.notificationCount -= 1 }",
                    "{ if !isPlanted(.notificationWorkLeaked) { incoming.notificationCount -= 1 } }"
                )
            ]
        ),
        Fault(
            "refusedNotificationCounts",
            "A notification beyond the limit counts for its grant forever.",
            [
                (
                    granting,
                    "        counters.droppedMessages += 1\n        grants?.end(request.admission)\n",
                    "        counters.droppedMessages += 1\n        if !isPlanted(.refusedNotificationCounts) { grants?.end(request.admission) }\n"
                )
            ]
        ),
        Fault(
            "synchronousUngranted",
            "A synchronous request is accepted without its grant.",
            [
                (
                    synchronous, "let admission = try admitSynchronous(name, bytes: bytes)",
                    "let admission = isPlanted(.synchronousUngranted) ? nil : try admitSynchronous(name, bytes: bytes)"
                )
            ]
        ),
        Fault(
            "synchronousUnbounded",
            "The number of nested synchronous requests is not limited.",
            [
                (
                    synchronous, "guard underWay < limits.maximumPendingCalls else {",
                    "guard underWay < limits.maximumPendingCalls || isPlanted(.synchronousUnbounded) else {"
                )
            ]
        ),
        Fault(
            "synchronousGrantUncounted",
            "A synchronous request is subtracted from the counter of its grant, and was never added.",
            [
                (
                    synchronous, "        grants?.begin(admission)\n",
                    "        if !isPlanted(.synchronousGrantUncounted) { grants?.begin(admission) }\n"
                )
            ]
        ),
        Fault(
            "synchronousGrantLeaked",
            "A finished synchronous request counts for its grant forever.",
            [
                (
                    synchronous,
                    "        incoming.synchronousCount -= 1\n        grants?.end(request.admission)\n",
                    "        if !isPlanted(.synchronousCountLeaked) { incoming.synchronousCount -= 1 }\n        if !isPlanted(.synchronousGrantLeaked) { grants?.end(request.admission) }\n"
                )
            ]
        ),
        Fault(
            "synchronousCountLeaked",
            "A finished synchronous request counts as in progress forever.",
            []
        ),
        Fault(
            "synchronousAfterContext",
            "A synchronous request of a context that is torn down is accepted.",
            [
                (
                    synchronous, "guard isCurrent(nil) else {",
                    "guard isCurrent(nil) || isPlanted(.synchronousAfterContext) else {"
                )
            ]
        ),
        Fault("deniedAfterContext", "A denial of a context that is torn down is sent to the next one.", []),
        Fault(
            "subscriptionUngranted",
            "A peer can listen to topics although that is denied.",
            [
                (
                    "SessionMachine+Controls",
                    "guard topics.peerSubscriptions[name] == nil, admitsNotice(\"_wvjb.sub\") else",
                    "guard topics.peerSubscriptions[name] == nil, isPlanted(.subscriptionUngranted) || admitsNotice(\"_wvjb.sub\") else"
                )
            ]
        ),
    ]
}
