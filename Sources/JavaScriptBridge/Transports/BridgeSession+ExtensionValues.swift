internal import BridgeJSON
internal import BridgeProtocol
internal import Synchronization

/// Extension values in the text transport: tagged in place for a side that supports it, by the host's policy for
/// another.
extension BridgeSession {
    /// A Boolean value that indicates whether a request or an event may contain extension values: the other side has
    /// announced support for them.
    var peerTakesPlaces: Bool {
        acceptance.contains(.binary)
            && CallerCapabilities(rawValue: peerAccepts.load(ordering: .relaxed)).contains(.binary)
    }

    /// A Boolean value that indicates whether a request or an event may contain functions and objects.
    var peerTakesReferences: Bool {
        peerTakesPlaces
            && CallerCapabilities(rawValue: peerAccepts.load(ordering: .relaxed)).contains(.references)
    }

    /// A Boolean value that indicates whether a request may refer to the results of others.
    var peerTakesResults: Bool {
        peerTakesReferences && port == nil
            && CallerCapabilities(rawValue: peerAccepts.load(ordering: .relaxed)).contains(.pipelining)
    }

    /// Records the capabilities of the other side.
    func note(_ shown: CallerCapabilities) {
        if !shown.isEmpty { peerAccepts.bitwiseOr(shown.rawValue, ordering: .relaxed) }
    }

    /// Sets the initial capabilities of a new context's side: all, if both sides belong to this package.
    func installPlaces(in context: JSContext) throws {
        let isOurs = configuration.injectsScript && acceptance.contains(.binary)
        // Recorded messages contain complete values.
        let known: CallerCapabilities =
            isOurs ? (port == nil ? [.binary, .references, .pipelining] : [.binary, .references]) : []
        peerAccepts.store(known.rawValue, ordering: .relaxed)
        let internals = context.internals
        if isOurs {
            try internals.setValue(.number(Double(known.rawValue)), forProperty: "peerAccepts")
        }
        try internals.setValue(.string(configuration.binaryPolicy.rawValue), forProperty: "binaryPolicy")
    }

    /// Returns a payload in the form that its message may contain.
    ///
    /// - Throws: `encodeFailed` if the policy demands it, `limitExceeded`.
    func written(_ payload: MessagePayload?, for message: BridgeMessage) throws -> MessagePayload? {
        let (takesPlaces, takesReferences) =
            switch message {
            // Each request announces what its reply may contain.
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
            // It was encoded before its receiver was known, and mostly has no extension values that matter.
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

    // Data that a script may have created follows the conversion table of values: its NaN becomes null (P64).
    private func plain(_ value: Value) throws -> JSONPayload {
        var encoder = textEncoder
        encoder.nonFiniteStrategy = .null
        return try JSONPayload(encoding: value, by: encoder)
    }
}

extension BridgeConfiguration {
    /// The capabilities that every call announces that expects a result or an error.
    var acceptance: CallerCapabilities {
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
