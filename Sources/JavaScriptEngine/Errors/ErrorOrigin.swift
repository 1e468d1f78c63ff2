package import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// What a script's error was made of: the error of Swift that was thrown into the script.
package final class ErrorOrigin: Sendable {
    /// The error as it was thrown.
    package let error: any Error

    /// Keeps an error.
    package init(_ error: any Error) { self.error = error }

    /// The error that Swift threw first.
    package var underlyingError: any Error {
        switch error {
        case let error as BridgeError: error.underlyingError ?? error
        case let error as JSException: error.underlyingError ?? error
        default: error
        }
    }

    /// The frames that it came with.
    package var frames: [StackFrame] {
        switch error {
        case let error as BridgeError: error.frames
        case let error as JSException: error.frames
        default: []
        }
    }
}

/// What a script threw, kept in the engine as long as an exception stands for it.
///
/// It does not keep the context, as the exception may be anywhere.
// @unchecked Sendable because the address is only followed by the owner of the engine, in a turn.
final class ThrownReference: @unchecked Sendable {
    private let ref: JSValueRef
    private let releases: Graveyard

    init(_ ref: JSValueRef, in context: JSContext) {
        self.ref = ref
        releases = context.virtualMachine.releases
        JSValueProtect(context.ref, ref)
    }

    /// What was thrown, if it lives in the heap of this context.
    func ref(in context: JSContext) -> JSValueRef? {
        context.virtualMachine.releases === releases ? ref : nil
    }

    deinit {
        // Most go in the turn that threw them, on its thread: a loop that throws a million times in one turn
        // must not keep them all until its end.
        if let pointer = jsb_current_machine() {
            let machine = Unmanaged<JSVirtualMachine>.fromOpaque(pointer).takeUnretainedValue()
            if machine.releases === releases, let context = machine.oldestContext?.context {
                JSValueUnprotect(context.ref, ref)
                return
            }
        }
        releases.bury(ref)
    }
}

extension RawArguments {
    /// The error of Swift behind a handle; `nil` where the argument is none.
    func errorOrigin(at index: Int) -> ErrorOrigin? {
        guard let ref = ref(at: index), !JSValueIsUndefined(context.ref, ref) else { return nil }
        return HostCall(arguments: self).handle(at: index)
    }
}
