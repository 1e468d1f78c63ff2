internal import BridgeProtocol
internal import Synchronization

/// What JSON lacks, on a text wire: marked in its place for a side that takes it, by the host's policy for another.
extension BridgeSession {
    /// Whether what JSON lacks can be marked in a request or a notice: the other side has said that it takes it.
    var peerTakesPlaces: Bool {
        acceptance.contains(.binary)
            && Acceptance(rawValue: peerAccepts.load(ordering: .relaxed)).contains(.binary)
    }

    /// Whether functions and objects may be in a request or a notice.
    var peerTakesReferences: Bool {
        peerTakesPlaces && Acceptance(rawValue: peerAccepts.load(ordering: .relaxed)).contains(.references)
    }

    /// Whether a request may refer to the results of others.
    var peerTakesResults: Bool {
        peerTakesReferences && port == nil
            && Acceptance(rawValue: peerAccepts.load(ordering: .relaxed)).contains(.pipelining)
    }

    /// Notes what the other side takes.
    func note(_ shown: Acceptance) {
        if !shown.isEmpty { peerAccepts.bitwiseOr(shown.rawValue, ordering: .relaxed) }
    }

    /// Begins with what a new context's side is known to take: everything, where both are ours.
    func installPlaces(in context: JSContext) throws {
        let isOurs = configuration.injectsScript && acceptance.contains(.binary)
        // What is recorded crosses whole.
        let known: Acceptance =
            isOurs ? (port == nil ? [.binary, .references, .pipelining] : [.binary, .references]) : []
        peerAccepts.store(known.rawValue, ordering: .relaxed)
        let internals = context.internals
        if isOurs {
            try internals.setValue(.number(Double(known.rawValue)), forProperty: "peerAccepts")
        }
        try internals.setValue(.string(configuration.binaryPolicy.rawValue), forProperty: "binaryPolicy")
    }

    /// A payload as its message can have it.
    ///
    /// - Throws: `encodeFailed` where the policy says so, `limitExceeded`.
    func written(_ payload: MessagePayload?, for message: BridgeMessage) throws -> MessagePayload? {
        let (takesPlaces, takesReferences) =
            switch message {
            // Each request says what its reply may have.
            case .response(let response):
                (
                    response.accepts.contains(.binary) && canMark,
                    response.accepts.contains([.binary, .references]) && canMark
                )
            case .request, .control: (peerTakesPlaces, peerTakesReferences)
            }
        switch payload {
        case nil, .value(.undefined)?: return nil
        case .text(let text)?:
            // It was written before it was known who asks for it, and mostly has nothing that matters.
            guard let places = text.places else { return payload }
            guard places.references.isEmpty || takesReferences else {
                throw BridgeError(.unsupported, Value.noReference)
            }
            guard !takesPlaces else { return payload }
            return .text(try plain(text.decode(Value.self)))
        case let payload?:
            let value = try payload.value()
            if value == .undefined { return nil }
            return .text(
                takesPlaces
                    ? try JSONPayload(
                        encodingWithPlaces: value,
                        by: textEncoder,
                        takesReferences: takesReferences
                    ) : try plain(value)
            )
        }
    }

    private var canMark: Bool { acceptance.contains(.binary) }

    // Data that a script may have made is written by the table of values: its NaN is null (P64).
    private func plain(_ value: Value) throws -> JSONPayload {
        var encoder = textEncoder
        encoder.nonFiniteStrategy = .null
        return try JSONPayload(encoding: value, by: encoder)
    }
}

extension BridgeConfiguration {
    /// What every call takes that wants a result or an error.
    var acceptance: Acceptance {
        let canMark = transport == .text && !dialect.payloadIsText && dialect.face == .handlers
        return canMark ? [.errors, .binary, .references] : .errors
    }
}

extension BridgeConfiguration.BinaryPolicy {
    var strategy: JSONTextEncoder.DataStrategy {
        switch self {
        case .base64: .base64
        case .numbers: .numbers
        case .fail: .fail
        }
    }
}
