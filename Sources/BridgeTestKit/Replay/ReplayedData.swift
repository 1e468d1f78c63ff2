internal import BridgeProtocol
internal import BridgeValues
internal import Foundation
internal import JavaScriptBridge

/// The data API in one context of a replay: its functions return the recorded results and make the recorded callbacks.
///
/// The player retains this object; the functions of the context retain neither.
final class ReplayedData {
    private unowned let context: JSContext
    private weak var player: JournalPlayer?
    /// The functions that the script has passed, by their numbers in the journal.
    private var functions: [Int: JSHandle] = [:]
    /// The errors of the functions, by the number of the callback.
    private var thrown: [Int: JSException] = [:]
    /// The number of the script's calls in progress.
    private(set) var depth = 0

    init(_ player: JournalPlayer, in context: JSContext) {
        self.context = context
        self.player = player
    }

    /// Gives the package's own script functions with these names, and runs it.
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
        BridgeError(.disconnected, "The journal has no reply of the data API's \"\(function)\" here.")
    }

    // MARK: - The script calls

    private func answer(_ name: String, _ call: HostCall, _ player: JournalPlayer) throws -> JSValue? {
        let given = try (0..<call.count).map { try take(call.jsValue(at: $0)) }
        depth += 1
        defer { depth -= 1 }
        let outcome = try player.call(name, given.map(\.data), in: context) { recorded in
            for (given, recorded) in zip(given, recorded) {
                if let handle = given.function, case .script(let number) = BoundaryValue(recorded) {
                    functions[number] = handle
                }
            }
        }
        switch outcome {
        case nil: throw Self.unanswered(name)
        case .success(let value): return try make(value)
        case .failure(let record):
            if case .thrown(let number) = BoundaryValue(record) {
                throw thrown[number] ?? Self.unanswered(name)
            }
            throw BridgeError(record: record)
        }
    }

    /// Returns a value of the script as data; functions have no number until the journal provides it.
    private func take(_ value: JSValue) throws -> (data: Value, function: JSHandle?) {
        if let object = context.object(behind: value) as? ReplayedObject {
            return (BoundaryValue.host(object.number).value, nil)
        }
        if value.isFunction { return (BoundaryValue.script(1).value, JSHandle(value)) }
        if let array = BoundaryValue(typedArray: value) { return (array.value, nil) }
        return (BoundaryValue.escaped(try value.toValue()), nil)
    }

    /// Returns a value of the journal as a value of the script.
    private func make(_ value: Value) throws -> JSValue {
        switch BoundaryValue(value) {
        case .host(let number): return context.makeHandle(ReplayedObject(number: number))
        case .function(let number): return function("#\(number)")
        case .array(let kind, let bytes): return try JSTypedArray(of: kind, data: bytes, in: context).value
        case .script(let number):
            return functions[number].map(context.value(of:)) ?? JSValue(undefinedIn: context)
        case .thrown: return JSValue(undefinedIn: context)
        case nil: break
        }
        if let members = BoundaryValue.members(value) { return try object(members) }
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
    /// - Returns: The result; `nil` where the script has not passed the function.
    /// - Throws: An error if the script was terminated.
    func callBack(_ number: Int, _ function: Int, _ arguments: [Value]) throws -> JournalOutcome? {
        guard let function = functions[function] else { return nil }
        do {
            let arguments = try arguments.map { try make($0) }
            let result = try context.value(of: function).call(withArguments: arguments)
            return JournalOutcome(.success(result))
        } catch let exception as JSException where !exception.isTermination {
            thrown[number] = exception
            // No caller could receive the error.
            if depth == 0 { context.reportUncaught(exception) }
            return JournalOutcome(.failure(exception))
        }
    }
}

/// An object of Swift in a replay, represented by its number.
private final class ReplayedObject {
    let number: Int

    init(number: Int) { self.number = number }
}
