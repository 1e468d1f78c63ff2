package import BridgeValues
internal import CJavaScriptCore

/// A value that is kept without keeping its context: for what a context itself owns, or neither would ever
/// go.
package final class JSHandle {
    let ref: JSValueRef
    private let releases: Graveyard

    /// Keeps a value.
    package init(_ value: JSValue) {
        ref = value.ref
        releases = value.context.virtualMachine.releases
        JSValueProtect(value.context.ref, ref)
    }

    deinit { releases.bury(ref) }
}

extension JSContext {
    /// The value of a handle of this context.
    package func value(of handle: JSHandle) -> JSValue { JSValue(handle.ref, in: self) }

    /// Makes the arguments of a call, which may fail for data that the engine cannot hold.
    ///
    /// A turn must be open.
    package func makeArguments(_ values: [Value]) throws -> JSArguments {
        JSArguments(refs: try values.map(makeRef))
    }

    /// Calls the function of a handle; what it returns is not read.
    ///
    /// A turn must be open.
    package func call(_ handle: JSHandle, with arguments: JSArguments) throws {
        try call(handle.ref, this: nil, arguments.refs)
    }
}

/// Arguments that were made for a call in the turn that is open.
package struct JSArguments {
    let refs: [JSValueRef?]
}
