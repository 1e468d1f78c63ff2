internal import BridgeValues
internal import JavaScriptBridge

/// The functions of an object of the package's script, called by their names.
///
/// It does not retain the context, which owns whatever holds this object.
final class ScriptFunctions {
    private weak var context: JSContext?
    private let object: JSHandle

    init(_ object: JSValue) {
        context = object.context
        self.object = JSHandle(object)
    }

    /// The object.
    ///
    /// - Throws: ``BridgeError`` with the code `disconnected` after the bridge was reloaded.
    var value: JSValue {
        get throws {
            guard let context else {
                throw BridgeError(
                    .disconnected,
                    "the script of this view is gone: its bridge was reloaded or closed"
                )
            }
            return context.value(of: object)
        }
    }

    /// Calls a function, and returns its result as data.
    ///
    /// A script can change what arrives: it may have replaced functions of the language that the conversion uses.
    ///
    /// - Throws: The error of the script as ``JSException``; ``BridgeError`` with the code `disconnected`.
    func ask(_ name: String, _ arguments: Value...) throws -> Value {
        let value = try value
        let context = value.context
        return try context.withTurn {
            try value.invokeMethod(name, withArguments: arguments.map { try JSValue($0, in: context) })
                .toValue()
        }
    }

    /// Passes an error to the bridge's handler of uncaught errors.
    func report(_ error: any Error) {
        guard let context else { return }
        let exception = error as? JSException
        guard exception?.isTermination != true else { return }
        let wrapped = BridgeError(wrapping: error)
        context.reportUncaught(
            exception ?? JSException(code: wrapped.code.rawValue, message: wrapped.message)
        )
    }
}

extension Value {
    /// Creates the number of an index.
    static func index(_ number: Int) -> Value { .integer(Int64(number)) }

    /// The number as an index; `nil` for other values.
    var index: Int? { doubleValue.flatMap { Int(exactly: $0) } }
}
