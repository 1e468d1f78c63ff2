internal import BridgeProtocol

/// A message of a script that was not decoded as the type of a handler.
enum ArrivedMessage {
    case message(BridgeMessage, MessagePayload?)
    /// A request whose payload cannot be accepted.
    case refused(BridgeMessage.Request, BridgeError)

    /// A Boolean value that indicates whether it is a request or a notification.
    var isRequest: Bool {
        switch self {
        case .message(.request, _), .refused: true
        case .message: false
        }
    }

    /// The request, if it expects an answer and is not refused.
    var call: BridgeMessage.Request? {
        guard case .message(.request(let request), _) = self, request.callbackID != nil else { return nil }
        return request
    }
}
