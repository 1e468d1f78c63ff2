internal import BridgeValues

/// A breakpoint of a client.
final class Breakpoint {
    let id: Int
    let path: String?
    let script: (context: Int, id: String)?
    let line: Int
    let column: Int?
    let condition: String?
    let hits: HitCondition?
    let logMessage: LogMessage?
    /// The IDs in the engine, by context.
    var engineIDs: [Int: String] = [:]
    var isVerified = false
    var isRemoved = false
    var hitCount = 0

    init(
        id: Int,
        path: String?,
        script: (context: Int, id: String)?,
        _ description: Value
    ) throws(BreakpointProblem) {
        self.id = id
        self.path = path
        self.script = script
        line = description["line"].int ?? 1
        column = description["column"].int
        condition = description["condition"].nonEmptyString
        hits = try description["hitCondition"].nonEmptyString.map { text throws(BreakpointProblem) in
            try HitCondition(text)
        }
        logMessage = description["logMessage"].nonEmptyString.map(LogMessage.init)
    }

    /// The options of the engine's breakpoint.
    var options: Value {
        var options = ValueObject([])
        if let condition { options["condition"] = .string(condition) }
        if let logMessage {
            options["autoContinue"] = true
            options["actions"] = [
                ["type": "probe", "data": .string(logMessage.expression), "id": Value(id)]
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
    let expression: String

    init(_ message: String) {
        var result = "`"
        var depth = 0
        for character in message {
            switch character {
            case "{":
                result += depth == 0 ? "${" : "{"
                depth += 1
            case "}" where depth > 0:
                result += "}"
                depth -= 1
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
    private var bySource: [String: [Breakpoint]] = [:]
    private var count = 0

    var all: [Breakpoint] { bySource.values.flatMap { $0 }.sorted { $0.id < $1.id } }

    /// Returns the next ID.
    mutating func makeID() -> Int {
        count += 1
        return count
    }

    /// Replaces the breakpoints of a source.
    ///
    /// - Returns: The ones before.
    mutating func replace(_ source: String, by breakpoints: [Breakpoint]) -> [Breakpoint] {
        bySource.updateValue(breakpoints, forKey: source) ?? []
    }

    /// Returns the breakpoint with an ID of the engine.
    func breakpoint(engineID: String, in context: Int) -> Breakpoint? {
        all.first { $0.engineIDs[context] == engineID }
    }

    func breakpoint(id: Int) -> Breakpoint? { all.first { $0.id == id } }

    func engineIDs(in context: Int) -> [String] { all.compactMap { $0.engineIDs[context] } }
}

extension Value {
    /// The string, if it has characters.
    var nonEmptyString: String? { stringValue.flatMap { $0.isEmpty ? nil : $0 } }
}
