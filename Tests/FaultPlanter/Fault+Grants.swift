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
            "Requests may come as often as they like.",
            [
                (
                    table, "            guard isTaken else {\n",
                    "            guard isTaken || isPlanted(.rateIgnored) else {\n"
                )
            ]
        ),
        Fault(
            "payloadLimitIgnored",
            "Payloads may be as large as they like.",
            [
                (
                    table, "if let maximum = limits.maximumPayloadBytes, bytes > maximum {",
                    "if let maximum = limits.maximumPayloadBytes, bytes > maximum, !isPlanted(.payloadLimitIgnored) {"
                )
            ]
        ),
        Fault(
            "grantNeverEnds",
            "A grant of a name holds after its time.",
            [
                (
                    table, "if let number = exact[ExactText(name)], holds(allowances[number]?.end) {",
                    "if let number = exact[ExactText(name)], holds(allowances[number]?.end) || isPlanted(.grantNeverEnds) {"
                )
            ]
        ),
        Fault(
            "prefixGrantNeverEnds",
            "A grant of names that begin alike holds after its time.",
            [
                (
                    table, "return holds(grant.end) && grant.pattern",
                    "return (holds(grant.end) || isPlanted(.prefixGrantNeverEnds)) && grant.pattern"
                )
            ]
        ),
        Fault(
            "denialNeverEnds",
            "A denial holds after its time.",
            [
                (
                    table, "denials.contains(where: { holds($0.end) &&",
                    "denials.contains(where: { (holds($0.end) || isPlanted(.denialNeverEnds)) &&"
                )
            ]
        ),
        Fault(
            "keptGrantBeginsAnew",
            "A grant that stays begins anew with each change of others.",
            [
                (
                    table, "if let number, before.contains(rule), let grant = allowances[number] {",
                    "if let number, before.contains(rule), !isPlanted(.keptGrantBeginsAnew), let grant = allowances[number] {"
                )
            ]
        ),
        Fault(
            "renewedGrantGoesOn",
            "A grant that is given again does not begin anew.",
            [
                (
                    table, ".filter { $0.pattern != renewed }\n",
                    ".filter { $0.pattern != renewed || isPlanted(.renewedGrantGoesOn) }\n"
                )
            ]
        ),
        Fault(
            "refusalTakesToken",
            "A request that is one too many in progress counts for the rate.",
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
            "After a pause any number of requests may come at once.",
            [
                (
                    bucket, "tokens = min(Double(rate.burst), tokens",
                    "tokens = min(isPlanted(.burstUnbounded) ? .infinity : Double(rate.burst), tokens"
                )
            ]
        ),
        Fault(
            "tokensComeTwice",
            "Time that has passed lets requests in twice.",
            [
                (
                    bucket, "            filledAt = now\n        }",
                    "            if !isPlanted(.tokensComeTwice) { filledAt = now }\n        }"
                )
            ]
        ),
        Fault(
            "notificationsUnbounded",
            "Any number of notifications may be worked on.",
            [
                (
                    granting, "guard runningNotifications >= limits.maximumNotifications else {",
                    "guard runningNotifications >= limits.maximumNotifications, !isPlanted(.notificationsUnbounded) else {"
                )
            ]
        ),
        Fault(
            "notificationWorkLeaked",
            "A notification whose handler has ended is still one that is worked on.",
            [
                (
                    granting, "{ runningNotifications -= 1 }",
                    "{ if !isPlanted(.notificationWorkLeaked) { runningNotifications -= 1 } }"
                )
            ]
        ),
        Fault(
            "refusedNotificationCounts",
            "A notification that is one too many counts for its grant for ever.",
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
            "A synchronous request comes in without its grant.",
            [
                (
                    synchronous, "let admission = try admitSynchronous(name, bytes: bytes)",
                    "let admission = isPlanted(.synchronousUngranted) ? nil : try admitSynchronous(name, bytes: bytes)"
                )
            ]
        ),
        Fault(
            "synchronousUnbounded",
            "Any number of synchronous requests may wait, each inside the one before.",
            [
                (
                    synchronous, "guard underWay < limits.maximumPendingCalls else {",
                    "guard underWay < limits.maximumPendingCalls || isPlanted(.synchronousUnbounded) else {"
                )
            ]
        ),
        Fault(
            "synchronousGrantUncounted",
            "A synchronous request is taken off what its grant counts, and was never counted.",
            [
                (
                    synchronous, "        grants?.begin(admission)\n",
                    "        if !isPlanted(.synchronousGrantUncounted) { grants?.begin(admission) }\n"
                )
            ]
        ),
        Fault(
            "synchronousGrantLeaked",
            "A synchronous request that was answered counts for its grant for ever.",
            [
                (
                    synchronous, "        synchronousRequests -= 1\n        grants?.end(request.admission)\n",
                    "        if !isPlanted(.synchronousCountLeaked) { synchronousRequests -= 1 }\n        if !isPlanted(.synchronousGrantLeaked) { grants?.end(request.admission) }\n"
                )
            ]
        ),
        Fault(
            "synchronousCountLeaked",
            "A synchronous request that was answered counts as one in progress for ever.",
            []
        ),
        Fault(
            "synchronousAfterContext",
            "A synchronous request of a context that is given up is heard.",
            [
                (
                    synchronous, "guard isCurrent(nil) else {",
                    "guard isCurrent(nil) || isPlanted(.synchronousAfterContext) else {"
                )
            ]
        ),
        Fault("deniedAfterContext", "The next context is told what was denied to one that is given up.", []),
        Fault(
            "subscriptionUngranted",
            "A peer listens to topics though that is denied.",
            [
                (
                    "SessionMachine+Controls",
                    "guard heardTopics[name] == nil, admitsNotice(\"_wvjb.sub\") else",
                    "guard heardTopics[name] == nil, isPlanted(.subscriptionUngranted) || admitsNotice(\"_wvjb.sub\") else"
                )
            ]
        ),
    ]
}
