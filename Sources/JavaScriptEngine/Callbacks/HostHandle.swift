internal import CJavaScriptCore

/// A class of the engine whose objects own a Swift object on behalf of the package's own script.
///
/// The Swift object lives as long as the script's handle.
enum HostHandle {
    // nonisolated(unsafe) because the class is made once, before any use, and never changes.
    nonisolated(unsafe) static let handleClass: JSClassRef? = {
        var definition = kJSClassDefinitionEmpty
        definition.finalize = { object in
            guard let pointer = JSObjectGetPrivate(object) else { return }
            Unmanaged<HandleBox>.fromOpaque(pointer).takeUnretainedValue().releases
                .enqueueRelease(Unmanaged<AnyObject>.fromOpaque(pointer))
        }
        return JSClassCreate(&definition)
    }()
}

/// The Swift object of a handle, and the queue that releases it after finalization.
private final class HandleBox {
    let object: AnyObject
    let releases: DeferredReleaseQueue

    init(_ object: AnyObject, _ releases: DeferredReleaseQueue) {
        self.object = object
        self.releases = releases
    }
}

extension JSContext {
    /// Creates a handle that retains a Swift object until the engine collects the handle.
    ///
    /// The handle has no properties.
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
    /// Returns the object behind a handle, or `nil` if the value is not a handle.
    package func object(behind value: JSValue) -> AnyObject? {
        guard JSValueIsObjectOfClass(ref, value.ref, HostHandle.handleClass),
            let pointer = JSObjectGetPrivate(value.ref)
        else { return nil }
        return Unmanaged<HandleBox>.fromOpaque(pointer).takeUnretainedValue().object
    }
}

extension HostCall {
    /// Returns the object behind a handle, or `nil` if the argument is not a handle or its object is of another type.
    package func handle<Object: AnyObject>(at index: Int, as type: Object.Type = Object.self) -> Object? {
        guard let ref = arguments.ref(at: index),
            JSValueIsObjectOfClass(context.ref, ref, HostHandle.handleClass),
            let pointer = JSObjectGetPrivate(ref)
        else { return nil }
        return Unmanaged<HandleBox>.fromOpaque(pointer).takeUnretainedValue().object as? Object
    }
}
