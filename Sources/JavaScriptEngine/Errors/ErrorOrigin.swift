package import BridgeValues
internal import CJavaScriptCore

/// The Swift error from which a script's error was created.
package final class ErrorOrigin: Sendable {
    /// The error as it was thrown.
    package let error: any Error

    /// Creates an origin from an error.
    package init(_ error: any Error) { self.error = error }

    /// The first error that Swift threw.
    package var underlyingError: any Error {
        switch error {
        case let error as BridgeError: error.underlyingError ?? error
        case let error as JSException: error.underlyingError ?? error
        default: error
        }
    }

    /// The frames that the error had before it was thrown into the script.
    package var frames: [StackFrame] {
        switch error {
        case let error as BridgeError: error.frames
        case let error as JSException: error.frames
        default: []
        }
    }
}

extension CallArguments {
    /// Returns the Swift error behind a handle, or `nil` if the argument is not a handle.
    func errorOrigin(at index: Int) -> ErrorOrigin? {
        guard let ref = ref(at: index), !JSValueIsUndefined(context.ref, ref) else { return nil }
        return HostCall(arguments: self).handle(at: index)
    }
}
