internal import BridgeProtocol
internal import BridgeValues
internal import Foundation
internal import JavaScriptBridge

/// The recorded results of requests that scripts make by a name and arguments, in order: synchronous requests, calls of
/// the data API.
///
/// - Complexity: Constant for each result, except for arguments with marks in place of secrets, which are searched
///   linearly if nothing is equal.
// A class, because a mutated lazy property would be copied each time.
final class RecordedReplies<Answer> {
    private struct Row {
        let arguments: [Value]
        let answer: Answer
        var isTaken = false
    }

    /// Indexes in order, the first of which are taken.
    private struct Places {
        var all: [Int] = []
        var first = 0
    }

    private struct Named {
        var places = Places()
        /// The indexes for equal arguments.
        var same: [[Value]: Places] = [:]
        /// The indexes of arguments with marks, which match anything.
        var marked = Places()
        var restCount = 0
    }

    private var rows: [Row] = []
    private var named: [String: Named] = [:]

    private let repeatsLast: Bool

    /// Creates an empty collection.
    ///
    /// - Parameter repeatsLast: Whether the last result of a name is returned repeatedly.
    init(repeatsLast: Bool = true) { self.repeatsLast = repeatsLast }

    /// Adds the result of the next request.
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

    /// Returns the result of a request: that of an equal request, or else the next one for its name.
    ///
    /// - Parameters:
    ///   - name: The name of the request.
    ///   - arguments: The arguments.
    ///   - repeatsSame: Whether equal arguments whose result was taken receive it again, and no other.
    /// - Returns: The result; `nil` where there is none.
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

extension RecordedReplies<JournalOutcome> {
    /// Creates the replies to synchronous requests.
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

/// The recording of one call of the data API.
struct RecordedDataAnswer {
    /// The recorded arguments, with the numbers of functions.
    let arguments: [Value]
    /// The callbacks during the call.
    var callbacks: [JournalEntry] = []
    var outcome = JournalOutcome.success(.undefined)
}

extension RecordedReplies<RecordedDataAnswer> {
    /// Creates the results of calls of the data API.
    convenience init(toDataCallsOf entries: [JournalEntry]) {
        self.init()
        // A callback belongs to the open call, and not to calls that the callback makes itself.
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
    /// A Boolean value that indicates whether the value has a mark in place of a secret.
    fileprivate var hasMark: Bool {
        switch self {
        case .string(let text): text.contains(SecretMembers.mark)
        case .array(let elements): elements.contains(where: \.hasMark)
        case .object(let object): object.members.contains { $0.value.hasMark }
        default: false
        }
    }

    /// A value that is the same for all values that match each other without marks; others rarely share it.
    fileprivate var comparable: Value {
        switch self {
        case .double(let number) where number.isNaN: return .string("NaN")
        case .date(let date): return .double((date.timeIntervalSince1970 * 1000).rounded())
        case .reference: return .undefined
        case .array(let elements): return .array(elements.map(\.comparable))
        case .object(let object):
            // A function of the script, whose number comes from the journal.
            if case .script = BoundaryValue(self) { return BoundaryValue.script(0).value }
            return .object(ValueObject(object.members.map { ($0.key, $0.value.comparable) }))
        default: return self
        }
    }
}
