internal import BridgeValues
internal import JavaScriptBridge

/// The functions of an object of the package's script, called by their names.
///
/// It does not retain the context, which owns whatever holds this object.
final class ScriptFunctions {
    private weak var context: JSContext?
    private let object: JSHandle
    /// The number of times that the frames of the view were resumed, shared by all functions of the view.
    private let resumptions: Counter
    /// The error of a function of a frame that was stopped, and the number at that time.
    private var stopped: (error: JSException, resumptions: Int)?

    private final class Counter { var count = 0 }

    init(_ object: JSValue) {
        context = object.context
        self.object = JSHandle(object)
        resumptions = Counter()
    }

    /// Creates the functions of another object of the same view.
    init(_ object: JSValue, of view: ScriptFunctions) {
        context = object.context
        self.object = JSHandle(object)
        resumptions = view.resumptions
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
    func ask(_ name: String, _ arguments: Value...) throws -> Value { try ask(name, arguments) }

    private func ask(_ name: String, _ arguments: [Value]) throws -> Value {
        let value = try value
        let context = value.context
        return try context.withTurn {
            try value.invokeMethod(name, withArguments: arguments.map { try JSValue($0, in: context) })
                .toValue()
        }
    }

    /// Calls a function of which a frame consists, and returns its result as data.
    ///
    /// One that was stopped at its limit would hold up every frame for as long again, and with it the keys of its user.
    /// So none of this object is called again until ``resumeFrames()``. Calls that fail because another function was
    /// stopped earlier in the same turn do not count.
    ///
    /// - Throws: The errors of ``ask(_:_:)``; the error of the function that was stopped.
    func askForFrame(_ name: String, _ arguments: Value...) throws -> Value {
        if let stopped, stopped.resumptions == resumptions.count { throw stopped.error }
        let wasTerminating = isTerminating
        do {
            return try ask(name, arguments)
        } catch let error as JSException where error.isTermination && !wasTerminating {
            stopped = (error, resumptions.count)
            throw error
        }
    }

    /// Allows the functions of frames to be called again, because the script or its data have changed the view.
    func resumeFrames() { resumptions.count += 1 }

    /// A Boolean value that indicates whether a script was stopped in this turn.
    var isTerminating: Bool { context?.isTerminating == true }

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
