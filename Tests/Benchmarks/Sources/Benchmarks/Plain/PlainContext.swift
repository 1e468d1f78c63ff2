import CBenchJavaScriptCore

/// A context of the C API for the plain work, as a careful author uses it without this package.
final class PlainContext {
    let ref: JSGlobalContextRef
    let group: JSContextGroupRef

    init() throws {
        guard let group = JSContextGroupCreate(), let ref = JSGlobalContextCreateInGroup(group, nil) else {
            throw PlainError("the engine made no context")
        }
        self.group = group
        self.ref = ref
    }

    deinit {
        JSGlobalContextRelease(ref)
        JSContextGroupRelease(group)
    }

    /// Evaluates a script whose value is a function, and retains that for the lifetime of the context.
    func function(_ script: String) throws -> JSObjectRef {
        let source = JSStringCreateWithUTF8CString(script)
        defer { JSStringRelease(source) }
        var exception: JSValueRef?
        guard let function = JSEvaluateScript(ref, source, nil, nil, 1, &exception) else {
            throw PlainError("the script of a plain function does not run")
        }
        JSValueProtect(ref, function)
        return function
    }

    /// Creates a string.
    static func text(_ text: String, in context: JSContextRef?) -> JSValueRef? {
        let string = JSStringCreateWithUTF8CString(text)
        defer { JSStringRelease(string) }
        return JSValueMakeString(context, string)
    }

    /// Creates a function from a C callback, and retains it for the lifetime of the context.
    func function(calling callback: @escaping JSObjectCallAsFunctionCallback) throws -> JSObjectRef {
        let name = JSStringCreateWithUTF8CString("plain")
        defer { JSStringRelease(name) }
        guard let function = JSObjectMakeFunctionWithCallback(ref, name, callback) else {
            throw PlainError("the engine made no function")
        }
        JSValueProtect(ref, function)
        return function
    }
}

/// An error of plain work.
struct PlainError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
