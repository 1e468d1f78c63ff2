internal import Synchronization

/// The environment variables that a script may read, of which the host decides about those that are not allowed.
final class ScriptVariables: Sendable {
    private let environment: [String: String]
    private let permissions: ScriptPermissions
    private let requests: PermissionRequests?
    private let report: @Sendable (BridgeDenial.Refusal, String) -> Void
    private let decisions = Mutex<[ByteEqualString: ScriptPermissions.Decision]>([:])

    /// Creates the variables of a process.
    ///
    /// - Parameters:
    ///   - environment: The variables.
    ///   - permissions: The names that are allowed and denied.
    ///   - requests: The requests to the host; `nil` denies all other variables.
    ///   - report: Records a denial.
    init(
        _ environment: [String: String],
        _ permissions: ScriptPermissions,
        _ requests: PermissionRequests?,
        report: @escaping @Sendable (BridgeDenial.Refusal, String) -> Void
    ) {
        self.environment = environment
        self.permissions = permissions
        self.requests = requests
        self.report = report
    }

    /// A Boolean value that indicates whether the host is asked for variables that are not allowed.
    var asks: Bool { requests != nil && !permissions.allowsWholeEnvironment }

    /// The variables that are allowed, by their names.
    var allowed: [(key: String, value: String)] {
        environment.filter { permissions.allowsEnvironment($0.key) }.sorted { $0.key < $1.key }
    }

    /// Returns the value of a variable; `nil` if it is not set or denied, which a script cannot distinguish.
    ///
    /// It blocks the calling thread while the host decides, because a script reads a member.
    func value(of name: String) -> String? {
        guard isAllowed(name) else {
            report(BridgeDenial.Refusal(.notGranted, "reading an environment variable"), name)
            return nil
        }
        return environment.first { $0.key.utf8.elementsEqual(name.utf8) }?.value
    }

    private func isAllowed(_ name: String) -> Bool {
        if permissions.allowsEnvironment(name) { return true }
        guard let requests, !permissions.deniesEnvironment(name) else { return false }
        let key = ByteEqualString(name)
        if let known = decisions.withLock({ $0[key] }) { return known == .allow }
        let decision = requests.performBlocking { await $0(.environment(name)) }
        if let decision, decision != .allowOnce { decisions.withLock { $0[key] = decision } }
        return decision == .allow || decision == .allowOnce
    }
}
