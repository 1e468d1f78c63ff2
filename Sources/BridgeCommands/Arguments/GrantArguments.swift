internal import BridgeValues
internal import Foundation
internal import JavaScriptBridge
internal import JavaScriptEngine
internal import Stores

/// The options of `run` that set the grants of the script.
struct GrantArguments {
    /// The options, each with the name of its value.
    static let names: [String: String] = {
        var names = [
            "--tier": "TIER", "--audit": "FILE", "--allow-handler": "NAME", "--deny-handler": "NAME",
            "--allow-files": "FOLDER", "--deny-files": "FOLDER", "--allow-write": "PATH",
            "--allow-env": "NAME", "--deny-write": "PATH", "--deny-env": "NAME",
        ]
        for operation in DataOperation.allCases {
            names["--allow-\(operation.rawValue)"] = "DATA"
            names["--deny-\(operation.rawValue)"] = "DATA"
        }
        return names
    }()

    private var grants = BridgeGrants()
    private var permissions = PermissionArguments()
    private var tier = ExecutionTier.trusted
    private var audit: RunOptions.Trace.Target?

    /// Reads one of these options with its value.
    mutating func read(_ option: String, _ reader: inout ArgumentReader) throws(UsageError) {
        if try permissions.readEnvironment(option, &reader) { return }
        let value = try reader.value(
            of: option,
            named: Self.names[option] ?? "VALUE",
            about: .run,
            allowsDash: option == "--audit",
            isRepeatable: option != "--tier" && option != "--audit"
        )
        if try permissions.read(option, value) { return }
        switch option {
        case "--tier":
            guard let tier = ExecutionTier(rawValue: value) else {
                let known = ExecutionTier.allCases.map { "'\($0.rawValue)'" }.joined(separator: " or ")
                throw UsageError("'--tier' is \(known), not \(MessageText.quoted(value))", about: .run)
            }
            self.tier = tier
        case "--audit": audit = value == "-" ? .errorOutput : .file(value)
        case "--allow-handler": allow { $0.allow(NamePattern(value)) }
        case "--deny-handler": grants.deny(NamePattern(value))
        case "--allow-files": allow { $0.allowFiles(below: value) }
        case "--deny-files": grants.denyFiles(below: value)
        default: try readData(option, value)
        }
    }

    private mutating func readData(_ option: String, _ value: String) throws(UsageError) {
        let isAllowance = option.hasPrefix("--allow-")
        let name = option.dropFirst(isAllowance ? "--allow-".count : "--deny-".count)
        guard let operation = DataOperation(rawValue: String(name)) else { return }
        let scope = try Self.scope(value, of: option)
        if isAllowance {
            allow { $0.allow([operation], on: scope) }
        } else {
            grants.deny([operation], on: scope)
        }
    }

    // With an allowance on the command line, everything else is denied.
    private mutating func allow(_ change: (inout BridgeGrants) -> Void) {
        grants.fallback = .deny
        change(&grants)
    }

    /// Parses `ENTITY`, `ENTITY(ATTRIBUTE,...)`, and either with `?CONDITION` after it.
    private static func scope(_ text: String, of option: String) throws(UsageError) -> DataScope {
        var rest = text[...]
        let entity = rest.prefix { $0 != "(" && $0 != "?" }
        rest = rest.dropFirst(entity.count)
        var attributes: Set<String>?
        if rest.first == "(" {
            guard let end = rest.firstIndex(of: ")") else { throw wrong(option, text, "')' is missing") }
            let names = rest[rest.index(after: rest.startIndex)..<end].split(
                separator: ",",
                omittingEmptySubsequences: false
            )
            let trimmed = names.map { $0.trimmingCharacters(in: .whitespaces) }
            guard !trimmed.contains("") else { throw wrong(option, text, "an attribute has no name") }
            attributes = Set(trimmed)
            rest = rest[rest.index(after: end)...]
        }
        var rows: Value?
        if rest.first == "?" {
            let json = Data(rest.dropFirst().utf8)
            guard let value = try? JSONDecoder().decode(Value.self, from: json), value.objectValue != nil
            else {
                throw wrong(option, text, "what follows '?' is not a JSON object")
            }
            rows = value
            rest = ""
        }
        guard !entity.isEmpty else { throw wrong(option, text, "the entity has no name") }
        guard rest.isEmpty else { throw wrong(option, text, "only '?' may follow") }
        return .entity(NamePattern(String(entity)), of: "default", attributes: attributes, rows: rows)
    }

    private static func wrong(_ option: String, _ text: String, _ reason: String) -> UsageError {
        let form = "ENTITY, ENTITY(ATTRIBUTE,...), or either with ?CONDITION"
        return UsageError(
            "'\(option)' takes \(form), not \(MessageText.quoted(text)): \(reason)",
            about: .run
        )
    }

    /// Applies the grants to the options of a run.
    ///
    /// - Parameters:
    ///   - options: The options of the run.
    ///   - hasTimeLimit: Whether the user has given a time limit.
    /// - Throws: ``UsageError`` for limits that are weaker than those of the tier.
    func apply(to options: inout RunOptions, hasTimeLimit: Bool) throws(UsageError) {
        do {
            options.grants = try grants.validated(for: tier)
        } catch {
            throw UsageError("\(error)", about: .run)
        }
        options.permissions = permissions.permissions
        options.tier = tier
        options.audit = audit
        guard tier != .trusted else { return }
        try limitMemory(of: &options)
        guard let weakest = ExecutionLimits.weakest(of: tier).processorTime else { return }
        guard hasTimeLimit else {
            options.timeLimit = weakest
            return
        }
        guard let limit = options.timeLimit, limit <= weakest else {
            let seconds = weakest / .seconds(1)
            throw UsageError(
                "'--time-limit' is \(seconds) at most in the \(tier) tier",
                about: .run
            )
        }
    }

    private func limitMemory(of options: inout RunOptions) throws(UsageError) {
        guard let weakest = ExecutionLimits.weakest(of: tier).maximumHeapBytes else { return }
        guard options.memoryLimit != RunOptions.defaultMemoryLimit else {
            options.memoryLimit = weakest
            return
        }
        guard let limit = options.memoryLimit, limit <= weakest else {
            throw UsageError("'--memory-limit' is \(weakest >> 20)M at most in the \(tier) tier", about: .run)
        }
    }
}
