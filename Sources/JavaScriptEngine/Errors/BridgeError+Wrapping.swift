public import BridgeValues
internal import Foundation

extension BridgeError {
    /// Makes an error of this vocabulary of any Swift error: a ``JSException`` keeps its code, data, frames
    /// and causes, an `EncodingError` becomes `encodeFailed` and names the place; any error of Swift stands in
    /// ``underlyingError``.
    ///
    /// A script may see the message, so it is what the error's author wrote for people (`LocalizedError`,
    /// `CustomStringConvertible`), or the name of an enumeration's case; of other errors, whose text would
    /// hold names of types and paths of the host, it is a sentence that says so (R39).
    public init(wrapping error: any Error, defaultCode: BridgeErrorCode = .handlerFailed) {
        switch error {
        case let error as BridgeError: self = error
        case let error as JSException: self.init(error, defaultCode: defaultCode)
        case is CancellationError:
            self.init(.cancelled, "the call was cancelled")
            underlyingError = error
        // What a type says of a value that it cannot encode.
        case let error as EncodingError: self.init(encoding: error)
        case let error as any ErrorForScripts:
            self.init(defaultCode, error.messageForScripts)
            underlyingError = error
        default:
            self.init(defaultCode, Self.message(of: error))
            underlyingError = error
        }
    }

    /// Makes an error of what a script threw.
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
        // The system's errors describe themselves with the paths and the domains they are about.
        if !(error is any CustomNSError), type(of: error) != NSError.self {
            if let text = (error as? any LocalizedError)?.errorDescription { return text }
            if let text = description(of: error) { return text }
        }
        let mirror = Mirror(reflecting: error)
        if mirror.displayStyle == .enum {
            // A case without values is written as its name; of one with values the mirror knows the name.
            return mirror.children.first?.label ?? String(describing: error)
        }
        return "the host failed with an error that it does not show"
    }

    // Asked of the type: Foundation makes something that describes itself of any error that is cast.
    private static func description<Failure: Error>(of error: Failure) -> String? {
        Failure.self is any CustomStringConvertible.Type ? String(describing: error) : nil
    }
}
