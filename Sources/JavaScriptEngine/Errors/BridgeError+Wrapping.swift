public import BridgeValues
internal import Foundation

extension BridgeError {
    /// Creates a bridge error from any Swift error.
    ///
    /// A ``JSException`` keeps its code, data, frames and causes. An `EncodingError` becomes `encodeFailed` and names
    /// its coding path. ``underlyingError`` is the original error.
    ///
    /// A script may see the message. The message is therefore the text that the error's author wrote for people
    /// (`LocalizedError`, `CustomStringConvertible`), or the name of an enumeration's case. The text of other errors
    /// could contain names of types and paths of the host, so a fixed sentence replaces it (R39).
    public init(wrapping error: any Error, defaultCode: BridgeErrorCode = .handlerFailed) {
        switch error {
        case let error as BridgeError: self = error
        case let error as JSException: self.init(error, defaultCode: defaultCode)
        case is CancellationError:
            self.init(.cancelled, "the call was cancelled")
            underlyingError = error
        // The reason that a type gives for a value that it cannot encode.
        case let error as EncodingError: self.init(encoding: error)
        case let error as any ErrorForScripts:
            self.init(defaultCode, error.messageForScripts)
            underlyingError = error
        default:
            self.init(defaultCode, Self.message(of: error))
            underlyingError = error
        }
    }

    /// Creates a bridge error from a script's exception.
    public init(_ exception: JSException, defaultCode: BridgeErrorCode = .scriptFailed) {
        let code =
            exception.isTermination
            ? .terminated : exception.code.map(BridgeErrorCode.init(rawValue:)) ?? defaultCode
        let isPlain = exception.name.isEmpty || exception.name == "Error" || exception.name == "BridgeError"
        self.init(
            code,
            isPlain || exception.isTermination
                ? exception.message : "\(exception.name): \(exception.message)",
            data: exception.data ?? exception.thrownValue,
            cause: exception.cause.map { BridgeError($0, defaultCode: defaultCode) },
            frames: exception.frames
        )
        underlyingError = exception.underlyingError
    }

    private static func message(of error: any Error) -> String {
        // The system's errors describe themselves with paths and domains.
        if !(error is any CustomNSError), type(of: error) != NSError.self {
            if let text = (error as? any LocalizedError)?.errorDescription { return text }
            if let text = description(of: error) { return text }
        }
        let mirror = Mirror(reflecting: error)
        if mirror.displayStyle == .enum {
            // A case without values is described by its name; the mirror knows the name of one with values.
            return mirror.children.first?.label ?? String(describing: error)
        }
        return hiddenMessage
    }

    private static let hiddenMessage = "the host failed with an error whose message is not public"

    /// A Boolean value that indicates whether the message of the Swift error is not for scripts, and only in
    /// ``underlyingError``.
    package var hidesMessage: Bool { underlyingError != nil && message == Self.hiddenMessage }

    // Tests the type, because Foundation makes every error that is cast `CustomStringConvertible`.
    private static func description<Failure: Error>(of error: Failure) -> String? {
        Failure.self is any CustomStringConvertible.Type ? String(describing: error) : nil
    }
}
