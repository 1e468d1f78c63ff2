internal import CBridgeScript
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Synchronization

/// The package's own scripts, as a virtual machine has parsed them.
///
/// Every context runs the same sources. The engine parses a source when it evaluates it. Given the same source string
/// again, it copies, hashes and compares all of it to find what it has parsed. A script object avoids that, but the
/// engine parses its source once more to create it, and copies it. So the first context of a machine evaluates the
/// sources, and the script objects are created for the second: the virtual machine of a bridge has mostly one context
/// (decision 10).
struct InternalScripts {
    /// A source in the form in which a context should run it.
    enum Form {
        case source(JSStringRef)
        case script(OpaquePointer)
    }

    // By the address of the source, which is a constant of the program; `nil` if it was requested once.
    private var scripts: [UnsafePointer<UInt8>: OpaquePointer?] = [:]

    /// Returns a source for one more context.
    ///
    /// - Throws: ``JSException`` if the source is not well-formed, which is a bug of this package.
    mutating func form(of text: BridgeScriptText, in group: JSContextGroupRef) throws -> Form {
        guard let address = text.bytes else {
            throw JSException(name: "Error", message: "the package's own script is missing")
        }
        switch scripts[address] {
        case nil:
            scripts.updateValue(nil, forKey: address)
            return .source(Self.strings.string(of: text, at: address))
        case .some(nil):
            let script = try Self.script(of: Self.strings.string(of: text, at: address), in: group)
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

    private static let strings = SourceStrings()
}

/// The sources of the package's scripts as strings of the engine, which all virtual machines share.
private final class SourceStrings: Sendable {
    /// A string that is never released.
    ///
    /// Several threads may use it: the engine counts the references of its strings atomically, and copies the
    /// characters when it uses them.
    private struct Shared: @unchecked Sendable { let string: JSStringRef }

    private let strings = Mutex<[UInt: Shared]>([:])

    func string(of text: BridgeScriptText, at address: UnsafePointer<UInt8>) -> JSStringRef {
        let shared = strings.withLock { strings in
            if let known = strings[UInt(bitPattern: address)] { return known }
            let source = String(
                decoding: UnsafeBufferPointer(start: address, count: text.count),
                as: UTF8.self
            )
            // The only use of the engine's UTF-8 function: it stores ASCII as bytes, which the engine reads faster.
            let string = source.withCString { JSStringCreateWithUTF8CString($0) }
            guard let string else { preconditionFailure("The engine created no string.") }
            let shared = Shared(string: string)
            strings[UInt(bitPattern: address)] = shared
            return shared
        }
        return shared.string
    }
}
