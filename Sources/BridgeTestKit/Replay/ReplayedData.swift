internal import BridgeProtocol
internal import BridgeValues
internal import Foundation
internal import JavaScriptBridge

/// The data API in one context of a replay: its functions answer what the journal says, and call the script back where
/// it was called back.
///
/// The player holds this, and the functions of the context hold neither.
final class ReplayedData {
    private unowned let context: JSContext
    private weak var player: JournalPlayer?
    /// The functions that the script has handed over, by their numbers in the journal.
    private var functions: [Int: JSHandle] = [:]
    /// What they threw, by the number of the callback.
    private var thrown: [Int: JSException] = [:]
    /// How many calls of the script are under way.
    private(set) var depth = 0

    init(_ player: JournalPlayer, in context: JSContext) {
        self.context = context
        self.player = player
    }

    /// Gives the package's own script functions by these names, and runs it.
    func install(_ names: [String]) throws {
        let functions = try JSValue(.object(ValueObject()), in: context)
        for name in names { try functions.setValue(function(name), forProperty: name) }
        try context.internals.setValue(functions, forProperty: "data")
        try context.runDataScript()
    }

    private func function(_ name: String) -> JSValue {
        context.makeHostFunction(returningValue: { [weak self] call in
            guard let self, let player else { throw Self.unanswered(name) }
            return try answer(name, call, player)
        })
    }

    static func unanswered(_ function: String) -> BridgeError {
        BridgeError(.disconnected, "The journal has no answer of the data API's \"\(function)\" here.")
    }

    // MARK: - The script calls

    private func answer(_ name: String, _ call: HostCall, _ player: JournalPlayer) throws -> JSValue? {
        let given = try (0..<call.count).map { try take(call.jsValue(at: $0)) }
        depth += 1
        defer { depth -= 1 }
        let outcome = try player.call(name, given.map(\.data), in: context) { recorded in
            for (given, recorded) in zip(given, recorded) {
                if let handle = given.function, case .script(let number) = DataMark(recorded) {
                    functions[number] = handle
                }
            }
        }
        switch outcome {
        case nil: throw Self.unanswered(name)
        case .success(let value): return try make(value)
        case .failure(let record):
            if case .thrown(let number) = DataMark(record) {
                throw thrown[number] ?? Self.unanswered(name)
            }
            throw BridgeError(record: record)
        }
    }

    /// A value of the script as data; functions have no number before the journal gives them one.
    private func take(_ value: JSValue) throws -> (data: Value, function: JSHandle?) {
        if let object = context.object(behind: value) as? ReplayedObject {
            return (DataMark.host(object.number).value, nil)
        }
        if value.isFunction { return (DataMark.script(1).value, JSHandle(value)) }
        if let array = DataMark(typedArray: value) { return (array.value, nil) }
        return (DataMark.escaped(try value.toValue()), nil)
    }

    /// A value of the journal as the script gets it.
    private func make(_ value: Value) throws -> JSValue {
        switch DataMark(value) {
        case .host(let number): return context.makeHandle(ReplayedObject(number: number))
        case .function(let number): return function("#\(number)")
        case .array(let kind, let bytes): return try JSTypedArray(of: kind, data: bytes, in: context).value
        case .script(let number):
            return functions[number].map(context.value(of:)) ?? JSValue(undefinedIn: context)
        case .thrown: return JSValue(undefinedIn: context)
        case nil: break
        }
        if let members = DataMark.members(value) { return try object(members) }
        switch value {
        case .array(let elements):
            return try JSValue(newArrayIn: context, of: elements.map { try make($0) })
        case .object(let members) where Self.hasMark(value): return try object(members)
        default: return try JSValue(value, in: context)
        }
    }

    private func object(_ members: ValueObject) throws -> JSValue {
        let object = try JSValue(.object(ValueObject()), in: context)
        for member in members { try object.setValue(make(member.value), forProperty: member.key) }
        return object
    }

    private static func hasMark(_ value: Value) -> Bool {
        switch value {
        case .array(let elements): elements.contains(where: hasMark)
        case .object(let object):
            object["@"] != nil || object.members.contains { hasMark($0.value) }
        default: false
        }
    }

    // MARK: - The host calls

    /// Calls a function of the script as the host did.
    ///
    /// - Returns: What came of it; `nil` where the script has not handed the function over.
    /// - Throws: Where the script was stopped.
    func callBack(_ number: Int, _ function: Int, _ arguments: [Value]) throws -> JournalOutcome? {
        guard let function = functions[function] else { return nil }
        do {
            let arguments = try arguments.map { try make($0) }
            let result = try context.value(of: function).call(withArguments: arguments)
            return JournalOutcome(.success(result))
        } catch let exception as JSException where !exception.isTermination {
            thrown[number] = exception
            // Nobody is there to whom it could be thrown on.
            if depth == 0 { context.reportUncaught(exception) }
            return JournalOutcome(.failure(exception))
        }
    }
}

/// What stands for an object of Swift in a replay: its number.
private final class ReplayedObject {
    let number: Int

    init(number: Int) { self.number = number }
}
