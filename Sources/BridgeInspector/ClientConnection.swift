internal import BridgeValues
internal import Foundation

/// The connection of one client, with its session.
final class ClientConnection {
    let descriptor: Int32
    private(set) var session: DebugSession!
    private var reader = MessageReader(maximumMessageBytes: 64 << 10)
    private var output: [UInt8] = []
    private var outputStart = 0
    /// A Boolean value that indicates whether the connection is closed when its output was sent.
    private(set) var isEnding = false
    /// A Boolean value that indicates whether the connection cannot be used any more.
    private(set) var isBroken = false

    /// The maximum size of a message of an attached client.
    private static let maximumMessageBytes = 8 << 20
    /// The size of output that a client has not read at which it is disconnected.
    static let maximumOutputBytes = 64 << 20

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Sets the session, which sends to this connection.
    func start(_ session: DebugSession) { self.session = session }

    var hasOutput: Bool { outputStart < output.count }

    /// A Boolean value that indicates whether the connection is to be removed.
    var isDone: Bool { isBroken || isEnding && !hasOutput }

    /// Ends the connection after its output was sent.
    func end() { isEnding = true }

    func send(_ message: Value) {
        guard !isBroken else { return }
        let frame = MessageReader.frame(message)
        guard output.count - outputStart + frame.count <= Self.maximumOutputBytes else {
            isBroken = true
            return
        }
        output += frame
    }

    /// Reads what has arrived and passes the messages to the session.
    func readInput() {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { isBroken = true }
        guard count > 0, !isEnding else { return }
        reader.append(bytes[..<count])
        do throws(MessageReader.Problem) {
            while !isEnding, let message = try reader.next() {
                session.receive(message)
                if session.isAttached { reader.maximumMessageBytes = Self.maximumMessageBytes }
            }
        } catch {
            // The client sees why, if it speaks the protocol at all.
            session.refuse(error.message)
            isEnding = true
        }
    }

    /// Sends as much of the output as the client takes.
    func writeOutput() {
        guard hasOutput else { return }
        let count = output.withUnsafeBytes { bytes in
            Foundation.send(
                descriptor,
                bytes.baseAddress.map { $0 + outputStart },
                bytes.count - outputStart,
                Int32(MSG_NOSIGNAL)
            )
        }
        if count < 0 {
            if errno != EAGAIN && errno != EINTR { isBroken = true }
            return
        }
        outputStart += count
        if outputStart == output.count { (output, outputStart) = ([], 0) }
    }

    /// Ends the session and closes the socket.
    func close() {
        session.close()
        Foundation.close(descriptor)
    }
}
