internal import BridgeProtocol
internal import BridgeValues
internal import JavaScriptBridge

/// The host's part of the data API.
extension JournalPlayer {
    /// Installs the functions of the data API in a context, if it has them in the journal.
    func installData(in context: JSContext) throws {
        data = nil
        var names: [String]?
        if let next, case .data(let functions) = next {
            trace.append(next)
            cursor.advance()
            names = functions
        } else if mode == .free {
            // A context that a fault creates has the same functions.
            names = entries.lazy.compactMap { if case .data(let names) = $0 { names } else { nil } }.first
            if let names { trace.append(.data(names)) }
        }
        guard let names else { return }
        let data = ReplayedData(self, in: context)
        self.data = data
        try data.install(names)
    }

    /// Handles a call of the data API by the script.
    ///
    /// - Parameters:
    ///   - function: The name of the function.
    ///   - arguments: The arguments; functions have no numbers yet.
    ///   - context: The context of the script.
    ///   - recorded: A closure that receives the recorded arguments, before any callback.
    /// - Returns: The host's result; `nil` if the journal has none.
    /// - Throws: An error if the script was terminated.
    func call(
        _ function: String,
        _ arguments: [Value],
        in context: JSContext,
        _ recorded: ([Value]) -> Void
    ) throws -> JournalOutcome? {
        let entry = JournalEntry.dataCall(function: function, arguments: arguments)
        guard mode != .free else { return try answerFreely(entry, function, arguments, recorded) }
        let start = position
        compare(entry)
        guard divergence == nil, position > start, case .dataCall(_, let old) = entries[position - 1] else {
            return nil
        }
        recorded(old)
        while divergence == nil, let entry = next, entry.isCause { _ = try perform(in: context) }
        guard divergence == nil else { return nil }
        guard let next, case .dataReturn(let outcome) = next else {
            // A journal that stops in the middle of the call does not diverge.
            if next != nil || isWhole { diverge(at: position, expected: next, actual: nil) }
            return nil
        }
        trace.append(next)
        cursor.advance()
        return outcome
    }

    /// Calls a function of the script as the journal says; nothing happens if the script has not passed the function.
    func callBack(_ entry: JournalEntry, in context: JSContext) throws {
        guard case .dataCallback(let number, let function, let arguments) = entry else { return }
        trace.append(entry)
        guard let outcome = try data?.callBack(number, function, arguments) else {
            guard mode == .exact else {
                trace.removeLast()
                return
            }
            return diverge(at: position - 1, expected: entry, actual: nil)
        }
        compare(.dataResult(outcome))
        // The turn runs the microtasks.
    }

    // Where nothing is compared, a call receives the result of a similar one.
    private func answerFreely(
        _ entry: JournalEntry,
        _ function: String,
        _ arguments: [Value],
        _ recorded: ([Value]) -> Void
    ) throws -> JournalOutcome? {
        passOver(entry)
        guard let answer = dataAnswers.take(function, arguments) else {
            let error = ReplayedData.unanswered(function)
            trace += [entry, .dataReturn(.failure(error.record))]
            return nil
        }
        trace.append(.dataCall(function: function, arguments: arguments.numbered(like: answer.arguments)))
        recorded(answer.arguments)
        for callback in answer.callbacks {
            guard case .dataCallback(let number, let function, let arguments) = callback else { continue }
            trace.append(callback)
            if let outcome = try data?.callBack(number, function, arguments) {
                trace.append(.dataResult(outcome))
            } else {
                trace.removeLast()
            }
        }
        trace.append(.dataReturn(answer.outcome))
        return answer.outcome
    }

    // Skips the recorded call, if it is the script's next action in the journal.
    private func passOver(_ entry: JournalEntry) {
        var index = position
        while index < entries.count, !entries[index].isCause {
            if entry.matches(entries[index], isRedacted: true) {
                return cursor.move(to: entries.end(ofCallAt: index))
            }
            if case .dataCall = entries[index] {
                index = entries.end(ofCallAt: index)
            } else {
                index += 1
            }
        }
    }
}

extension [JournalEntry] {
    /// Returns the index after a call of the data API and all its callbacks.
    func end(ofCallAt start: Int) -> Int {
        var depth = 0
        for index in start..<count {
            switch self[index] {
            case .dataCall: depth += 1
            case .dataReturn: depth -= 1
            default: break
            }
            if depth == 0 { return index + 1 }
        }
        return count
    }
}

extension [Value] {
    /// Returns the arguments with the numbers that others have for functions of the script.
    fileprivate func numbered(like others: [Value]) -> [Value] {
        enumerated().map { index, value in
            guard case .script = BoundaryValue(value), index < others.count,
                case .script = BoundaryValue(others[index])
            else { return value }
            return others[index]
        }
    }
}
