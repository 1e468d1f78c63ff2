internal import CBridgeScript
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// The package's own scripts as one virtual machine has parsed them.
///
/// Every context runs the same texts. Handed over as text each time, the engine copies, hashes and compares all
/// of it to find what it has parsed before: for a text of 22 KB that took 19 us in each context, besides making
/// the text, and 1.7 us as a script that is kept (measured on 2.50.6).
struct InternalScripts {
    // By the address of the text, which is the program's own constant.
    private var scripts: [UnsafePointer<UInt8>: OpaquePointer] = [:]

    /// Gives the parsed script of a text.
    ///
    /// - Throws: ``JSException`` if the text is not well-formed, which is a mistake of this package.
    mutating func script(of text: BridgeScriptText, in group: JSContextGroupRef) throws -> OpaquePointer {
        guard let address = text.bytes else {
            throw JSException(name: "Error", message: "the package's own script is missing")
        }
        if let script = scripts[address] { return script }
        let source = String(decoding: UnsafeBufferPointer(start: address, count: text.count), as: UTF8.self)
        var message: JSStringRef?
        var line: Int32 = 0
        // The one use of the engine's UTF-8 function: it keeps ASCII as bytes, which the engine reads sooner.
        let script = source.withCString { characters in
            let string = JSStringCreateWithUTF8CString(characters)
            defer { JSStringRelease(string) }
            return EngineText.with(JSContext.internalSourceURL) {
                JSScriptCreateFromString(group, $0, 1, string, &message, &line)
            }
        }
        if let message { JSStringRelease(message) }
        guard let script else {
            throw JSException(
                name: "SyntaxError",
                message: "the package's own script is not well-formed at line \(line)"
            )
        }
        scripts[address] = script
        return script
    }

    /// Lets the scripts go, before their virtual machine.
    mutating func release() {
        for script in scripts.values { JSScriptRelease(script) }
        scripts = [:]
    }
}
