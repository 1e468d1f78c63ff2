internal import CBridgeScript
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// What `console` asks the host for: what the language itself does not say about a value, and what the output is like.
extension NativeFunctions {
    static func installInspection(on object: JSObjectRef, in context: JSContext) throws {
        try define("print", on: object, in: context) { context, arguments in
            context.print(level: arguments.text(at: 0), text: arguments.ref(at: 1))
            return nil
        }
        try define("displayWidth", on: object, in: context) { context, arguments in
            JSValueMakeNumber(context.ref, Double(DisplayWidth.of(arguments.text(at: 0))))
        }
        try define("usesColors", on: object, in: context) { context, arguments in
            let level = ConsoleMessage.Level(rawValue: arguments.text(at: 0))
            let colors = level.map { context.consoleStyle.coloredLevels.contains($0) } ?? false
            return JSValueMakeBoolean(context.ref, colors)
        }
        try define("consoleColumns", on: object, in: context) { context, _ in
            JSValueMakeNumber(context.ref, Double(context.consoleStyle.columns ?? 0))
        }
        try define("loadConsole", on: object, in: context) { context, _ in
            guard let shared = context.script.internalObject else { return nil }
            try context.runInternal(bridge_script_inspect(), with: shared)
            try context.runInternal(bridge_script_console(), with: shared)
            return nil
        }
        // What a proxy stands before, null of a revoked one; undefined for any other object.
        try define("proxyTarget", on: object, in: context) { context, arguments in
            guard let value = arguments.ref(at: 0), JSValueIsObject(context.ref, value) else { return nil }
            return jsb_proxy_target(value)
        }
        // 0 pending, 1 fulfilled, 2 rejected; undefined for what is no promise, told by one that is given as an example.
        try define("promiseState", on: object, in: context) { context, arguments in
            guard let promise = context.promise(arguments) else { return nil }
            let status = jsb_promise_status(context.virtualMachine.group, promise)
            return JSValueMakeNumber(context.ref, Double(status))
        }
        try define("promiseResult", on: object, in: context) { context, arguments in
            guard let promise = context.promise(arguments) else { return nil }
            return jsb_promise_result(context.virtualMachine.group, promise)
        }
    }
}

extension JSContext {
    /// The first argument, where it is a promise as the second is.
    fileprivate func promise(_ arguments: CallArguments) -> JSObjectRef? {
        guard jsb_knows_promise_result(), let value = arguments.ref(at: 0), JSValueIsObject(ref, value),
            let example = arguments.ref(at: 1), let plain = script.internalObject,
            jsb_is_same_kind(value, example), !jsb_is_same_kind(plain, example)
        else { return nil }
        return value
    }
}
