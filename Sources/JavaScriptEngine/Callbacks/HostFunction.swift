internal import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// A Swift closure that a script can call: the engine's object that owns the closure, and its entry points.
///
/// The script itself gets a real JavaScript function (`instanceof Function`, with `call` and `bind`) around an object
/// of the class below. When the function is collected, the object's finalizer releases the closure.
final class HostFunction: HostClosure {
    typealias Body = (CallArguments) throws -> EncodedValue

    /// The closure, callable without a retain.
    ///
    /// When it is replaced, the old one is released at the end of the turn.
    private var work: Unmanaged<Work>
    /// A Boolean value that indicates whether a call counts as a level of nesting.
    ///
    /// Functions that only hand over values do not.
    private let countsAsNested: Bool
    private let releases: DeferredReleaseQueue
    private let closures: ClosureList
    private var trackedObject: TrackedObject?

    private init(
        _ body: @escaping Body,
        named name: String?,
        countsAsNested: Bool,
        outlivesClosing: Bool,
        in context: JSContext
    ) {
        self.countsAsNested = countsAsNested
        work = .passRetained(Work(body))
        releases = context.virtualMachine.releases
        closures = context.held.closures
        // Closures without a name belong to the package's own script and are released with the context.
        trackedObject = name == nil ? nil : LeakTracking.note(.closure, name)
        if !outlivesClosing { closures.add(self) }
    }

    deinit {
        closures.remove(self)
        work.release()
    }

    func releaseContents() {
        let old = work
        work = .passRetained(Work { _ in throw JSContext.closedError })
        trackedObject = nil
        if jsb_current_machine() == nil {
            old.release()
        } else {
            // The old closure may be running, so it is released at the end of the turn.
            releases.enqueueRelease(Unmanaged<AnyObject>.fromOpaque(old.toOpaque()))
        }
    }

    private final class Work {
        let body: Body

        init(_ body: @escaping Body) { self.body = body }
    }

    @inline(__always)
    private func run(_ arguments: CallArguments) throws -> EncodedValue {
        try work._withUnsafeGuaranteedRef { try $0.body(arguments) }
    }

    // nonisolated(unsafe) because the class is made once, before any use, and never changes.
    nonisolated(unsafe) private static let boxClass: JSClassRef? = {
        var definition = kJSClassDefinitionEmpty
        definition.finalize = { object in
            // Releasing a closure can run arbitrary code, and the engine is in the middle of a collection.
            guard let pointer = JSObjectGetPrivate(object) else { return }
            Unmanaged<HostFunction>.fromOpaque(pointer).takeUnretainedValue().releases
                .enqueueRelease(Unmanaged<AnyObject>.fromOpaque(pointer))
        }
        definition.callAsFunction = { context, function, _, count, arguments, exception in
            HostFunction.enter(context, box: function, arguments, count, exception)
        }
        return JSClassCreate(&definition)
    }()

    /// Creates the engine's object around a closure.
    ///
    /// The object is callable, but it is not a JavaScript function. A closure that outlives the context's closing must
    /// not retain anything.
    static func makeBox(
        named name: String? = nil,
        countsAsNested: Bool = true,
        outlivesClosing: Bool = false,
        in context: JSContext,
        _ body: @escaping Body
    ) -> JSObjectRef? {
        JSObjectMake(
            context.ref,
            boxClass,
            Unmanaged.passRetained(
                HostFunction(
                    body,
                    named: name,
                    countsAsNested: countsAsNested,
                    outlivesClosing: outlivesClosing,
                    in: context
                )
            ).toOpaque()
        )
    }

    /// Handles a call of a box by the package's own script.
    ///
    /// An error of the closure is thrown into that script.
    private static func enter(
        _ ref: JSContextRef?,
        box: JSObjectRef?,
        _ arguments: UnsafePointer<JSValueRef?>?,
        _ count: Int,
        _ exception: UnsafeMutablePointer<JSValueRef?>?
    ) -> JSValueRef? {
        let undefined = JSValueMakeUndefined(ref)
        guard let context = JSContext.current(ref), let pointer = JSObjectGetPrivate(box) else {
            return undefined
        }
        let function = Unmanaged<HostFunction>.fromOpaque(pointer).takeUnretainedValue()
        // The engine drops its lock around a native callback; everything below needs it again.
        JSLock(ref)
        defer { JSUnlock(ref) }
        do {
            let result = try context.nestingCall(reserve: 16) {
                try function.run(CallArguments(arguments, count: count, context: context))
            }
            return result.ref
        } catch {
            exception?.pointee = context.thrownValue(for: error)
            return undefined
        }
    }
}

/// The one native function through which scripts enter closures: `call(box, ...arguments)`.
///
/// It never throws, because a function of the fast path must not. If the closure fails, it returns the marker
/// `failed`, and the wrapper around it throws the result of `takeFailure()`.
extension HostFunction {
    /// Defines `call` and `takeFailure` on an object.
    static func installCall(on object: JSObjectRef, in context: JSContext) throws {
        let call = CallPath.current.isFast ? makeDirectCall(in: context) : makePlainCall(in: context)
        try context.setInternal("call", to: call, on: object)
        // A script that closed its own context and still runs calls it for the reason.
        let takeFailure = makeBox(outlivesClosing: true, in: context) { arguments in
            let context = arguments.context
            defer { context.errors.pendingFailure = nil }
            return EncodedValue(context.errors.pendingFailure.flatMap { context.thrownValue(for: $0) })
        }
        if CallPath.current.isFast {
            context.held.boxStructure = FastPath.structure(of: EncodedValue(takeFailure))
        }
        try context.setInternal("takeFailure", to: takeFailure, on: object)
    }

    /// Creates a host function of the engine's own kind, which is called with the lock held and reads arguments in
    /// place.
    private static func makeDirectCall(in context: JSContext) -> JSObjectRef? {
        jsb_make_host_function(context.ref) { global, frame in
            guard let global, let frame else { return EncodedValue.undefined.bits }
            let ref = OpaquePointer(global)
            // In most calls this is the context whose turn is open, and the turn keeps it alive.
            if let open = JSContext.opened(ref) {
                return HostFunction.call(HostFunction.directArguments(frame, ref, open)).bits
            }
            guard let context = JSContext.current(ref) else { return EncodedValue.undefined.bits }
            return withExtendedLifetime(context) {
                HostFunction.call(HostFunction.directArguments(frame, ref, .passUnretained(context))).bits
            }
        }
    }

    @inline(__always)
    private static func directArguments(
        _ frame: UnsafePointer<UInt64>,
        _ ref: JSGlobalContextRef,
        _ context: Unmanaged<JSContext>
    ) -> CallArguments {
        CallArguments(
            slots: FastPath.arguments(of: frame),
            count: FastPath.argumentCount(of: frame),
            scalars: ScalarConverter(isFast: true, ref: ref),
            context: context
        )
    }

    private static func makePlainCall(in context: JSContext) -> JSObjectRef? {
        EngineString.with(JSContext.internalSourceURL) { name in
            JSObjectMakeFunctionWithCallback(context.ref, name) { ref, _, _, count, arguments, _ in
                guard let context = JSContext.current(ref) else { return JSValueMakeUndefined(ref) }
                JSLock(ref)
                defer { JSUnlock(ref) }
                return HostFunction.call(CallArguments(arguments, count: count, context: context)).ref
            }
        }
    }

    /// Returns the private data of the first argument, which is the box.
    @inline(__always)
    private static func privateData(_ arguments: CallArguments) -> UnsafeMutableRawPointer? {
        if arguments.scalars.isFast {
            // Seen once, while a script was terminated: a frame whose first argument was the empty value.
            guard arguments.count > 0, arguments[0].isCell else { return nil }
            let structure = arguments.unmanaged._withUnsafeGuaranteedRef { $0.held.boxStructure }
            if FastPath.structure(of: arguments[0]) == structure {
                return FastPath.privateData(of: arguments[0])
            }
        }
        return JSObjectGetPrivate(arguments.ref(at: 0))
    }

    @inline(__always)
    private static func call(_ arguments: CallArguments) -> EncodedValue {
        guard let pointer = privateData(arguments) else { return arguments.context.script.failed }
        let function = Unmanaged<HostFunction>.fromOpaque(pointer)
        do {
            return try arguments.unmanaged._withUnsafeGuaranteedRef { context in
                try function._withUnsafeGuaranteedRef { function in
                    guard function.countsAsNested else { return try function.run(arguments.dropFirst(1)) }
                    return try context.nestingCall { try function.run(arguments.dropFirst(1)) }
                }
            }
        } catch {
            arguments.context.errors.pendingFailure = error
            return arguments.context.script.failed
        }
    }
}
