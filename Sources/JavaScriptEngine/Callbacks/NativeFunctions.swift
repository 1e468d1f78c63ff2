internal import BridgeValues
internal import CBridgeScript
internal import CJavaScriptCore

/// The native functions that the package's own script calls.
///
/// They are never visible to a user's script.
enum NativeFunctions {
    /// Defines the functions on an object.
    static func install(on object: JSObjectRef, in context: JSContext) throws {
        try define("growOutgoing", on: object, in: context) { context, arguments in
            try context.slab.growOutgoing(used: arguments.integer(at: 0), in: context.ref)
        }
        try define("growIncoming", on: object, in: context) { context, _ in
            try context.slab.shareIncoming(in: context.ref)
        }
        try define("shareKnown", on: object, in: context) { context, _ in
            try context.slab.shareKnown(in: context.ref)
        }
        try define("renewOutgoing", on: object, in: context) { context, _ in
            try context.slab.renewOutgoing(in: context.ref)
        }
        try define("consumeValue", on: object, in: context) { context, arguments in
            context.slab.taken = try context.readSlab(arguments)
            return nil
        }
        // A script that closed its context still runs to its end, and may first use a bundle then.
        try define("loadBundle", on: object, in: context, outlivesClosing: true) { context, arguments in
            try context.runInternal(bridge_script_late(arguments.text(at: 0)), with: context.script)
            return nil
        }
        try defineErrors(on: object, in: context)
        try defineWeb(on: object, in: context)
        try installInspection(on: object, in: context)
        // The package's script calls it in every call. Through "call", because calling one of these boxes directly
        // takes five times as long.
        let now = HostFunction.makeBox(countsAsNested: false, in: context) { arguments in
            arguments.scalars.encode(
                arguments.unmanaged._withUnsafeGuaranteedRef { $0.millisecondsSinceStart }
            )
        }
        try context.setInternal("now", to: now, on: object)
        try define("startTimer", on: object, in: context) { context, arguments in
            try context.startTimer(
                id: arguments.integer(at: 0),
                milliseconds: arguments.double(at: 1),
                isReferenced: arguments.double(at: 2) == 0
            )
            return nil
        }
        try define("stopTimer", on: object, in: context) { context, arguments in
            context.stopTimer(id: arguments.integer(at: 0))
            return nil
        }
        try HostFunction.installCall(on: object, in: context)
        try JSContext.installSettled(on: object, in: context)
    }

    /// Defines the functions that the script calls with the parts of an error, and those that report errors.
    ///
    /// The functions that outlive closing also serve a script that still runs after it closed its context.
    private static func defineErrors(on object: JSObjectRef, in context: JSContext) throws {
        try define("consumeError", on: object, in: context, outlivesClosing: true) { context, arguments in
            context.errors.described = context.readException(arguments)
            return nil
        }
        try define("consumeCaught", on: object, in: context, outlivesClosing: true) { context, arguments in
            let exception = context.readException(arguments)
            if let thrown = arguments.ref(at: 6) { exception.trace.keep(thrown, in: context) }
            context.errors.described = exception
            return context.script.caught
        }
        try define("noteCauseOrigin", on: object, in: context, outlivesClosing: true) { context, arguments in
            context.errors.causeOrigins[arguments.integer(at: 0)] = arguments.errorOrigin(at: 1)
            return nil
        }
        try define("reportError", on: object, in: context) { context, arguments in
            context.reportUncaught(context.readException(arguments))
            return nil
        }
        try define("noteFailure", on: object, in: context) { context, arguments in
            context.errors.notedFailure = context.readException(arguments)
            return nil
        }
        try define("reportRejection", on: object, in: context) { context, arguments in
            context.reportRejection(arguments.ref(at: 1))
            return nil
        }
    }

    typealias Body = (JSContext, CallArguments) throws -> JSValueRef?

    static func define(
        _ name: String,
        on object: JSObjectRef,
        in context: JSContext,
        outlivesClosing: Bool = false,
        _ body: @escaping Body
    ) throws {
        let function = HostFunction.makeBox(outlivesClosing: outlivesClosing, in: context) { arguments in
            let context = arguments.context
            return EncodedValue(try body(context, arguments) ?? JSValueMakeUndefined(context.ref))
        }
        try context.setInternal(name, to: function, on: object)
    }
}
