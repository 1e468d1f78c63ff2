internal import BridgeProtocol
internal import Foundation

extension BridgeDialect {
    /// The format of the ids of a session's own calls.
    var identifierForm: IdentifierForm {
        let stamp = nativeIdentifier.isStamped ? "_" + String(Int64(Date().timeIntervalSince1970 * 1000)) : ""
        return .spelled(prefix: nativeIdentifier.prefix, suffix: stamp)
    }
}
