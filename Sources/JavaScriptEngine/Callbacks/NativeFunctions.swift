internal import BridgeValues
internal import CJavaScriptCore

/// The native functions that the package's own script calls.
///
/// A script of a user never sees them.
enum NativeFunctions {
    /// Defines them on an object.
    static func install(on object: JSObjectRef, in context: JSContext) throws {
        try define("growOutgoing", on: object, in: context) { context, arguments in
            try context.slab.growOutgoing(used: arguments.integer(at: 0), in: context.ref)
        }
        try define("growIncoming", on: object, in: context) { context, _ in
            try context.slab.shareIncoming(in: context.ref)
        }
        try define("renewOutgoing", on: object, in: context) { context, _ in
            try context.slab.renewOutgoing(in: context.ref)
        }
        try define("consumeValue", on: object, in: context) { context, arguments in
            context.slab.taken = try context.readSlab(arguments)
            return nil
        }
        try define("reportError", on: object, in: context) { context, arguments in
            let record = try context.readSlab(arguments)
            context.reportUncaught(JSException(record: record, sources: context.sources))
            return nil
        }
        try define("reportRejection", on: object, in: context) { context, arguments in
            context.reportUncaught(context.exception(from: arguments.ref(at: 1)))
            return nil
        }
        try define("print", on: object, in: context) { context, arguments in
            context.print(level: arguments.text(at: 0), text: arguments.text(at: 1))
            return nil
        }
        try define("displayWidth", on: object, in: context) { context, arguments in
            JSValueMakeNumber(context.ref, Double(DisplayWidth.of(arguments.text(at: 0))))
        }
        try define("now", on: object, in: context) { context, _ in
            JSValueMakeNumber(context.ref, context.millisecondsSinceStart)
        }
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
        try HostFunction.installInvoke(on: object, in: context)
    }

    typealias Body = (JSContext, RawArguments) throws -> JSValueRef?

    private static func define(
        _ name: String,
        on object: JSObjectRef,
        in context: JSContext,
        _ body: @escaping Body
    ) throws {
        let function = HostFunction.makeRaw(in: context, body)
        try context.setInternal(name, to: function, on: object)
    }
}

/// The arguments of a native call, as long as it lasts.
struct RawArguments {
    let context: JSContext
    let refs: UnsafeBufferPointer<JSValueRef?>

    func ref(at index: Int) -> JSValueRef? { refs.indices.contains(index) ? refs[index] : nil }

    func double(at index: Int) -> Double {
        guard let value = ref(at: index), JSValueIsNumber(context.ref, value) else { return 0 }
        return JSValueToNumber(context.ref, value, nil)
    }

    /// A whole number; 0 where it is none or does not fit.
    func integer(at index: Int) -> Int { Int(exactly: double(at: index)) ?? 0 }

    /// Text with lone surrogates replaced; empty where it is no text.
    func text(at index: Int) -> String { context.text(of: ref(at: index)) ?? "" }
}
