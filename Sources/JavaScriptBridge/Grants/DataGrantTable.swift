internal import Synchronization

/// The grants of data and files of one bridge, with their expiry times.
///
/// Readers cache their conclusions until the generation changes, so that a check costs one load.
package final class DataGrantTable: Sendable {
    /// The state of one rule: of one operation on the data of a scope, or of the files below a folder.
    private struct Term {
        let lifetime: Duration?
        let end: Duration?
        var isOver = false
    }

    private struct State {
        var allowsOthers = true
        var rules: [BridgeGrants.DataRule] = []
        var files: [BridgeGrants.FileRule] = []
        /// The terms of all rules, also of expired ones: these take effect again only when they are renewed.
        var terms: [GrantKey: Term] = [:]
        var nextEnd: Duration?

        func isInEffect(_ key: GrantKey) -> Bool { terms[key]?.isOver == false }
    }

    private let clock: any MonotonicClock
    private let state = Mutex(State())
    private let changes = Atomic(0)
    /// A Boolean value that indicates whether a rule has an expiry time.
    private let hasEnds = Atomic(false)

    init(clock: any MonotonicClock) { self.clock = clock }

    /// A number that changes with the grants, also when one of them expires.
    package var generation: Int {
        if hasEnds.load(ordering: .acquiring) { endThoseThatAreOver() }
        return changes.load(ordering: .acquiring)
    }

    /// The grants that are in effect, with the allowances that have expired.
    package var current: DataGrants {
        state.withLock { state in
            DataGrants(
                allowsOthers: state.allowsOthers,
                rules: state.rules.compactMap { rule in rule.part { state.isInEffect($0) } },
                files: state.files.filter { state.isInEffect($0.key) },
                endedRules: state.rules.filter(\.isAllowance)
                    .compactMap { rule in rule.part { !state.isInEffect($0) } },
                endedFiles: state.files.filter { $0.isAllowance && !state.isInEffect($0.key) }
            )
        }
    }

    /// Replaces the grants; a rule that stays keeps its expiry time, unless it is renewed.
    func set(_ new: BridgeGrants, renewing renewed: GrantKey?, now: Duration) {
        let renewed = Set(renewed?.single ?? [])
        state.withLock { state in
            state.allowsOthers = new.fallback != .deny
            state.rules = new.dataRules
            state.files = new.fileRules
            var terms: [GrantKey: Term] = [:]
            for (keys, lifetime) in new.dataRules.map({ ($0.keys, $0.lifetime) })
                + new.fileRules.map({ ([$0.key], $0.lifetime) })
            {
                for key in keys {
                    if let known = state.terms[key], known.lifetime == lifetime, !renewed.contains(key) {
                        terms[key] = known
                    } else {
                        terms[key] = Term(lifetime: lifetime, end: lifetime.map { now + $0.withinCentury })
                    }
                }
            }
            state.terms = terms
            findNextEnd(&state)
            changes.add(1, ordering: .releasing)
        }
    }

    private func findNextEnd(_ state: inout State) {
        state.nextEnd = state.terms.values.compactMap { $0.isOver ? nil : $0.end }.min()
        hasEnds.store(state.nextEnd != nil, ordering: .releasing)
    }

    private func endThoseThatAreOver() {
        let now = clock.now
        state.withLock { state in
            guard let next = state.nextEnd, now >= next else { return }
            for (key, term) in state.terms where term.end.map({ now >= $0 }) ?? false {
                state.terms[key]?.isOver = true
            }
            findNextEnd(&state)
            changes.add(1, ordering: .releasing)
        }
    }
}

/// A rule of grants, or the rules of several operations on the data of one scope.
enum GrantKey: Sendable, Hashable {
    case names(NamePattern, isAllowance: Bool)
    case data(DataScope, Set<DataOperation>, isAllowance: Bool)
    case files(String, isAllowance: Bool)

    /// The keys of the single operations.
    var single: [GrantKey] {
        guard case .data(let scope, let operations, let isAllowance) = self else { return [self] }
        return operations.map { .data(scope, [$0], isAllowance: isAllowance) }
    }
}

extension BridgeGrants.DataRule {
    fileprivate var keys: [GrantKey] { GrantKey.data(scope, operations, isAllowance: isAllowance).single }

    /// Returns the rule with the operations that meet a condition; `nil` if there are none.
    fileprivate func part(_ isWanted: (GrantKey) -> Bool) -> Self? {
        let wanted = operations.filter { isWanted(.data(scope, [$0], isAllowance: isAllowance)) }
        return wanted.isEmpty ? nil : with(wanted)
    }
}

extension BridgeGrants.FileRule {
    fileprivate var key: GrantKey { .files(folder, isAllowance: isAllowance) }
}
