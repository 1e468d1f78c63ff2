internal import BridgeValues
internal import JavaScriptBridge

/// The functions of an object of the package's script, called by their names.
///
/// It does not retain the context, which owns whatever holds this object.
final class ScriptFunctions {
    private unowned let context: JSContext
    private let object: JSHandle

    init(_ object: JSValue) {
        context = object.context
        self.object = JSHandle(object)
    }

    /// The object.
    var value: JSValue { context.value(of: object) }

    /// Calls a function.
    ///
    /// - Throws: The error of the script as ``BridgeError``; ``JSException`` if it was stopped.
    @discardableResult
    func call(_ name: String, _ arguments: Value...) throws -> JSValue {
        try context.withTurn {
            try value.invokeMethod(name, withArguments: arguments.map { try JSValue($0, in: context) })
        }
    }

    /// Calls a function, and returns its result as data.
    func ask(_ name: String, _ arguments: Value...) throws -> Value {
        try context.withTurn {
            try value.invokeMethod(name, withArguments: arguments.map { try JSValue($0, in: context) })
                .toValue()
        }
    }

    /// Creates a function for the script.
    func makeFunction(_ body: @escaping (HostCall) throws -> Value) -> JSValue {
        context.makeHostFunction(body)
    }
}

extension Value {
    /// Creates the number of an index.
    static func index(_ number: Int) -> Value { .integer(Int64(number)) }

    /// The number as an index; `nil` for other values.
    var index: Int? { doubleValue.flatMap { Int(exactly: $0) } }
}
