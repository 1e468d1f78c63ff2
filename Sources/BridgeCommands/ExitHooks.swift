internal import Synchronization

/// A list of hooks that run before the process ends, however it ends.
public final class ExitHooks: Sendable {
    /// The identity of one hook.
    struct Token: Hashable {
        fileprivate let number: Int
    }

    private struct State {
        var next = 0
        var bodies: [Int: @Sendable () -> Void] = [:]
        var kept: [any AnyObject & Sendable] = []
    }

    private let state = Mutex(State())
    private let endsProcess: Bool

    /// Creates an empty list.
    ///
    /// - Parameter endsProcess: Whether the process ends with the command.
    public init(endsProcess: Bool = false) { self.endsProcess = endsProcess }

    /// Adds a hook.
    func add(_ body: @escaping @Sendable () -> Void) -> Token {
        state.withLock { state in
            defer { state.next += 1 }
            state.bodies[state.next] = body
            return Token(number: state.next)
        }
    }

    /// Runs and removes one hook, unless it has already run.
    func run(_ token: Token) {
        let body = state.withLock { $0.bodies.removeValue(forKey: token.number) }
        body?()
    }

    /// Removes one hook without running it.
    func remove(_ token: Token) { state.withLock { $0.bodies[token.number] = nil } }

    /// Retains an object until the process ends, if it ends with the command: releasing a virtual machine just before
    /// costs milliseconds.
    func keep(_ object: any AnyObject & Sendable) {
        guard endsProcess else { return }
        state.withLock { $0.kept.append(object) }
    }

    /// Runs and removes all remaining hooks, the newest first.
    public func runAll() {
        let bodies = state.withLock { state in
            defer { state.bodies = [:] }
            return state.bodies.sorted { $0.key > $1.key }.map(\.value)
        }
        for body in bodies { body() }
    }
}
