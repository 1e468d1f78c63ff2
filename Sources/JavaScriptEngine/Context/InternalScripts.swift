internal import CBridgeScript
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// The package's own scripts, as a virtual machine has parsed them.
///
/// Every context runs the same sources. The engine parses a source when it evaluates it. Given the same source string
/// again, it copies, hashes and compares all of it to find what it has parsed. A script object avoids that, but the
/// engine parses its source once more to create it, and copies it. So the first context of a machine evaluates the
/// sources, or their bytecode, and the script objects are created for the second: the virtual machine of a bridge has
/// mostly one context (decision 10).
struct InternalScripts {
    /// A source in the form in which a context should run it.
    enum Form {
        case source(JSStringRef)
        /// Bytecode, which the engine may not accept, and its source.
        case bytecode(OpaquePointer, JSStringRef)
        case script(OpaquePointer)
    }

    private let shared: SharedScripts

    // By the address of the source, which is a constant of the program; `nil` if it was requested once.
    private var scripts: [UnsafePointer<UInt8>: OpaquePointer?] = [:]

    init(shared: SharedScripts = .current) { self.shared = shared }

    /// Returns a source for one more context.
    ///
    /// - Parameters:
    ///   - text: The source.
    ///   - group: The machine.
    ///   - readsBytecode: Whether the machine may read bytecode instead. A function that was read has no positions for a
    ///     debugger that attaches later.
    /// - Returns: The form in which the context should run it.
    /// - Throws: ``JSException`` if the source is not well-formed, which is a bug of this package.
    mutating func form(
        of text: BridgeScriptText,
        in group: JSContextGroupRef,
        readsBytecode: Bool
    ) throws -> Form {
        guard let address = text.bytes else {
            throw JSException(name: "Error", message: "the package's own script is missing")
        }
        switch scripts[address] {
        case nil:
            scripts.updateValue(nil, forKey: address)
            guard readsBytecode else { return .source(shared.string(of: text, at: address)) }
            return shared.form(of: text, at: address)
        case .some(nil):
            let script = try Self.script(of: shared.string(of: text, at: address), in: group)
            scripts[address] = script
            return .script(script)
        case let script??: return .script(script)
        }
    }

    private static func script(of source: JSStringRef, in group: JSContextGroupRef) throws -> OpaquePointer {
        var message: JSStringRef?
        var line: Int32 = 0
        let script = EngineString.with(JSContext.internalSourceURL) {
            JSScriptCreateFromString(group, $0, 1, source, &message, &line)
        }
        if let message { JSStringRelease(message) }
        guard let script else {
            throw JSException(
                name: "SyntaxError",
                message: "the package's own script is not well-formed at line \(line)"
            )
        }
        return script
    }

    /// Releases the scripts.
    ///
    /// It must be called before their virtual machine is released.
    mutating func release() {
        for case let script? in scripts.values { JSScriptRelease(script) }
        scripts = [:]
    }
}
