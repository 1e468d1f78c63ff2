internal import CBridgeScript
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// The package's own scripts, parsed once per virtual machine.
///
/// Every context runs the same sources. Given a source string, the engine copies, hashes and compares all of it to find
/// its parsed form. For a source of 22 KB that took 19 us in each context, besides creating the string; a retained
/// script takes 1.7 us (measured on 2.50.6).
struct InternalScripts {
    // By the address of the source, which is a constant of the program.
    private var scripts: [UnsafePointer<UInt8>: OpaquePointer] = [:]

    /// Returns the parsed script of a source.
    ///
    /// - Throws: ``JSException`` if the source is not well-formed, which is a bug of this package.
    mutating func script(of text: BridgeScriptText, in group: JSContextGroupRef) throws -> OpaquePointer {
        guard let address = text.bytes else {
            throw JSException(name: "Error", message: "the package's own script is missing")
        }
        if let script = scripts[address] { return script }
        let source = String(decoding: UnsafeBufferPointer(start: address, count: text.count), as: UTF8.self)
        var message: JSStringRef?
        var line: Int32 = 0
        // The only use of the engine's UTF-8 function: it stores ASCII as bytes, which the engine reads faster.
        let script = source.withCString { characters in
            let string = JSStringCreateWithUTF8CString(characters)
            defer { JSStringRelease(string) }
            return EngineString.with(JSContext.internalSourceURL) {
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

    /// Releases the scripts.
    ///
    /// It must be called before their virtual machine is released.
    mutating func release() {
        for script in scripts.values { JSScriptRelease(script) }
        scripts = [:]
    }
}
