package import BridgeValues

/// A converter between functions and objects of a context's scripts and their ``Reference``s in Swift.
///
/// Its methods are called inside turns only.
package protocol JSReferences: AnyObject {
    /// Returns whether a value that is not a function crosses by reference.
    func isReferred(_ value: JSValue) throws -> Bool
    /// Returns the reference to a function or an object of the script.
    ///
    /// - Throws: `limitExceeded`.
    func reference(to value: JSValue) throws -> Reference
    /// Returns the reference that the script has already described in a string.
    func reference(noted note: String) throws -> Reference
    /// Returns the script's value for a reference of Swift.
    ///
    /// - Throws: `limitExceeded`; `disconnected` if the reference belongs to another context.
    func value(of reference: Reference) throws -> JSValue
}

extension JSContext {
    /// The converter of references in the context's payloads; without one, no references cross.
    package var references: (any JSReferences)? {
        get { slab.references }
        set { slab.references = newValue }
    }
}
