internal import BridgeProtocol
internal import Foundation

extension BridgeDialect {
    /// How a session writes the ids of its own calls.
    var identifierForm: IdentifierForm {
        let stamp = nativeIdentifier.isStamped ? "_" + String(Int64(Date().timeIntervalSince1970 * 1000)) : ""
        return .spelled(prefix: nativeIdentifier.prefix, suffix: stamp)
    }
}
