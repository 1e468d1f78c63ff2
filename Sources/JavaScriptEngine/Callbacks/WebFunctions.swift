internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Foundation

/// The native functions of the web's globals.
extension NativeFunctions {
    static func defineWeb(on object: JSObjectRef, in context: JSContext) throws {
        guard context.globals.set == .web else { return }
        try define("setGlobalPrototype", on: object, in: context) { context, arguments in
            if let prototype = arguments.ref(at: 0) { _ = jsb_set_global_prototype(context.ref, prototype) }
            return nil
        }
        try define("watchRejection", on: object, in: context) { context, arguments in
            if let promise = arguments.ref(at: 0) { context.globals.rejections.watch(promise, in: context) }
            return nil
        }
        try define("endWatch", on: object, in: context) { context, arguments in
            let isHandled = arguments.ref(at: 0)
                .map { context.globals.rejections.endWatch(of: $0, in: context) }
            return JSValueMakeBoolean(context.ref, isHandled ?? false)
        }
        try define("makeURLParser", on: object, in: context) { context, arguments in
            if let members = arguments.ref(at: 0) { try URLFunctions.install(on: members, in: context) }
            return nil
        }
        try define("fillRandom", on: object, in: context) { context, arguments in
            try context.fillRandom(arguments.ref(at: 0), count: arguments.integer(at: 1))
            return nil
        }
    }
}

extension JSContext {
    /// Fills the beginning of an array with random bytes of the system.
    ///
    /// The array is one of the package's own scripts.
    fileprivate func fillRandom(_ array: JSObjectRef?, count: Int) throws {
        guard let bytes = JSObjectGetTypedArrayBytesPtr(ref, array, nil) else {
            throw JSException(name: "Error", message: "an array without bytes cannot be filled")
        }
        let failure = jsb_fill_random(bytes, count)
        guard failure == 0 else {
            throw JSException(
                name: "Error",
                message: "the system has no random bytes: \(String(cString: strerror(failure)))"
            )
        }
    }
}
