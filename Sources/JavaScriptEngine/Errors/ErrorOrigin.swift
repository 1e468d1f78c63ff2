package import BridgeValues
internal import CJavaScriptCore

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

extension CallArguments {
    /// The error of Swift behind a handle; `nil` where the argument is none.
    func errorOrigin(at index: Int) -> ErrorOrigin? {
        guard let ref = ref(at: index), !JSValueIsUndefined(context.ref, ref) else { return nil }
        return HostCall(arguments: self).handle(at: index)
    }
}
