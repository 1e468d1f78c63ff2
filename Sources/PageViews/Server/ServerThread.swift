internal import BridgeValues
internal import Foundation

/// The one thread of a running server.
final class ServerThread: Sendable {
    private let mailbox = ServerMailbox()
    private let end = DispatchGroup()
    private let identity: ThreadID

    /// Starts to serve, and returns when connections are accepted.
    ///
    /// - Throws: ``PageServerError`` if the server cannot start.
    init(
        listener: ListeningSocket,
        policy: RequestPolicy,
        limits: PageServerLimits,
        handler: any PageServerHandler
    ) throws(PageServerError) {
        let start = Start(listener: listener, policy: policy, limits: limits, handler: handler)
        let ready = DispatchSemaphore(value: 0)
        end.enter()
        let thread = Thread { [mailbox, end] in
            // A signal is handled by the program's threads.
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            start.thread = .current
            Self.run(start, mailbox) { ready.signal() }
            end.leave()
        }
        thread.name = "PageServer"
        thread.start()
        ready.wait()
        if let error = start.error { throw error }
        identity = start.thread
    }

    /// What the thread takes over. Unchecked because its creator uses the variables only after the thread has set them.
    private final class Start: @unchecked Sendable {
        let listener: ListeningSocket
        let policy: RequestPolicy
        let limits: PageServerLimits
        let handler: any PageServerHandler
        var error: PageServerError?
        var thread = ThreadID.none

        init(
            listener: ListeningSocket,
            policy: RequestPolicy,
            limits: PageServerLimits,
            handler: any PageServerHandler
        ) {
            self.listener = listener
            self.policy = policy
            self.limits = limits
            self.handler = handler
        }
    }

    private static func run(_ start: Start, _ mailbox: ServerMailbox, whenReady: () -> Void) {
        let gate: RequestGate
        let sockets: WebSocketLoop
        do throws(PageServerError) {
            gate = try RequestGate(listener: start.listener, policy: start.policy, limits: start.limits)
            sockets = try WebSocketLoop(
                watching: gate.descriptor,
                limits: start.limits,
                handler: start.handler,
                mailbox: mailbox
            )
        } catch {
            start.error = error
            whenReady()
            return
        }
        whenReady()
        let clock = SystemClock()
        while true {
            let work = mailbox.take()
            for connection in work.connections { sockets.attend(connection) }
            guard !work.isStopping else { break }
            gate.step(now: clock.now, canOpen: { sockets.canOpen }, open: sockets.open)
            sockets.service(atMost: gate.nextDeadline.map { max(.zero, $0 - clock.now) })
        }
        sockets.stop()
    }

    /// Ends the thread, and waits for it unless this is that thread.
    func stop() {
        mailbox.stop()
        if identity != .current { end.wait() }
    }
}
