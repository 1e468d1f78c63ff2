/// Hints for names of other runtimes that scripts try to use.
///
/// The engine offers no way to add a hint to its `ReferenceError` inside the script without a property of that name,
/// which `typeof` would find. So the hint is added to the description of the error that the host gets.
enum GlobalHints {
    private static let opening = "Can't find variable: "

    /// Returns the message of a `ReferenceError`, with a hint if it names a known global.
    static func message(_ message: String, name: String, globals: GlobalSet) -> String {
        guard name == "ReferenceError", message.hasPrefix(opening) else { return message }
        let variable = String(message.dropFirst(opening.count))
        guard let hint = hint(for: variable, globals: globals) else { return message }
        return "\(message) (\(hint))"
    }

    private static func hint(for name: String, globals: GlobalSet) -> String? {
        if let hint = replacements[name] { return hint }
        if later.contains(name) { return "\(name) comes in a later version of JavaScriptBridge" }
        guard globals == .minimal, web.contains(name) else { return nil }
        return
            "\(name) is one of the globals of GlobalSet.web, and this context has those of GlobalSet.minimal"
    }

    private static let replacements = [
        "Buffer": "use Uint8Array with TextEncoder, TextDecoder, toBase64() and fromBase64()",
        "XMLHttpRequest": "a script has no network; ask a handler of the host",
        "__dirname": "use import.meta.url in a module",
        "__filename": "use import.meta.url in a module",
        "clearImmediate": "use clearTimeout()",
        "document": "a script has no page; see the views of BridgeViews",
        "exports": "use export in a module",
        "global": "use globalThis",
        "module": "use export in a module",
        "process": "a script has no process; ask a handler of the host",
        "require": "use import in a module, or import() in a script",
        "setImmediate": "use setTimeout(callback, 0), or queueMicrotask(callback) for the end of this turn",
        "window": "use globalThis",
    ]

    /// The names of the Minimum Common Web API that no set has yet.
    static let later: Set<String> = [
        "Blob", "ByteLengthQueuingStrategy", "CompressionStream", "CountQueuingStrategy", "CryptoKey",
        "DecompressionStream", "File", "FormData", "Headers", "ReadableByteStreamController",
        "ReadableStream",
        "ReadableStreamBYOBReader", "ReadableStreamBYOBRequest", "ReadableStreamDefaultController",
        "ReadableStreamDefaultReader", "Request", "Response", "SubtleCrypto", "TextDecoderStream",
        "TextEncoderStream", "TransformStream", "TransformStreamDefaultController", "URLPattern",
        "WebAssembly",
        "WritableStream", "WritableStreamDefaultController", "WritableStreamDefaultWriter", "fetch",
    ]

    /// The names that ``GlobalSet/web`` adds.
    static let web: Set<String> = [
        "Crypto", "ErrorEvent", "MessageChannel", "MessageEvent", "MessagePort", "Navigator", "Performance",
        "PerformanceEntry", "PerformanceMark", "PerformanceMeasure", "PerformanceObserver",
        "PerformanceObserverEntryList", "PromiseRejectionEvent", "QuotaExceededError", "URL",
        "URLSearchParams", "addEventListener", "atob", "btoa", "crypto", "dispatchEvent", "navigator",
        "onerror", "onrejectionhandled",
        "onunhandledrejection", "performance", "removeEventListener", "reportError", "self",
    ]
}
