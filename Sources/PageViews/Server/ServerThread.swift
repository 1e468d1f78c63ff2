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
        let start = Start(Parts(listener: listener, policy: policy, limits: limits, handler: handler))
        let ready = DispatchSemaphore(value: 0)
        end.enter()
        let thread = Thread { [mailbox, end] in
            Thread.current.name = "PageServer"
            // A signal is handled by the program's threads.
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            start.thread = .current
            Self.run(start, mailbox) { ready.signal() }
            end.leave()
        }
        thread.start()
        ready.wait()
        if let error = start.error { throw error }
        identity = start.thread
    }

    /// The parts of a server.
    private struct Parts {
        var listener: ListeningSocket
        var policy: RequestPolicy
        var limits: PageServerLimits
        var handler: any PageServerHandler
    }

    /// The arguments and results of the thread.
    ///
    /// Unchecked because only the thread uses it, and its creator again when it is ready.
    private final class Start: @unchecked Sendable {
        // Removed by the thread, which thereby closes the listening socket before it ends.
        var parts: Parts?
        var error: PageServerError?
        var thread = ThreadID.none

        init(_ parts: Parts) { self.parts = parts }
    }

    private static func run(_ start: Start, _ mailbox: ServerMailbox, whenReady: () -> Void) {
        guard let parts = start.parts else { return }
        start.parts = nil
        let gate: RequestGate
        let sockets: WebSocketLoop
        do throws(PageServerError) {
            gate = try RequestGate(listener: parts.listener, policy: parts.policy, limits: parts.limits)
            sockets = try WebSocketLoop(
                watching: gate.descriptor,
                limits: parts.limits,
                handler: parts.handler,
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
        mailbox.end()
    }

    /// Ends the thread, and waits for it unless this is that thread.
    func stop() {
        mailbox.stop()
        if identity != .current { end.wait() }
    }
}
