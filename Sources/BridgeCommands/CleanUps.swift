internal import Synchronization

/// What must be undone before the process ends, however it ends.
public final class CleanUps: Sendable {
    /// One thing to undo.
    struct Token: Hashable {
        fileprivate let number: Int
    }

    private struct State {
        var next = 0
        var bodies: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    /// Makes an empty list.
    public init() {}

    /// Notes what to undo.
    func add(_ body: @escaping @Sendable () -> Void) -> Token {
        state.withLock { state in
            defer { state.next += 1 }
            state.bodies[state.next] = body
            return Token(number: state.next)
        }
    }

    /// Undoes one thing, unless that was done before.
    func run(_ token: Token) {
        let body = state.withLock { $0.bodies.removeValue(forKey: token.number) }
        body?()
    }

    /// Undoes all that is left, the newest first.
    public func runAll() {
        let bodies = state.withLock { state in
            defer { state.bodies = [:] }
            return state.bodies.sorted { $0.key > $1.key }.map(\.value)
        }
        for body in bodies { body() }
    }
}
