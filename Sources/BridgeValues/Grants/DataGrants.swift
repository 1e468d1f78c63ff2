/// The grants of data and files that are in effect at one moment, and the decisions that follow from them.
package struct DataGrants: Sendable, Hashable {
    /// A Boolean value that indicates whether data that no rule matches is allowed.
    package let allowsOthers: Bool
    /// The rules in effect.
    package let rules: [BridgeGrants.DataRule]
    /// The rules about files in effect.
    package let files: [BridgeGrants.FileRule]
    /// The expired allowances: the fallback does not grant their data.
    package let endedRules: [BridgeGrants.DataRule]
    /// The expired allowances of files.
    package let endedFiles: [BridgeGrants.FileRule]

    /// Creates grants from the rules in effect and from expired allowances.
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

    /// A Boolean value that indicates whether only files below certain folders are granted, even if all those
    /// allowances have expired.
    package var limitsFiles: Bool { !endedFiles.isEmpty || files.contains(where: \.isAllowance) }

    /// Grants that allow everything.
    package static let open = DataGrants(allowsOthers: true, rules: [], files: [])

    /// A Boolean value that indicates whether all data is allowed, so that no check is needed.
    package var allowsAllData: Bool { allowsOthers && rules.isEmpty && endedRules.isEmpty }

    /// The part of an entity that an operation may access.
    package struct Part: Sendable, Hashable {
        /// The attributes; `nil` means all but ``deniedAttributes``.
        package var attributes: Set<String>?
        /// The attributes that are denied.
        package var deniedAttributes: Set<String> = []
        /// The condition that rows must meet; `nil` means no condition.
        package var rows: Value?
        /// The conditions of denied rows: a row must meet none of them.
        package var deniedRows: [Value] = []

        /// Creates the part that is the whole entity.
        package init() {}

        /// A Boolean value that indicates whether the part is the whole entity.
        package var isWhole: Bool { hasAllAttributes && hasAllRows }
        /// A Boolean value that indicates whether the part has all attributes.
        package var hasAllAttributes: Bool { attributes == nil && deniedAttributes.isEmpty }
        /// A Boolean value that indicates whether the part has all rows.
        package var hasAllRows: Bool { rows == nil && deniedRows.isEmpty }

        /// Returns whether the part has an attribute, by the bytes of its name.
        package func contains(_ attribute: String) -> Bool {
            func isIn(_ names: Set<String>) -> Bool {
                names.contains { $0.utf8.elementsEqual(attribute.utf8) }
            }
            return !isIn(deniedAttributes) && (attributes.map(isIn) ?? true)
        }
    }

    /// Decides about an operation on an entity of a store, or on a data source.
    ///
    /// - Returns: The part that the operation may access, or the reason of the refusal.
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

    /// Returns whether any of some operations may access anything in a store.
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
    /// The reason of a refusal, before its time and its name are known.
    package struct Refusal: Error, Sendable, Hashable {
        /// The reason.
        package let reason: Reason
        /// Details for the host alone.
        package var detail: String?

        /// Creates a refusal.
        package init(_ reason: Reason, _ detail: String? = nil) {
            self.reason = reason
            self.detail = detail
        }
    }
}
