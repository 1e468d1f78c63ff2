internal import BridgeProtocol
internal import Synchronization

/// The connection of a bridge to the other side of its protocol outside of this process' engine, such as a page in a
/// browser or another process.
///
/// ```swift
/// let channel = PeerChannel { text in socket.write(text) }
/// let bridge = try Bridge(configuration: BridgeConfiguration(peer: channel))
/// socket.onText = { text in channel.receive(text) }
/// socket.onEnd = { channel.close("The page was closed.") }
/// ```
///
/// The messages have the wire format of WebViewJavascriptBridge. The other side passes on what its `_fetchQueue` returns,
/// and receives what its `_handleMessageFromNative` takes. Calls of handlers wait until the first text of the other side
/// arrives. All functions may be called from any thread.
///
/// A channel belongs to one bridge, which it does not retain.
public final class PeerChannel: Sendable {
    private struct State: ~Copyable {
        weak var session: BridgeSession?
        var texts: [String] = []
        var waitingLength = 0
        var hasReceived = false
    }

    private let state = Mutex(State())
    private let sendText: @Sendable (String) -> Void

    /// Creates a channel.
    ///
    /// - Parameter send: Sends the text of one message to the other side. It is called for one message at a time, in
    ///   their order, in turns of the bridge's engine: keep it short.
    public init(send: @escaping @Sendable (String) -> Void) { sendText = send }

    /// Receives messages of the other side: the text of an array of them, in any number of calls.
    ///
    /// The messages are handled in the bridge's next turn, in the order of the calls. Text that is not an array of
    /// messages is reported to the bridge's log. If more text waits than a message may have
    /// (`BridgeLimits.maximumMessageLength`), the bridge is closed with the code `overloaded`.
    public func receive(_ text: String) {
        let (session, isFull) = state.withLock { state -> (BridgeSession?, Bool) in
            guard let session = state.session else { return (nil, false) }
            state.hasReceived = true
            state.waitingLength += text.utf8.count
            guard state.waitingLength <= session.configuration.limits.maximumMessageLength else {
                state.texts = []
                return (session, true)
            }
            state.texts.append(text)
            return (session, false)
        }
        guard isFull else {
            session?.scheduleTurn()
            return
        }
        session?.close(
            BridgeError(
                .overloaded,
                "The other side sent messages faster than the bridge handles them, so the bridge was closed."
            )
        )
    }

    /// Closes the bridge because the other side is gone.
    ///
    /// - Parameter reason: The message of the error `disconnected` that pending calls and open streams get.
    public func close(_ reason: String) {
        state.withLock { $0.session }?.close(BridgeError(.disconnected, reason))
    }

    /// A Boolean value that indicates whether the other side has sent anything to the present context.
    var hasReceived: Bool { state.withLock { $0.hasReceived } }

    /// Connects a session, and forgets what has arrived for an earlier context.
    func connect(to session: BridgeSession) {
        state.withLock { state in
            precondition(
                state.session == nil || state.session === session,
                "a peer channel belongs to one bridge"
            )
            state.session = session
            state.texts = []
            state.waitingLength = 0
            state.hasReceived = false
        }
    }

    func takeTexts() -> [String] {
        state.withLock { state in
            defer {
                state.texts = []
                state.waitingLength = 0
            }
            return state.texts
        }
    }

    func send(_ units: [UInt16]) { sendText(String(decoding: units, as: UTF16.self)) }
}

/// A transport of messages in text to and from the other end of a channel.
final class PeerTransport: MessageTransport {
    let session: BridgeSession
    let inbox = MessageInbox()
    private let channel: PeerChannel

    init(_ session: BridgeSession, over channel: PeerChannel) {
        self.session = session
        self.channel = channel
        channel.connect(to: session)
    }

    /// Returns whether the other side has shown itself by a text.
    func isPeerThere() -> Bool { channel.hasReceived }

    func receive() {
        for text in channel.takeTexts() { Array(text.utf16).withUnsafeBufferPointer { receive($0) } }
    }

    func send(_ message: BridgeMessage, _ payload: MessagePayload?) {
        do {
            channel.send(try units(of: message, payload))
        } catch {
            session.fail(message, with: error)
        }
    }
}
