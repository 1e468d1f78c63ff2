internal import BridgeJSON
internal import BridgeProtocol
internal import Synchronization

/// The capabilities of both sides: what this side accepts, and what the other side has announced in its requests.
///
/// Extension values are tagged in place for a side that supports them, and follow the host's policy for another.
struct PeerCapabilities: ~Copyable, Sendable {
    /// The capabilities that every call announces that expects a result or an error.
    let ownCapabilities: CallerCapabilities
    // As bits: each message reads them without the lock.
    private let announced = Atomic<UInt8>(0)
    private let isRecorded: Bool

    init(_ configuration: BridgeConfiguration) {
        ownCapabilities = configuration.capabilities
        isRecorded = configuration.recording != nil
    }

    /// The capabilities that the other side has announced.
    var known: CallerCapabilities { CallerCapabilities(rawValue: announced.load(ordering: .relaxed)) }

    /// A Boolean value that indicates whether a request or an event may contain extension values.
    var takesPlaces: Bool { ownCapabilities.contains(.binary) && known.contains(.binary) }

    /// A Boolean value that indicates whether a request or an event may contain functions and objects.
    var takesReferences: Bool { takesPlaces && known.contains(.references) }

    /// A Boolean value that indicates whether a request may refer to the results of others.
    ///
    /// Recorded messages contain complete values.
    var takesResults: Bool { takesReferences && !isRecorded && known.contains(.pipelining) }

    /// Records capabilities that the other side has announced.
    func note(_ shown: CallerCapabilities) {
        if !shown.isEmpty { announced.bitwiseOr(shown.rawValue, ordering: .relaxed) }
    }

    /// Begins a context, whose side has not announced anything yet.
    ///
    /// - Parameter isOurs: Whether its side belongs to this package, whose capabilities are known.
    ///
    /// - Returns: The capabilities that are known from the start.
    func begin(isOurs: Bool) -> CallerCapabilities {
        let isOurs = isOurs && ownCapabilities.contains(.binary)
        let known: CallerCapabilities =
            isOurs ? (isRecorded ? [.binary, .references] : [.binary, .references, .pipelining]) : []
        announced.store(known.rawValue, ordering: .relaxed)
        return known
    }
}

extension BridgeConfiguration {
    /// The capabilities that every call announces that expects a result or an error.
    var capabilities: CallerCapabilities {
        let canMark = transport == .text && !dialect.payloadIsText && dialect.api == .handlers
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
