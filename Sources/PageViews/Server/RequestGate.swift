internal import CServerSockets
internal import Foundation

/// The connections from their first byte to the end of their response, or until they become WebSockets.
///
/// It reads each request with parsers of this module. The library of WebSockets sees no byte of a request, only a
/// handshake that this module has written. One descriptor, ``descriptor``, is readable when ``step(now:)`` has work.
final class RequestGate {
    /// A request that becomes a WebSocket.
    struct Upgrade {
        var descriptor: Int32
        var key: String
    }

    /// A descriptor that watches all others.
    let descriptor: Int32
    private let listener: ListeningSocket
    private let policy: RequestPolicy
    private let limits: PageServerLimits
    private var exchanges: [Int32: HTTPExchange] = [:]

    init(listener: ListeningSocket, policy: RequestPolicy, limits: PageServerLimits) throws(PageServerError) {
        descriptor = CServerSockets_createSet()
        guard descriptor >= 0 else {
            throw PageServerError("the server cannot wait for requests: \(String(cString: strerror(errno)))")
        }
        self.listener = listener
        self.policy = policy
        self.limits = limits
        CServerSockets_watch(descriptor, listener.descriptor, 0)
    }

    deinit {
        for descriptor in exchanges.keys { close(descriptor) }
        close(descriptor)
    }

    /// The time of the earliest deadline.
    var nextDeadline: Duration? { (exchanges.values.map(\.deadline) + [resumption].compactMap(\.self)).min() }

    /// Accepts, reads and writes what can be without waiting.
    ///
    /// - Parameters:
    ///   - now: The present time.
    ///   - canOpen: Returns whether there may be one more WebSocket.
    ///   - open: Takes a request that becomes a WebSocket, with its descriptor.
    func step(now: Duration, canOpen: () -> Bool, open: (Upgrade) -> Void) {
        for (descriptor, exchange) in exchanges where exchange.deadline <= now { end(descriptor) }
        if let time = resumption, time <= now {
            resumption = nil
            CServerSockets_watch(descriptor, listener.descriptor, 0)
        }
        var ready = [Int32](repeating: 0, count: 64)
        let count = CServerSockets_ready(descriptor, &ready, Int32(ready.count))
        for ready in ready.prefix(Int(count)) {
            if ready == listener.descriptor {
                accept(now)
            } else {
                advance(ready, now, canOpen, open)
            }
        }
    }

    private func accept(_ now: Duration) {
        // At most as many in one step, so that a flood does not hold up the WebSockets.
        for _ in 0..<16 {
            let client = CServerSockets_accept(listener.descriptor)
            guard client >= 0 else { return yieldDescriptors(errno, now) }
            if exchanges.count >= limits.connections,
                let oldest = exchanges.min(by: { $0.value.number < $1.value.number })
            {
                end(oldest.key)
            }
            if listener.port != nil {
                var isOn: Int32 = 1
                setsockopt(
                    client,
                    Int32(IPPROTO_TCP),
                    TCP_NODELAY,
                    &isOn,
                    socklen_t(MemoryLayout<Int32>.size)
                )
            }
            // Updates that a page has not read when a newer one is made are old: the kernel must not hold megabytes of
            // them.
            var size: Int32 = 256 * 1024
            setsockopt(client, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            accepted += 1
            exchanges[client] = HTTPExchange(number: accepted, deadline: now + limits.requestTime)
            CServerSockets_watch(descriptor, client, 0)
        }
    }

    private var accepted = 0
    // The time at which the listener is watched again.
    private var resumption: Duration?

    /// Frees a descriptor if the process has none left, or waits, because the listener stays readable.
    private func yieldDescriptors(_ code: Int32, _ now: Duration) {
        guard code == EMFILE || code == ENFILE else { return }
        if exchanges.isEmpty {
            CServerSockets_unwatch(descriptor, listener.descriptor)
            resumption = now + .milliseconds(100)
        }
        if let oldest = exchanges.min(by: { $0.value.number < $1.value.number }) { end(oldest.key) }
    }

    private func advance(
        _ client: Int32,
        _ now: Duration,
        _ canOpen: () -> Bool,
        _ open: (Upgrade) -> Void
    ) {
        // Closed earlier in the same step.
        guard var exchange = exchanges[client] else { return }
        // Moved out, so that the bytes are not copied.
        exchanges[client] = HTTPExchange(number: exchange.number, deadline: exchange.deadline)
        let outcome = exchange.advance(client, policy: policy, limits: limits, canOpen: canOpen)
        switch outcome {
        case .reads:
            exchanges[client] = exchange
        case .writes:
            exchanges[client] = exchange
            CServerSockets_watch(descriptor, client, 1)
        case .lingers:
            exchange.deadline = min(exchange.deadline, now + .seconds(1))
            exchanges[client] = exchange
            CServerSockets_watch(descriptor, client, 0)
        case .ended: end(client)
        case .upgrade(let key):
            exchanges[client] = nil
            CServerSockets_unwatch(descriptor, client)
            open(Upgrade(descriptor: client, key: key))
        }
    }

    private func end(_ client: Int32) {
        exchanges[client] = nil
        close(client)
    }
}
