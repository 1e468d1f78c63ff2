internal import CJavaScriptCore

/// An object of Swift in the hand of the package's own script: it lives as long as the script's handle does.
enum HostHandle {
    // nonisolated(unsafe) because the class is made once, before any use, and never changes.
    nonisolated(unsafe) static let handleClass: JSClassRef? = {
        var definition = kJSClassDefinitionEmpty
        definition.finalize = { object in
            guard let pointer = JSObjectGetPrivate(object) else { return }
            Unmanaged<AnyObject>.fromOpaque(pointer).release()
        }
        return JSClassCreate(&definition)
    }()
}

extension JSContext {
    /// Makes a handle that keeps an object of Swift until the script lets it go.
    ///
    /// It has no properties.
    package func makeHandle(_ object: AnyObject) -> JSValue {
        JSValue(
            JSObjectMake(ref, HostHandle.handleClass, Unmanaged.passRetained(object).toOpaque()),
            in: self
        )
    }
}

extension HostCall {
    /// The object behind a handle; `nil` where the argument is none, or one of another type.
    package func handle<Object: AnyObject>(at index: Int, as type: Object.Type = Object.self) -> Object? {
        guard let ref = arguments.ref(at: index),
            JSValueIsObjectOfClass(context.ref, ref, HostHandle.handleClass),
            let pointer = JSObjectGetPrivate(ref)
        else { return nil }
        return Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue() as? Object
    }
}
