// Each `old` must occur once in its file, and no two may overlap.

private let granting = "SessionMachine+Grants"

extension Fault {
    /// Mistakes with the audit.
    static let audit = [
        Fault(
            "denialUnreported",
            "The denial of a request is not reported.",
            [
                (
                    granting,
                    "    private mutating func note(_ refusal: GrantRefusal, of name: String) -> Bool {\n        guard let denial = grants?.note(refusal, of: name) else { return false }\n",
                    "    private mutating func note(_ refusal: GrantRefusal, of name: String) -> Bool {\n        guard let denial = grants?.note(refusal, of: name), !isPlanted(.denialUnreported) else { return false }\n        if isPlanted(.denialReportedTwice) { actions.append(.audit(denial)) }\n"
                )
            ]
        ),
        Fault("denialReportedTwice", "The denial of a request is reported twice.", []),
        Fault(
            "synchronousDenialUnreported",
            "The denial of a synchronous request is not reported.",
            [
                (
                    granting, "            _ = note(refusal, of: name)\n",
                    "            if !isPlanted(.synchronousDenialUnreported) { _ = note(refusal, of: name) }\n"
                )
            ]
        ),
        Fault(
            "auditBeginsAgain",
            "The begin of the audit removes the grants.",
            [
                (
                    granting, "if grants == nil { grants = GrantTable(now: now) }",
                    "if grants == nil || isPlanted(.auditBeginsAgain) { grants = GrantTable(now: now) }"
                )
            ]
        ),
        Fault(
            "dataDenialUnreported",
            "The denial of data is counted and not reported.",
            [
                (
                    granting,
                    "        guard let denial = grants?.note(refusal, of: name, operation) else { return }\n",
                    "        guard let denial = grants?.note(refusal, of: name, operation), !isPlanted(.dataDenialUnreported) else { return }\n"
                )
            ]
        ),
        Fault(
            "waitsWithoutGrant",
            "A request that is not granted waits for results.",
            [
                (
                    granting, "case .failure(let refusal) = grants?.decide(request.handlerName)\n",
                    "!isPlanted(.waitsWithoutGrant), case .failure(let refusal) = grants?.decide(request.handlerName)\n"
                )
            ]
        ),
    ]

    /// Mistakes with requests that refer to results of others.
    static let results = [
        Fault(
            "resultsUnbounded",
            "The number of retained results is not limited.",
            [
                (
                    Self.retained, "guard entries.count < limits.results else { return false }",
                    "guard entries.count < limits.results || isPlanted(.resultsUnbounded) else { return false }"
                )
            ]
        ),
        Fault(
            "waitingUnbounded",
            "The number of requests that wait for results is not limited.",
            [
                (
                    Self.retained, "guard waiting.count < limits.waiting else {",
                    "guard waiting.count < limits.waiting || isPlanted(.waitingUnbounded) else {"
                )
            ]
        ),
        Fault(
            "ownResultAwaited",
            "A request waits for its own result.",
            [
                (
                    Self.retained, "guard let entry = entries[id], own != .text(id.text) else {",
                    "guard let entry = entries[id], own != .text(id.text) || isPlanted(.ownResultAwaited) else {"
                )
            ]
        ),
        Fault(
            "laterOutcomeCounts",
            "A second reply replaces the result of a call.",
            [
                (
                    Self.retained, "guard let entry = entries[id], entry.outcome == nil else { return [] }",
                    "guard let entry = entries[id], entry.outcome == nil || isPlanted(.laterOutcomeCounts) else { return [] }"
                )
            ]
        ),
        Fault(
            "oneResultSuffices",
            "A request continues with its first result, although others are missing.",
            [
                (
                    Self.retained,
                    "                guard pending.missing.isEmpty else {\n                    waiting[number] = pending\n",
                    "                guard pending.missing.isEmpty || isPlanted(.oneResultSuffices) else {\n                    waiting[number] = pending\n"
                )
            ]
        ),
        Fault(
            "releasedResultLost",
            "A result that is released before it arrives never reaches the requests that wait for it.",
            [
                (
                    Self.retained, "if entry.outcome == nil { entries[id]?.isReleased = true }",
                    "if entry.outcome == nil, !isPlanted(.releasedResultLost) { entries[id]?.isReleased = true }"
                )
            ]
        ),
        Fault(
            "releasedResultLeaked",
            "A result that is released before it arrives is retained forever.",
            [
                (
                    Self.retained, "        if entry.isReleased { entries[id] = nil }\n",
                    "        if entry.isReleased, !isPlanted(.releasedResultLeaked) { entries[id] = nil }\n"
                )
            ]
        ),
    ]

    private static let retained = "RetainedResults"
}
