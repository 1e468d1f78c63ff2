internal import BridgeProtocol
internal import BridgeValues
internal import Foundation
internal import JavaScriptBridge

/// What a journal has as answers to something that scripts ask for by a name and arguments, in its order: synchronous
/// requests, calls of the data API.
///
/// - Complexity: Constant for each answer, but for those whose arguments have marks in the place of secrets: these are looked
///   through where nothing is the same.
// A class, as a lazy property that is changed would copy it each time.
final class RecordedAnswers<Answer> {
    private struct Row {
        let arguments: [Value]
        let answer: Answer
        var isTaken = false
    }

    /// Places in an order, of which those at the front have been taken.
    private struct Places {
        var all: [Int] = []
        var first = 0
    }

    private struct Named {
        var places = Places()
        /// Those that the same arguments find.
        var same: [[Value]: Places] = [:]
        /// Those whose arguments have marks, which match anything.
        var marked = Places()
        var restCount = 0
    }

    private var rows: [Row] = []
    private var named: [String: Named] = [:]

    private let repeatsLast: Bool

    /// - Parameter repeatsLast: Whether the last answer to a name is given again and again.
    init(repeatsLast: Bool = true) { self.repeatsLast = repeatsLast }

    /// Adds the answer to what was asked next.
    func append(_ answer: Answer, to name: String, _ arguments: [Value]) {
        let place = rows.count
        rows.append(Row(arguments: arguments, answer: answer))
        var named = named.removeValue(forKey: name) ?? Named()
        named.restCount += 1
        named.places.all.append(place)
        if arguments.contains(where: \.hasMark) {
            named.marked.all.append(place)
        } else {
            named.same[arguments.map(\.comparable), default: Places()].all.append(place)
        }
        self.named[name] = named
    }

    /// The answer to what is asked: that to the same, else the next to its name.
    ///
    /// - Parameters:
    ///   - name: What is asked.
    ///   - arguments: With what.
    ///   - repeatsSame: Whether arguments that had an answer, which was taken, get that again, and no other.
    /// - Returns: The answer; `nil` where there is none.
    func take(_ name: String, _ arguments: [Value], repeatsSame: Bool = false) -> Answer? {
        guard var named = named.removeValue(forKey: name) else { return nil }
        defer { self.named[name] = named }
        let fits = { (row: Row) in
            row.arguments.count == arguments.count
                && zip(arguments, row.arguments).allSatisfy { $0.matches(argument: $1, isRedacted: true) }
        }
        let key = arguments.map(\.comparable)
        let same = named.same[key] == nil ? nil : first(of: &named.same[key, default: Places()], where: fits)
        let marked = first(of: &named.marked, where: fits)
        let fitting = [same, marked].compactMap(\.self).min()
        if fitting == nil, repeatsSame, let last = named.same[key]?.all.last { return rows[last].answer }
        guard let place = fitting ?? first(of: &named.places) else { return nil }
        if named.restCount > 1 || !repeatsLast {
            rows[place].isTaken = true
            named.restCount -= 1
        }
        return rows[place].answer
    }

    private func first(of places: inout Places, where fits: (Row) -> Bool = { _ in true }) -> Int? {
        while places.first < places.all.count, rows[places.all[places.first]].isTaken { places.first += 1 }
        return places.all[places.first...].first { !rows[$0].isTaken && fits(rows[$0]) }
    }
}

extension RecordedAnswers<JournalOutcome> {
    /// The answers to synchronous requests.
    convenience init(toRequestsOf entries: [JournalEntry]) {
        self.init()
        var open: [(String, Value)] = []
        for entry in entries {
            switch entry {
            case .request(let handler, let payload): open.append((handler, payload))
            case .answer(let outcome):
                if let (handler, payload) = open.popLast() { append(outcome, to: handler, [payload]) }
            default: break
            }
        }
    }
}

/// What a journal has of one call of the data API.
struct RecordedDataAnswer {
    /// As the journal has them, with the numbers of functions.
    let arguments: [Value]
    /// What the host called back meanwhile.
    var callbacks: [JournalEntry] = []
    var outcome = JournalOutcome.success(.undefined)
}

extension RecordedAnswers<RecordedDataAnswer> {
    /// The answers to calls of the data API.
    convenience init(toDataCallsOf entries: [JournalEntry]) {
        self.init()
        // A callback belongs to the call that is open, and not to those that it makes itself.
        var open: [(function: String, answer: RecordedDataAnswer)] = []
        for entry in entries {
            switch entry {
            case .dataCall(let function, let arguments):
                open.append((function, RecordedDataAnswer(arguments: arguments)))
            case .dataCallback: if !open.isEmpty { open[open.count - 1].answer.callbacks.append(entry) }
            case .dataReturn(let outcome):
                guard var call = open.popLast() else { break }
                call.answer.outcome = outcome
                append(call.answer, to: call.function, call.answer.arguments)
            default: break
            }
        }
    }
}

extension Value {
    /// Whether a mark stands in it in the place of a secret.
    fileprivate var hasMark: Bool {
        switch self {
        case .string(let text): text.contains(SecretMembers.mark)
        case .array(let elements): elements.contains(where: \.hasMark)
        case .object(let object): object.members.contains { $0.value.hasMark }
        default: false
        }
    }

    /// The same value for all that match each other where nothing has marks; seldom for others.
    fileprivate var comparable: Value {
        switch self {
        case .double(let number) where number.isNaN: return .string("NaN")
        case .date(let date): return .double((date.timeIntervalSince1970 * 1000).rounded())
        case .reference: return .undefined
        case .array(let elements): return .array(elements.map(\.comparable))
        case .object(let object):
            // A function of the script, which has its number from the journal.
            if case .script = DataMark(self) { return DataMark.script(0).value }
            return .object(ValueObject(object.members.map { ($0.key, $0.value.comparable) }))
        default: return self
        }
    }
}
