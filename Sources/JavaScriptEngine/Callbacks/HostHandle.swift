internal import CJavaScriptCore

/// An object of Swift in the hand of the package's own script: it lives as long as the script's handle does.
enum HostHandle {
    // nonisolated(unsafe) because the class is made once, before any use, and never changes.
    nonisolated(unsafe) static let handleClass: JSClassRef? = {
        var definition = kJSClassDefinitionEmpty
        definition.finalize = { object in
            guard let pointer = JSObjectGetPrivate(object) else { return }
            Unmanaged<HandleBox>.fromOpaque(pointer).takeUnretainedValue().releases
                .bury(Unmanaged<AnyObject>.fromOpaque(pointer))
        }
        return JSClassCreate(&definition)
    }()
}

/// What a handle holds, and where it leaves it when it goes.
private final class HandleBox {
    let object: AnyObject
    let releases: Graveyard

    init(_ object: AnyObject, _ releases: Graveyard) {
        self.object = object
        self.releases = releases
    }
}

extension JSContext {
    /// Makes a handle that keeps an object of Swift until the script lets it go.
    ///
    /// It has no properties.
    package func makeHandle(_ object: AnyObject) -> JSValue {
        JSValue(
            JSObjectMake(
                ref,
                HostHandle.handleClass,
                Unmanaged.passRetained(HandleBox(object, virtualMachine.releases)).toOpaque()
            ),
            in: self
        )
    }
}

extension JSContext {
    /// The object behind a handle; `nil` where the value is none.
    package func object(behind value: JSValue) -> AnyObject? {
        guard JSValueIsObjectOfClass(ref, value.ref, HostHandle.handleClass),
            let pointer = JSObjectGetPrivate(value.ref)
        else { return nil }
        return Unmanaged<HandleBox>.fromOpaque(pointer).takeUnretainedValue().object
    }
}

extension HostCall {
    /// The object behind a handle; `nil` where the argument is none, or one of another type.
    package func handle<Object: AnyObject>(at index: Int, as type: Object.Type = Object.self) -> Object? {
        guard let ref = arguments.ref(at: index),
            JSValueIsObjectOfClass(context.ref, ref, HostHandle.handleClass),
            let pointer = JSObjectGetPrivate(ref)
        else { return nil }
        return Unmanaged<HandleBox>.fromOpaque(pointer).takeUnretainedValue().object as? Object
    }
}
