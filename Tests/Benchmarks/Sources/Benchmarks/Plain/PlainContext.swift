import CBenchJavaScriptCore

/// A context as the C API gives it, for the plain work: what a careful author writes without this package.
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

    /// Evaluates a script whose value is a function, and keeps that alive as long as the context.
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

    /// Makes a text.
    static func text(_ text: String, in context: JSContextRef?) -> JSValueRef? {
        let string = JSStringCreateWithUTF8CString(text)
        defer { JSStringRelease(string) }
        return JSValueMakeString(context, string)
    }

    /// Makes a function of a C callback, and keeps it alive as long as the context.
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

/// Says what went wrong in plain work.
struct PlainError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
