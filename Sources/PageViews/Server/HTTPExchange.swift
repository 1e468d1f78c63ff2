internal import Foundation

/// One request and its response on a connection, which is closed after it.
struct HTTPExchange {
    /// The state of a connection after a step.
    enum Outcome {
        case reads
        case writes
        /// The response is sent, and the client must take it before the connection is closed.
        case lingers
        case ended
        case upgrade(key: String)
    }

    /// The number of the connection in the order of acceptance.
    let number: Int
    /// The time at which the connection is closed.
    var deadline: Duration

    private var request: [UInt8] = []
    private var response: [UInt8] = []
    private var body: [UInt8] = []
    private var written = 0
    private var lingered = 0
    private var isResponding = false

    init(number: Int, deadline: Duration) {
        self.number = number
        self.deadline = deadline
    }

    /// Reads or writes what can be without waiting.
    mutating func advance(
        _ descriptor: Int32,
        policy: RequestPolicy,
        limits: PageServerLimits,
        canOpen: () -> Bool
    ) -> Outcome {
        if isResponding {
            return written < response.count + body.count ? write(descriptor) : linger(descriptor)
        }
        let checked = request.count
        guard let isOpen = read(descriptor, limit: limits.requestBytes) else { return .ended }
        var verdict: RequestPolicy.Verdict
        var isHead = false
        switch RequestHead.read(request, checked: checked) {
        case .incomplete:
            guard request.count > limits.requestBytes else { return isOpen ? .reads : .ended }
            verdict = .refused(
                .init(status: 431, sentence: "The request has more than \(limits.requestBytes) bytes.")
            )
        case .invalid(let sentence): verdict = .refused(.init(status: 400, sentence: sentence))
        case .complete(let head, let count):
            guard count <= limits.requestBytes else {
                verdict = .refused(
                    .init(status: 431, sentence: "The request has more than \(limits.requestBytes) bytes.")
                )
                break
            }
            verdict = policy.verdict(head, hasMore: count < request.count)
            isHead = head.method == "HEAD"
        }
        if case .webSocket(let key) = verdict {
            if canOpen() { return .upgrade(key: key) }
            verdict = .refused(
                .init(status: 503, sentence: "The server has \(limits.connections) pages open.")
            )
        }
        request = []
        isResponding = true
        switch verdict {
        case .file(let file):
            response = HTTPResponse.head(of: file)
            if !isHead { body = file.bytes }
        case .refused(let refusal): response = HTTPResponse.refusal(refusal, hasBody: !isHead)
        case .webSocket: return .ended
        }
        return write(descriptor)
    }

    /// Reads what has arrived, and returns whether more may come; `nil` if the connection is gone.
    private mutating func read(_ descriptor: Int32, limit: Int) -> Bool? {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while request.count <= limit {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                request += buffer[..<count]
            } else if count == 0 {
                return false
            } else {
                return errno == EAGAIN || errno == EINTR ? true : nil
            }
        }
        return true
    }

    private mutating func write(_ descriptor: Int32) -> Outcome {
        while written < response.count + body.count {
            let isHead = written < response.count
            let rest = isHead ? response[written...] : body[(written - response.count)...]
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count >= 0 else { return errno == EAGAIN || errno == EINTR ? .writes : .ended }
            written += count
        }
        // Closed immediately, a connection with unread bytes would be reset, and the client might lose the response.
        shutdown(descriptor, Int32(SHUT_WR))
        return .lingers
    }

    private mutating func linger(_ descriptor: Int32) -> Outcome {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while lingered < 64 * 1_024 {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else {
                return count < 0 && (errno == EAGAIN || errno == EINTR) ? .lingers : .ended
            }
            lingered += count
        }
        return .ended
    }
}
