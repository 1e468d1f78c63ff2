internal import BridgeValues

/// A breakpoint of a client.
final class Breakpoint {
    /// The source of a breakpoint.
    enum Place: Hashable {
        case path(String)
        /// The number by which a client knows a script or a source without a file.
        case reference(Int)
    }

    /// A breakpoint of the engine.
    struct Installation: Hashable {
        let id: String
        /// The name of the script with a source map in which it is; `nil` for one in all scripts of a path.
        let mappedScript: String?
    }

    let id: Int
    let place: Place
    let line: Int
    let column: Int?
    let condition: String?
    let hits: HitCondition?
    let logMessage: LogMessage?
    /// The breakpoints in the engine, by context.
    var installations: [Int: [Installation]] = [:]
    /// The number of commands to the engine that have no response.
    var pendingCount = 0
    var isVerified = false
    /// A Boolean value that indicates whether the engine was asked if the condition is an expression.
    var isParsed = false
    var isRemoved = false
    var hitCount = 0

    init(id: Int, place: Place, _ description: Value) throws(BreakpointProblem) {
        self.id = id
        self.place = place
        line = description["line"].int ?? 1
        column = description["column"].int
        condition = description["condition"].nonEmptyString
        hits = try description["hitCondition"].nonEmptyString.map { text throws(BreakpointProblem) in
            try HitCondition(text)
        }
        logMessage = description["logMessage"].nonEmptyString.map(LogMessage.init)
    }

    /// The file; `nil` for a source without one.
    var path: String? { if case .path(let path) = place { path } else { nil } }

    /// The options of the engine's breakpoint.
    var options: Value {
        var options = ValueObject([])
        if let condition { options["condition"] = .string(InspectedScript.evaluation(condition)) }
        if let logMessage {
            options["autoContinue"] = true
            options["actions"] = [
                [
                    "type": "probe", "data": .string(InspectedScript.evaluation(logMessage.expression)),
                    "id": Value(id),
                ]
            ]
        }
        return .object(options)
    }
}

/// A breakpoint that cannot be set.
struct BreakpointProblem: Error {
    let message: String
}

/// The hits of a breakpoint at which it pauses: `5`, `== 5`, `>= 5`, `> 5`, `<= 5`, `< 5`, `% 5`.
struct HitCondition {
    private let matches: @Sendable (Int) -> Bool

    init(_ text: String) throws(BreakpointProblem) {
        let text = text.filter { $0 != " " }
        let sign = text.prefix { !$0.isNumber }
        guard let number = Int(text.dropFirst(sign.count)), number > 0 else {
            throw BreakpointProblem(message: "the hit condition '\(text)' is not one such as 5, >= 5 or % 5")
        }
        switch sign {
        case "", "=", "==", "===": matches = { $0 == number }
        case ">": matches = { $0 > number }
        case ">=": matches = { $0 >= number }
        case "<": matches = { $0 < number }
        case "<=": matches = { $0 <= number }
        case "%": matches = { $0 % number == 0 }
        default:
            throw BreakpointProblem(message: "the hit condition '\(text)' is not one such as 5, >= 5 or % 5")
        }
    }

    /// Returns whether the breakpoint pauses at a hit, from 1.
    func includes(_ hit: Int) -> Bool { matches(hit) }
}

/// The message of a logpoint, whose expressions are in braces.
struct LogMessage {
    /// The template literal that a script evaluates.
    ///
    /// An expression that throws is replaced by the text of its error.
    let expression: String

    init(_ message: String) {
        var result = "`"
        var depth = 0
        for character in message {
            switch character {
            case "{":
                result += depth == 0 ? "${(() => { try { return (" : "{"
                depth += 1
            case "}" where depth > 0:
                depth -= 1
                result += depth == 0 ? "\n); } catch (error) { return `<${error}>`; } })()}" : "}"
            case "`", "\\", "$": result += depth == 0 ? "\\\(character)" : String(character)
            default: result.append(character)
            }
        }
        // A brace without an end is text.
        expression = depth == 0 ? result + "`" : JSONText.of(.string(message))
    }
}

/// The breakpoints of a session.
struct BreakpointTable {
    private struct EngineKey: Hashable {
        let context: Int
        let id: String
    }

    private var bySource: [Breakpoint.Place: [Breakpoint]] = [:]
    private var byID: [Int: Breakpoint] = [:]
    private var byEngineID: [EngineKey: Breakpoint] = [:]
    private var count = 0

    var isEmpty: Bool { byID.isEmpty }

    var all: [Breakpoint] { byID.values.sorted { $0.id < $1.id } }

    /// Returns the next ID.
    mutating func makeID() -> Int {
        count += 1
        return count
    }

    /// Replaces the breakpoints of a source.
    ///
    /// - Returns: The ones before.
    mutating func replace(_ source: Breakpoint.Place, by breakpoints: [Breakpoint]) -> [Breakpoint] {
        let old = bySource.updateValue(breakpoints, forKey: source) ?? []
        for breakpoint in old { byID[breakpoint.id] = nil }
        for breakpoint in breakpoints { byID[breakpoint.id] = breakpoint }
        return old
    }

    /// Records a breakpoint of the engine.
    mutating func add(_ installation: Breakpoint.Installation, to breakpoint: Breakpoint, in context: Int) {
        breakpoint.installations[context, default: []].append(installation)
        byEngineID[EngineKey(context: context, id: installation.id)] = breakpoint
    }

    /// Removes and returns the breakpoints of the engine in a context that match.
    mutating func removeInstallations(
        of breakpoint: Breakpoint,
        in context: Int,
        where matches: (Breakpoint.Installation) -> Bool = { _ in true }
    ) -> [Breakpoint.Installation] {
        let removed = breakpoint.installations[context, default: []].filter(matches)
        breakpoint.installations[context]?.removeAll(where: matches)
        for installation in removed { byEngineID[EngineKey(context: context, id: installation.id)] = nil }
        return removed
    }

    /// Returns the breakpoint with an ID of the engine.
    func breakpoint(engineID: String, in context: Int) -> Breakpoint? {
        byEngineID[EngineKey(context: context, id: engineID)]
    }

    func breakpoint(id: Int) -> Breakpoint? { byID[id] }

    func engineIDs(in context: Int) -> [String] {
        all.flatMap { $0.installations[context, default: []].map(\.id) }
    }
}

extension Value {
    /// The string, if it has characters.
    var nonEmptyString: String? { stringValue.flatMap { $0.isEmpty ? nil : $0 } }
}
