internal import Synchronization

/// The grants of data and files of one bridge, with the moments at which they end.
///
/// Readers keep what they made of the grants until the generation changes, so that a check costs one load.
package final class DataGrantTable: Sendable {
    private struct Timed<Rule: Hashable & Sendable>: Sendable {
        let rule: Rule
        let end: Duration?
    }

    private struct State {
        var allowsOthers = true
        var rules: [Timed<BridgeGrants.DataRule>] = []
        var files: [Timed<BridgeGrants.FileRule>] = []
        var nextEnd: Duration?
    }

    private let clock: any MonotonicClock
    private let state = Mutex(State())
    private let changes = Atomic(0)
    /// Whether a rule ends by itself.
    private let hasEnds = Atomic(false)

    init(clock: any MonotonicClock) { self.clock = clock }

    /// A number that changes with the grants, also where one of them ends.
    package var generation: Int {
        if hasEnds.load(ordering: .acquiring) { endThoseThatAreOver() }
        return changes.load(ordering: .acquiring)
    }

    /// The grants that are in effect.
    package var current: DataGrants {
        state.withLock { state in
            DataGrants(
                allowsOthers: state.allowsOthers,
                rules: state.rules.map(\.rule),
                files: state.files.map(\.rule)
            )
        }
    }

    /// Puts other grants into effect; a rule that stays keeps its end, unless it is renewed.
    func set(_ new: BridgeGrants, from old: BridgeGrants, renewing renewed: GrantKey?, now: Duration) {
        state.withLock { state in
            state.allowsOthers = new.fallback != .deny
            state.rules = Self.timed(new.dataRules, state.rules, old.dataRules, now, \.lifetime) { rule in
                renewed == .data(rule.scope)
            }
            state.files = Self.timed(new.fileRules, state.files, old.fileRules, now, \.lifetime) { rule in
                renewed == .files(rule.folder)
            }
            findNextEnd(&state)
            changes.add(1, ordering: .releasing)
        }
    }

    private static func timed<Rule>(
        _ new: [Rule],
        _ present: [Timed<Rule>],
        _ old: [Rule],
        _ now: Duration,
        _ lifetime: KeyPath<Rule, Duration?>,
        isRenewed: (Rule) -> Bool
    ) -> [Timed<Rule>] {
        let known = Set(old)
        return new.compactMap { rule in
            if known.contains(rule), !isRenewed(rule) {
                // One that was there and has ended stays ended.
                return present.first { $0.rule == rule }
            }
            return Timed(rule: rule, end: rule[keyPath: lifetime].map { now + $0 })
        }
    }

    private func findNextEnd(_ state: inout State) {
        state.nextEnd = (state.rules.compactMap(\.end) + state.files.compactMap(\.end)).min()
        hasEnds.store(state.nextEnd != nil, ordering: .releasing)
    }

    private func endThoseThatAreOver() {
        let now = clock.now
        state.withLock { state in
            guard let next = state.nextEnd, now >= next else { return }
            state.rules.removeAll { $0.end.map { now >= $0 } ?? false }
            state.files.removeAll { $0.end.map { now >= $0 } ?? false }
            findNextEnd(&state)
            changes.add(1, ordering: .releasing)
        }
    }
}

/// What a rule of grants is about.
enum GrantKey: Sendable, Hashable {
    case names(NamePattern)
    case data(DataScope)
    case files(String)
}
