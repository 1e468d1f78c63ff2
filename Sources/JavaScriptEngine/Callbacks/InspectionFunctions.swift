internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// The native functions that `console` calls: facts about a value that the language does not expose, and the output's
/// properties.
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
        // The target of a proxy, null for a revoked one; undefined for any other object.
        try define("proxyTarget", on: object, in: context) { context, arguments in
            guard let value = arguments.ref(at: 0), JSValueIsObject(context.ref, value) else { return nil }
            return jsb_proxy_target(value)
        }
        // 0 pending, 1 fulfilled, 2 rejected; undefined for a value that is not a promise, which a sample promise
        // identifies.
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
    /// Returns the first argument if it is a promise like the second one, which is a sample.
    fileprivate func promise(_ arguments: CallArguments) -> JSObjectRef? {
        guard jsb_knows_promise_result(), let value = arguments.ref(at: 0), JSValueIsObject(ref, value),
            let example = arguments.ref(at: 1), let plain = script.internalObject,
            jsb_is_same_kind(value, example), !jsb_is_same_kind(plain, example)
        else { return nil }
        return value
    }
}
