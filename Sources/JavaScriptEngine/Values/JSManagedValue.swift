internal import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// A weak reference to a value, which an owner may keep alive.
///
/// A ``JSValue`` retains its object, everything that the object reaches, and its context. If something that the object
/// reaches holds the ``JSValue`` itself, that is a cycle which neither language can release. Examples are a closure of
/// ``JSContext/makeFunction(named:parameterCount:fileID:line:_:)`` and a Swift object that a script holds. A managed
/// value makes no such cycle:
///
/// ```swift
/// final class Button {
///     private var handler: JSManagedValue?
///
///     func setHandler(_ function: JSValue) throws {
///         handler = try JSManagedValue(value: function, andOwner: self)
///     }
///
///     func click() throws { try handler?.value?.call() }
/// }
/// ```
///
/// The object of a managed value lives as long as a script reaches it. It also lives as long as one of the owners
/// that ``JSVirtualMachine/addManagedReference(_:withOwner:)`` named:
///
/// - A Swift object as owner counts as living while Swift holds it. If ``JSValue/init(object:in:)`` passed it to
///   scripts, it also counts as living while a script reaches it. An owner that only its own managed values reach is
///   released together with them, at a collection.
/// - A ``JSValue`` as owner counts as living while its object is reachable.
///
/// Like a ``JSValue``, a managed value belongs to its context's owner, but any thread may release the last reference to
/// it. Strings, numbers and other values that are not objects are simply retained: they reach nothing.
public final class JSManagedValue {
    private enum Content {
        case weak(JSWeakRef)
        /// A value that is not an object; or an object, if the library has no weak references.
        case kept(JSHandle)
    }

    private weak var context: JSContext?
    fileprivate let references: ManagedReferences
    private let content: Content
    private let trackedObject = LeakTracking.note(.managedValue)

    /// Creates a weak reference to a value.
    public init(value: JSValue) {
        let machine = value.context.virtualMachine
        context = value.context
        references = machine.managedReferences
        if value.isObject, Capabilities.current.hasWeakReferences,
            let weak = references.makeWeak(value.ref, group: machine.group)
        {
            content = .weak(weak)
        } else {
            content = .kept(JSHandle(value))
        }
    }

    /// Creates a weak reference to a value that an owner keeps alive.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - owner: Usually the object that holds the managed value. It is not retained.
    /// - Throws: ``JSException`` with the name `TypeError` if the owner is a ``JSValue`` of another virtual machine.
    public convenience init(value: JSValue, andOwner owner: AnyObject) throws {
        self.init(value: value)
        try value.context.virtualMachine.addManagedReference(self, withOwner: owner)
    }

    deinit {
        references.forget(self)
        if case .weak(let weak) = content { references.drop(weak) }
    }

    /// The value; `nil` once it was collected, and once its context was released.
    ///
    /// The result retains the value.
    public var value: JSValue? {
        guard let context else { return nil }
        switch content {
        case .kept(let handle): return context.value(of: handle)
        case .weak(let weak):
            // While the engine's lock is held, no collection can complete between reading the object and protecting it.
            JSLock(context.ref)
            defer { JSUnlock(context.ref) }
            return JSWeakGetObject(weak).map { JSValue($0, in: context) }
        }
    }

    /// The weak reference, if the value is an object.
    var weak: JSWeakRef? { if case .weak(let weak) = content { weak } else { nil } }
}

/// A value stays with its context: the compiler rejects any other use.
@available(*, unavailable)
extension JSManagedValue: Sendable {}

extension JSVirtualMachine {
    /// Lets an owner keep the object of a managed value alive, as ``JSManagedValue`` describes.
    ///
    /// A reference that was added twice must be removed twice. The call does nothing for a value that is not an object.
    ///
    /// - Parameters:
    ///   - value: A managed value of this virtual machine.
    ///   - owner: A Swift object, or a ``JSValue``, whose object is then the owner. It is not retained.
    /// - Throws: ``JSException`` with the name `TypeError` if the value or the owner belongs to another virtual
    ///   machine.
    public func addManagedReference(_ value: JSManagedValue, withOwner owner: AnyObject) throws {
        let ownerMachine = (owner as? JSValue)?.context.virtualMachine
        guard value.references === managedReferences, ownerMachine == nil || ownerMachine === self else {
            throw JSContext.otherMachineError
        }
        guard let weak = value.weak else { return }
        managedReferences.add(value, weak: weak, owner: owner, group: group)
    }

    /// Reverts one call of ``addManagedReference(_:withOwner:)``; does nothing if there was none.
    public func removeManagedReference(_ value: JSManagedValue, withOwner owner: AnyObject) {
        managedReferences.remove(value, owner: owner)
    }
}
