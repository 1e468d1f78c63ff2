package import BridgeValues

/// What stands between the functions and objects of a context's scripts and the ``Reference``s that Swift has of them.
///
/// Called inside turns only.
package protocol JSReferences: AnyObject {
    /// Whether a value that is no function is one by reference.
    func isReferred(_ value: JSValue) throws -> Bool
    /// What stands in Swift for a function or an object of the script.
    ///
    /// - Throws: `limitExceeded`.
    func reference(to value: JSValue) throws -> Reference
    /// The same for what the script has told of it already, in one text.
    func reference(noted note: String) throws -> Reference
    /// What stands in the script for something that Swift refers to.
    ///
    /// - Throws: `limitExceeded`, `disconnected` for what belongs to another context.
    func value(of reference: Reference) throws -> JSValue
}

extension JSContext {
    /// What knows the references of the context's payloads; none cross where it is `nil`.
    package var references: (any JSReferences)? {
        get { slab.references }
        set { slab.references = newValue }
    }
}
