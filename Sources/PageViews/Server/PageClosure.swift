/// The reason why a connection was closed.
public enum PageClosure: Sendable, Hashable, CustomStringConvertible {
    /// The page has closed it, with a code of the WebSocket protocol and a reason.
    case byPage(code: UInt16, reason: String)
    /// The connection ended without a closing handshake: the page is gone or silent, or broke the protocol.
    case lost
    /// More bytes waited than the page's budget.
    case overBudget(limit: Int)
    /// A message to the page was longer than the limit.
    case outgoingMessageTooLong(count: Int, limit: Int)
    /// A message from the page was longer than the limit.
    case incomingMessageTooLong(limit: Int)
    /// A message from the page was not a UTF-8 string.
    case notText
    /// The program has closed it.
    case byProgram(reason: String)
    /// The server has stopped.
    case serverStopped

    /// A sentence.
    public var description: String {
        switch self {
        case .byPage(let code, let reason):
            "the page closed the connection (code \(code)\(reason.isEmpty ? "" : ", \(reason.debugDescription)"))"
        case .lost: "the connection ended without a closing handshake"
        case .overBudget(let limit): "the page does not read: more than \(limit) bytes waited for it"
        case .outgoingMessageTooLong(let count, let limit):
            "a message to the page has \(count) bytes (limit \(limit))"
        case .incomingMessageTooLong(let limit): "a message from the page has more than \(limit) bytes"
        case .notText: "a message from the page is not UTF-8 text"
        case .byProgram(let reason): reason
        case .serverStopped: "the server stopped"
        }
    }

    /// The code of the WebSocket protocol that the server sends.
    var code: UInt16 {
        switch self {
        case .byPage, .lost, .byProgram: 1000
        case .serverStopped: 1001
        case .notText: 1007
        case .overBudget, .outgoingMessageTooLong: 1008
        case .incomingMessageTooLong: 1009
        }
    }

    /// The reason that the server sends: at most 123 bytes, which is the limit of the protocol.
    var closingReason: String {
        var reason = ""
        for character in description {
            guard reason.utf8.count + character.utf8.count <= 123 else { break }
            reason.append(character)
        }
        return reason
    }
}
