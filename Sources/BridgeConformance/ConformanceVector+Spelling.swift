internal import BridgeProtocol

extension ConformanceFile {
    /// Returns the vectors with the keys of a profile's dialect, without those whose names begin with one of its
    /// exceptions.
    func spelled(for profile: ConformanceProfile) -> ConformanceFile {
        let vectors = vectors.filter { vector in !vector.begins(with: profile.exceptions) }
        return ConformanceFile(
            subject: subject,
            vectors: vectors.map { vector in
                var vector = vector.spelled(in: profile.dialect)
                if vector.begins(with: profile.laterRules) { vector = vector.marked(.extended) }
                if profile.isEarly { vector.earlierSteps = vector.steps.map { $0.earlier(in: vector) } }
                return vector
            }
        )
    }
}

extension ConformanceVector {
    fileprivate func begins(with names: [String]) -> Bool { names.contains { name.hasPrefix($0) } }

    fileprivate func marked(_ mark: Mark) -> ConformanceVector {
        ConformanceVector(name: name, side: side, mark: mark, startsEmpty: startsEmpty, steps: steps)
    }

    fileprivate func spelled(in dialect: BridgeDialect) -> ConformanceVector {
        let spelling = KeySpelling(dialect.nativeKeys)
        let signals = dialect.signal.isRaisedByInjection
        var steps = steps.map { $0.spelled(spelling, signalsOnInjection: signals) }
        if dialect.waitsForInit { steps = initialized(steps) }
        return ConformanceVector(
            name: name,
            side: side,
            mark: mark,
            startsEmpty: startsEmpty,
            steps: steps
        )
    }

    // Nothing is handled before `init`; the dialect's own vectors cover the error of a second call.
    private func initialized(_ steps: [ConformanceStep]) -> [ConformanceStep] {
        let call = "try { window.{{global}}.init(() => {}) } catch {}"
        let initialization = ConformanceStep(
            stimulus: .script(call),
            expectation: ConformanceExpectation(lines: []),
            original: nil
        )
        return (startsEmpty ? [] : [initialization])
            + steps.flatMap { $0.stimulus == .inject ? [$0, initialization] : [$0] }
    }
}

extension ConformanceStep {
    fileprivate func spelled(_ spelling: KeySpelling, signalsOnInjection: Bool) -> ConformanceStep {
        var expectation = expectation.spelled(spelling)
        if stimulus == .inject, !signalsOnInjection { expectation.signals = nil }
        return ConformanceStep(
            stimulus: stimulus.spelled(spelling),
            expectation: expectation,
            original: original?.spelled(spelling)
        )
    }
}

extension ConformanceStep {
    /// Returns the step with the observations of scripts of version 4.0.2 to 5.0.5.
    fileprivate func earlier(in vector: ConformanceVector) -> ConformanceStep {
        ConformanceStep(
            stimulus: stimulus,
            expectation: expectation.earlier(in: vector),
            original: original?.earlier(in: vector)
        )
    }
}

extension ConformanceExpectation {
    /// Returns the expectation for early versions: responses lack the handler's name, and errors of handlers and
    /// missing handlers are only logged.
    fileprivate func earlier(in vector: ConformanceVector) -> ConformanceExpectation {
        var result = self
        let name = /"handlerName":"(?:[^"\\]|\\.)*",(?="responseId")/
        result.lines = lines.map { $0.replacing(name, with: "") }
        if vector.assertions.contains("P57") { result.lines.removeAll { $0.hasPrefix("uncaught ") } }
        result.log = log.map { $0.map { $0.replacing("no handler for message from ObjC: ", with: "") } }
        return result
    }
}

extension BridgeDialect.Signal {
    /// A Boolean value that indicates whether an injection raises the signal, as a frame does that is created with its
    /// URL (P4).
    fileprivate var isRaisedByInjection: Bool {
        if case .frame = self { true } else { false }
    }
}

extension ConformanceStimulus {
    fileprivate func spelled(_ spelling: KeySpelling) -> ConformanceStimulus {
        switch self {
        case .script(let text): .script(spelling(text))
        case .deliver(let text): .deliver(spelling(text))
        case .peer(let text): .peer(spelling(text))
        default: self
        }
    }
}

extension ConformanceExpectation {
    fileprivate func spelled(_ spelling: KeySpelling) -> ConformanceExpectation {
        var result = self
        result.lines = lines.map { spelling($0) }
        result.log = log.map { $0.map { spelling($0) } }
        return result
    }
}

/// A replacement of the keys of WebViewJavascriptBridge by those of a dialect, wherever they are JSON keys.
private struct KeySpelling {
    private let pairs: [(from: String, to: String)]

    init(_ keys: MessageKeys) {
        let plain = MessageKeys()
        let members: [KeyPath<MessageKeys, String>] = [
            \.handlerName, \.data, \.callbackID, \.responseID, \.responseData,
        ]
        pairs = members.compactMap { member in
            plain[keyPath: member] == keys[keyPath: member]
                ? nil : ("\"\(plain[keyPath: member])\"", "\"\(keys[keyPath: member])\"")
        }
    }

    func callAsFunction(_ text: String) -> String {
        pairs.reduce(text) { $0.replacing($1.from, with: $1.to) }
    }
}
