/// The grants of data and files that are in effect at one moment, and what follows from them.
package struct DataGrants: Sendable, Hashable {
    /// Whether data that no rule matches is allowed.
    package let allowsOthers: Bool
    /// The rules that hold.
    package let rules: [BridgeGrants.DataRule]
    /// The rules about files that hold.
    package let files: [BridgeGrants.FileRule]
    /// The allowances that have ended: what they were about is not granted by the fallback.
    package let endedRules: [BridgeGrants.DataRule]
    /// The allowances of files that have ended.
    package let endedFiles: [BridgeGrants.FileRule]

    /// Makes grants of the rules that hold, and of allowances that have ended.
    package init(
        allowsOthers: Bool,
        rules: [BridgeGrants.DataRule],
        files: [BridgeGrants.FileRule],
        endedRules: [BridgeGrants.DataRule] = [],
        endedFiles: [BridgeGrants.FileRule] = []
    ) {
        self.allowsOthers = allowsOthers
        self.rules = rules
        self.files = files
        self.endedRules = endedRules
        self.endedFiles = endedFiles
    }

    /// Whether files are granted below folders alone, also where the allowances of all of them have ended.
    package var limitsFiles: Bool { !endedFiles.isEmpty || files.contains(where: \.isAllowance) }

    /// Everything is allowed.
    package static let open = DataGrants(allowsOthers: true, rules: [], files: [])

    /// Whether nothing about data need be looked at.
    package var allowsAllData: Bool { allowsOthers && rules.isEmpty && endedRules.isEmpty }

    /// The part of an entity that an operation may reach.
    package struct Part: Sendable, Hashable {
        /// The attributes; `nil` means all but ``deniedAttributes``.
        package var attributes: Set<String>?
        /// The attributes that are denied.
        package var deniedAttributes: Set<String> = []
        /// The condition that rows must meet; `nil` means none.
        package var rows: Value?
        /// The conditions of which rows must meet none.
        package var deniedRows: [Value] = []

        /// Makes the whole of an entity.
        package init() {}

        /// Whether it is the whole entity.
        package var isWhole: Bool { hasAllAttributes && hasAllRows }
        /// Whether it has all attributes.
        package var hasAllAttributes: Bool { attributes == nil && deniedAttributes.isEmpty }
        /// Whether it has all rows.
        package var hasAllRows: Bool { rows == nil && deniedRows.isEmpty }

        /// Whether it has an attribute, by the bytes of its name.
        package func contains(_ attribute: String) -> Bool {
            func isIn(_ names: Set<String>) -> Bool {
                names.contains { $0.utf8.elementsEqual(attribute.utf8) }
            }
            return !isIn(deniedAttributes) && (attributes.map(isIn) ?? true)
        }
    }

    /// Decides about an operation on an entity of a store, or on a data source.
    ///
    /// - Returns: The part that it may reach, or why it may reach nothing.
    package func decide(
        _ operation: DataOperation,
        on place: DataScope.Place,
        _ name: String,
        _ entity: String = ""
    ) -> Result<Part, BridgeDenial.Refusal> {
        var part = Part()
        var best: DataScope?
        for rule in rules where rule.operations.contains(operation) && rule.scope.matches(place, name, entity)
        {
            let scope = rule.scope
            if rule.isAllowance {
                if best.map({ !$0.isMoreExact(than: scope) }) ?? true { best = scope }
            } else if scope.attributes == nil, scope.rows == nil {
                return .failure(BridgeDenial.Refusal(.denied))
            } else {
                part.deniedAttributes.formUnion(scope.attributes ?? [])
                if let rows = scope.rows { part.deniedRows.append(rows) }
            }
        }
        if let best {
            part.attributes = best.attributes
            part.rows = best.rows
        } else if !allowsOthers || hasEnded(operation, on: place, name, entity) {
            return .failure(BridgeDenial.Refusal(.notGranted))
        }
        return .success(part)
    }

    private func hasEnded(
        _ operation: DataOperation,
        on place: DataScope.Place,
        _ name: String,
        _ entity: String
    ) -> Bool {
        endedRules.contains { $0.operations.contains(operation) && $0.scope.matches(place, name, entity) }
    }

    /// Whether any of some operations may reach anything in a store.
    package func allowsAny(of operations: Set<DataOperation>, in store: String) -> Bool {
        if allowsOthers {
            return !operations.allSatisfy { operation in
                rules.contains { rule in
                    !rule.isAllowance && rule.operations.contains(operation) && rule.scope.place == .store
                        && rule.scope.name.matches(store) && rule.scope.entity == .any
                        && rule.scope.attributes == nil && rule.scope.rows == nil
                }
            }
        }
        return rules.contains { rule in
            rule.isAllowance && !rule.operations.isDisjoint(with: operations) && rule.scope.place == .store
                && rule.scope.name.matches(store)
        }
    }
}

extension BridgeDenial {
    /// Why something is refused, before it is known when and of what.
    package struct Refusal: Error, Sendable, Hashable {
        /// The reason.
        package let reason: Reason
        /// What exactly, for the host alone.
        package var detail: String?

        /// Makes a refusal.
        package init(_ reason: Reason, _ detail: String? = nil) {
            self.reason = reason
            self.detail = detail
        }
    }
}
