internal import BridgeProtocol
package import BridgeValues

/// The boundary between the data API and the scripts of one context of a recorded bridge: it records what crosses.
///
/// It wraps all functions of the API without knowing any of them. Values with an identity cross by number
/// (``BoundaryValue``): objects and functions of Swift when they are passed out, functions of the script when they are
/// passed in. Everything else crosses as data and is read once: the host receives what the journal has. If the host
/// passes on an exception of a script's function, the script receives the identical exception.
///
/// It is used inside turns only. The functions that scripts hold retain it.
package final class DataBoundary {
    /// The number of script exceptions that are recognized again: a host rethrows an exception soon, or never.
    private static let maximumThrown = 64

    private unowned let context: JSContext
    private let port: any RecordingHook
    /// The names of the functions that get values which a script computed from any data, including secrets.
    private let keyFunctions: Set<String>
    private var hostCount = 0
    private var functionCount = 0
    private var callbackCount = 0
    private var thrown: [(callback: Int, exception: JSException)] = []
    private var hidden: [Value]?
    private var hiddenResult: Value?
    private var hidesNextFunction = false

    private init(_ port: any RecordingHook, _ context: JSContext, keyFunctions: Set<String>) {
        self.context = context
        self.port = port
        self.keyFunctions = keyFunctions
    }

    /// Wraps functions in a boundary; returns the object that scripts get instead.
    fileprivate static func around(
        _ functions: JSValue,
        keyFunctions: Set<String>,
        _ port: any RecordingHook
    ) throws -> (JSValue, DataBoundary) {
        let context = functions.context
        let border = DataBoundary(port, context, keyFunctions: keyFunctions)
        let names = try functions.propertyNames()
        _ = port.cross(.data(names))
        let outside = try JSValue(.object(ValueObject()), in: context)
        for name in names {
            let function = try functions.forProperty(name)
            try outside.setValue(border.function(name, function), forProperty: name)
        }
        return (outside, border)
    }

    /// A Boolean value that indicates whether the journal has placeholders instead of secrets.
    package var hidesSecrets: Bool { port.journal?.redactsSecrets ?? false }

    /// A Boolean value that indicates whether the journal has placeholders instead of keys: a script may have computed
    /// a key from secrets.
    package var hidesKeys: Bool { hidesSecrets && SecretMembers.shared.isInUse }

    /// Gives the journal other data for the next array, or the last arguments, that go to the script: the same data
    /// without its secrets (R38).
    ///
    /// The arguments of calls to functions among them may be computed from the secrets: the journal has placeholders
    /// there.
    package func write(instead parts: [JSValue]) throws { hidden = try parts.map { try give($0).data } }

    /// Gives the journal another value for the result of the function being called: the same without its secrets (R38).
    package func write(instead result: Value) { hiddenResult = result }

    /// Makes the journal write placeholders for the arguments of the next function that is passed to the script (R38).
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
        // A call with an argument that cannot be read is not recorded.
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
                _ = port.cross(.dataReturn(.failure(BoundaryValue.thrown(known.callback).value)))
                throw exception
            }
            var error = BridgeError(exception)
            // It is thrown where the script called, and gets its stack there.
            error.frames = []
            let record = error.record
            _ = port.cross(.dataReturn(.failure(record)))
            // Create it as a replay creates it from the journal.
            throw BridgeError(record: record)
        }
    }

    /// Converts a value of the script for the host, and to data.
    private func take(_ value: JSValue) throws -> (value: JSValue, data: Value) {
        if let object = context.object(behind: value) as? HostObject {
            return (context.value(of: object.handle), BoundaryValue.host(object.number).value)
        }
        if value.isFunction {
            functionCount += 1
            let (number, handle) = (functionCount, JSHandle(value))
            let function = context.makeHostFunction(returningValue: { call in
                try self.callBack(number, handle, call)
            })
            return (function, BoundaryValue.script(number).value)
        }
        if let array = BoundaryValue(typedArray: value) { return (value, array.value) }
        let data = try value.toValue()
        return (try JSValue(data, in: context), BoundaryValue.escaped(data))
    }

    // MARK: - The host calls

    private func callBack(_ number: Int, _ function: JSHandle, _ call: HostCall) throws -> JSValue? {
        // Taken first: one of the arguments may be an array itself.
        let hidden = hidden.take()
        let hidesArguments = hidden != nil
        let arguments = try (0..<call.count).map {
            try give(call.jsValue(at: $0), hidesArguments: hidesArguments)
        }
        var data = arguments.map(\.data)
        if let hidden { data.replaceSubrange((data.count - hidden.count)..., with: hidden) }
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

    /// Converts a value of the host for the script, and to data.
    private func give(_ value: JSValue, hidesArguments: Bool = false) throws -> (value: JSValue, data: Value)
    {
        if context.object(behind: value) != nil {
            hostCount += 1
            let object = HostObject(number: hostCount, handle: JSHandle(value))
            return (context.makeHandle(object), BoundaryValue.host(hostCount).value)
        }
        if value.isFunction {
            hostCount += 1
            let hides = hidesNextFunction || hidesArguments
            hidesNextFunction = false
            let function = function("#\(hostCount)", value, hidesArguments: hides)
            return (function, BoundaryValue.function(hostCount).value)
        }
        if let array = BoundaryValue(typedArray: value) { return (value, array.value) }
        guard value.isArray else { return (value, BoundaryValue.escaped(try value.toValue())) }
        let shown = hidden.take()
        let elements = try value.toArray().map { try give($0) }
        let list = try JSValue(newArrayIn: context, of: elements.map(\.value))
        return (list, .array(shown ?? elements.map(\.data)))
    }
}

/// A Swift object that a script holds, with its number in the journal.
private final class HostObject {
    let number: Int
    let handle: JSHandle

    init(number: Int, handle: JSHandle) {
        self.number = number
        self.handle = handle
    }
}

extension JSContext {
    /// Passes the functions of the data API to the package's own script; on a recorded bridge, through a boundary that
    /// records what crosses.
    ///
    /// - Parameters:
    ///   - functions: The functions, as the properties of an object.
    ///   - keyFunctions: The names of those that get keys which a script computed from any data, including secrets.
    ///   - configuration: The bridge's configuration.
    /// - Returns: The boundary, if there is one.
    /// - Throws: An error if the context can no longer run scripts.
    package func installData(
        _ functions: JSValue,
        keyFunctions: Set<String>,
        of configuration: BridgeConfiguration
    ) throws -> DataBoundary? {
        guard let port = configuration.recording, port.journal != nil else {
            try internals.setValue(functions, forProperty: "data")
            return nil
        }
        let (outside, border) = try DataBoundary.around(functions, keyFunctions: keyFunctions, port)
        try internals.setValue(outside, forProperty: "data")
        return border
    }
}
