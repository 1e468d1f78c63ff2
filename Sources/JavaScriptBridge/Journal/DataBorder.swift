internal import BridgeProtocol
package import BridgeValues

/// The border between the data API and the scripts of one context of a bridge that is recorded: what crosses is written
/// down there.
///
/// It stands around all functions of the API alike and knows none of them. What has an identity crosses by number
/// (``DataMark``): objects and functions of Swift as they are given out, functions of the script as they are handed over.
/// All else crosses as data, and is read once: the host is given what the journal has. What a function of the script
/// throws is thrown on as the very same where the host passes it on.
///
/// Used inside turns only. The functions that scripts have hold this.
package final class DataBorder {
    /// How many errors of scripts are known again: a host that keeps one for later throws it soon, or never.
    private static let maximumThrown = 64

    private unowned let context: JSContext
    private let port: any CrossingPort
    /// The functions that get what a script makes of anything, secrets too.
    private let keyFunctions: Set<String>
    private var hostCount = 0
    private var functionCount = 0
    private var callbackCount = 0
    private var thrown: [(callback: Int, exception: JSException)] = []
    private var hidden: [Value]?
    private var hiddenResult: Value?
    private var hidesNextFunction = false

    private init(_ port: any CrossingPort, _ context: JSContext, keyFunctions: Set<String>) {
        self.context = context
        self.port = port
        self.keyFunctions = keyFunctions
    }

    /// Puts the border around functions; gives the object that scripts have instead.
    fileprivate static func around(
        _ functions: JSValue,
        keyFunctions: Set<String>,
        _ port: any CrossingPort
    ) throws -> (JSValue, DataBorder) {
        let context = functions.context
        let border = DataBorder(port, context, keyFunctions: keyFunctions)
        let names = try functions.propertyNames()
        _ = port.cross(.data(names))
        let outside = try JSValue(.object(ValueObject()), in: context)
        for name in names {
            let function = try functions.forProperty(name)
            try outside.setValue(border.function(name, function), forProperty: name)
        }
        return (outside, border)
    }

    /// Whether a mark stands in the journal in the place of secrets.
    package var hidesSecrets: Bool { port.journal?.redactsSecrets ?? false }

    /// Whether a mark stands in the journal in the place of keys: of what a script made them nobody knows.
    package var hidesKeys: Bool { hidesSecrets && SecretMembers.shared.isInUse }

    /// Gives the journal other data for the next list, or the next arguments' end, that goes to the script: the same
    /// without its secrets (R38).
    ///
    /// What the script gives to functions among those arguments it may have made of the secrets: the journal has marks there.
    package func write(instead parts: [JSValue]) throws { hidden = try parts.map { try give($0).data } }

    /// Gives the journal another value for what the function that is called gives: the same without its secrets (R38).
    package func write(instead result: Value) { hiddenResult = result }

    /// Gives the journal marks for what the script will give to the next function that goes to it (R38).
    package func hideArgumentsOfNextFunction() { hidesNextFunction = true }

    // MARK: - The script calls

    private func function(_ name: String, _ function: JSValue, hidesArguments: Bool = false) -> JSValue {
        let function = JSHandle(function)
        return context.makeHostFunction(returningValue: { try self.call(name, function, $0, hidesArguments) })
    }

    private func call(
        _ name: String,
        _ function: JSHandle,
        _ call: HostCall,
        _ hidesArguments: Bool
    ) throws -> JSValue? {
        // What cannot be read has not crossed.
        let arguments = try (0..<call.count).map { try take(call.jsValue(at: $0)) }
        let isHidden = hidesArguments || keyFunctions.contains(name) && hidesKeys
        let shown = arguments.map { isHidden ? .string(SecretMembers.mark) : $0.data }
        _ = port.cross(.dataCall(function: name, arguments: shown))
        hiddenResult = nil
        do {
            let result = try context.value(of: function).call(withArguments: arguments.map(\.value))
            let given = try give(result)
            _ = port.cross(.dataReturn(.success(hiddenResult.take() ?? given.data)))
            return given.value
        } catch let exception as JSException where !exception.isTermination {
            if let known = thrown.last(where: { $0.exception.isThrownAgain(by: exception, in: context) }) {
                _ = port.cross(.dataReturn(.failure(DataMark.thrown(known.callback).value)))
                throw exception
            }
            var error = BridgeError(exception)
            // It is thrown where the script called, and has its stack from there.
            error.frames = []
            let record = error.record
            _ = port.cross(.dataReturn(.failure(record)))
            // As it is made from the journal.
            throw BridgeError(record: record)
        }
    }

    /// A value of the script as the host gets it, and as data.
    private func take(_ value: JSValue) throws -> (value: JSValue, data: Value) {
        if let object = context.object(behind: value) as? HostObject {
            return (context.value(of: object.handle), DataMark.host(object.number).value)
        }
        if value.isFunction {
            functionCount += 1
            let (number, handle) = (functionCount, JSHandle(value))
            let function = context.makeHostFunction(returningValue: { call in
                try self.callBack(number, handle, call)
            })
            return (function, DataMark.script(number).value)
        }
        if let array = DataMark(typedArray: value) { return (value, array.value) }
        let data = try value.toValue()
        return (try JSValue(data, in: context), DataMark.escaped(data))
    }

    // MARK: - The host calls

    private func callBack(_ number: Int, _ function: JSHandle, _ call: HostCall) throws -> JSValue? {
        let hidesArguments = hidden != nil
        let arguments = try (0..<call.count).map {
            try give(call.jsValue(at: $0), hidesArguments: hidesArguments)
        }
        var data = arguments.map(\.data)
        if let hidden = hidden.take() { data.replaceSubrange((data.count - hidden.count)..., with: hidden) }
        callbackCount += 1
        let callback = callbackCount
        _ = port.cross(.dataCallback(number: callback, function: number, arguments: data))
        do {
            let result = try context.value(of: function).call(withArguments: arguments.map(\.value))
            _ = port.cross(.dataResult(JournalOutcome(.success(result))))
            return result
        } catch let exception as JSException where !exception.isTermination {
            if thrown.count == Self.maximumThrown { thrown.removeFirst() }
            thrown.append((callback, exception))
            _ = port.cross(.dataResult(JournalOutcome(.failure(exception))))
            throw exception
        }
    }

    /// A value of the host as the script gets it, and as data.
    private func give(_ value: JSValue, hidesArguments: Bool = false) throws -> (value: JSValue, data: Value)
    {
        if context.object(behind: value) != nil {
            hostCount += 1
            let object = HostObject(number: hostCount, handle: JSHandle(value))
            return (context.makeHandle(object), DataMark.host(hostCount).value)
        }
        if value.isFunction {
            hostCount += 1
            let hides = hidesNextFunction || hidesArguments
            hidesNextFunction = false
            let function = function("#\(hostCount)", value, hidesArguments: hides)
            return (function, DataMark.function(hostCount).value)
        }
        if let array = DataMark(typedArray: value) { return (value, array.value) }
        guard value.isArray else { return (value, DataMark.escaped(try value.toValue())) }
        let shown = hidden.take()
        let elements = try value.toArray().map { try give($0) }
        let list = try JSValue(newArrayIn: context, of: elements.map(\.value))
        return (list, .array(shown ?? elements.map(\.data)))
    }
}

/// An object of Swift in the hand of a script, with its number in the journal.
private final class HostObject {
    let number: Int
    let handle: JSHandle

    init(number: Int, handle: JSHandle) {
        self.number = number
        self.handle = handle
    }
}

extension JSContext {
    /// Gives the package's own script the functions of the data API; where the bridge is recorded, through a border that
    /// writes down what crosses.
    ///
    /// - Parameters:
    ///   - functions: The functions, as the members of an object.
    ///   - keyFunctions: The names of those that get keys which a script has made of anything, secrets too.
    ///   - configuration: The bridge's.
    /// - Returns: The border, where there is one.
    /// - Throws: Where the context runs no script any more.
    package func installData(
        _ functions: JSValue,
        keyFunctions: Set<String>,
        of configuration: BridgeConfiguration
    ) throws -> DataBorder? {
        guard let port = configuration.crossings, port.journal != nil else {
            try internals.setValue(functions, forProperty: "data")
            return nil
        }
        let (outside, border) = try DataBorder.around(functions, keyFunctions: keyFunctions, port)
        try internals.setValue(outside, forProperty: "data")
        return border
    }
}
