package import BridgeValues

/// A fact about a session for the reader of its log.
///
/// Events that a peer can cause endlessly (unknown ids, second replies) are counted every time, and reported at the
/// 1st, 2nd, 4th, 8th ... occurrence.
package enum SessionDiagnostic: Sendable, Hashable {
    /// A request named an unknown handler (P55).
    ///
    /// The id is the caller's, if it waits for a reply.
    case noHandler(name: String, callbackID: MessageID?, acceptsErrors: Bool)
    /// A response has an id that this session never used (P31, P46, R3).
    case unknownResponse(MessageID, count: Int)
    /// A response answers a call that has ended before: twice answered, timed out, cancelled.
    case lateResponse(MessageID, count: Int)
    /// A handler answered one call twice; the second answer was ignored (P44).
    case duplicateReply(count: Int)
    /// A handler replied to a call of a lost context.
    case lostReply(count: Int)
    /// A message arrived from a lost context.
    case lostMessage(count: Int)
    /// An error was not sent because its caller does not support errors (P56).
    case suppressedError(handlerName: String, BridgeError)
    /// A message was dropped for this reason.
    case droppedMessage(BridgeError)
    /// Names or keys came with a lone surrogate; this many so far.
    case repairedTexts(count: Int)

    /// The severity of a diagnostic.
    package enum Level: String, Sendable, Hashable {
        /// Information for debugging.
        case debug
        /// A problem after which the session continues.
        case warning
        /// A loss of data.
        case error
    }

    /// The severity of this diagnostic.
    package var level: Level {
        switch self {
        case .lateResponse, .lostReply, .lostMessage: .debug
        // The caller is notified; if it cannot be, the log is the only place.
        case .noHandler(_, let callbackID, let acceptsErrors):
            callbackID != nil && acceptsErrors ? .debug : .warning
        case .unknownResponse, .duplicateReply, .droppedMessage, .repairedTexts: .warning
        case .suppressedError: .error
        }
    }
}

extension SessionDiagnostic: CustomStringConvertible {
    /// The line for the log.
    package var description: String {
        switch self {
        case .noHandler(let name, let callbackID, _):
            // The text of WebViewJavascriptBridge, for which people search their logs.
            "WVJBNoHandlerException, No handler for message from JS: "
                + Self.summary(of: name, callbackID)
        case .unknownResponse(let id, let count):
            "A response has the id \"\(id)\", which no call of this session has; ignored (\(count) so far)."
        case .lateResponse(let id, let count):
            "A response came for the call \"\(id)\", which has ended already; ignored (\(count) so far)."
        case .duplicateReply(let count):
            "A handler replied to one call twice; the second reply was ignored (\(count) so far)."
        case .lostReply(let count):
            "A handler replied to a call of a context that is gone; ignored (\(count) so far)."
        case .lostMessage(let count):
            "A message came from a context that is gone; ignored (\(count) so far)."
        case .suppressedError(let name, let error):
            "The handler \"\(name)\" failed, and its caller takes no errors, so it gets no reply. \(error)"
        case .droppedMessage(let error):
            "A message was dropped (\(error.code)): \(error.message)"
        case .repairedTexts(let count):
            "Names or keys of messages had half a surrogate pair, which is read as U+FFFD (\(count) so far)."
        }
    }
}

extension SessionDiagnostic {
    /// Returns the one-line form of a script's request: its name and its id, without the payload.
    fileprivate static func summary(of handlerName: String, _ callbackID: MessageID?) -> String {
        let name = handlerName.utf16.count > 200 ? handlerName.prefix(200) + " [...]" : handlerName
        return JSONLine.text([
            ("handlerName", .string(String(name))),
            ("callbackId", callbackID.map { .string($0.ofScript.description) }),
        ])
    }
}
