internal import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// A weak reference to a value, which an owner may keep alive.
///
/// A ``JSValue`` keeps its object, and all that this reaches, and its context. Held by what the object reaches
/// itself (a closure of ``JSContext/makeFunction(named:parameterCount:_:)``, an object that a script holds) it
/// makes a cycle that neither language can take apart. A managed value does not:
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
/// The object that a managed value stands for lives as long as a script reaches it, or as long as one of the
/// owners lives that ``JSVirtualMachine/addManagedReference(_:withOwner:)`` named:
///
/// - An owner that is an object of Swift counts as living while Swift holds it, and, if
///   ``JSValue/init(object:in:)`` handed it to scripts, while a script reaches it. An owner that only its own
///   managed values reach goes, and they with it, at a collection.
/// - An owner that is a ``JSValue`` counts as living while the object that it stands for is reachable.
///
/// Like a ``JSValue`` it stays with its context's owner, but its last reference may go on any thread. Text,
/// numbers and other values that are no objects are simply kept: they reach nothing.
public final class JSManagedValue {
    private enum Content {
        case weak(JSWeakRef)
        /// What is no object; or an object, with a library that has no weak references.
        case kept(JSHandle)
    }

    private weak var context: JSContext?
    fileprivate let references: ManagedReferences
    private let content: Content
    private let census = Census.note(.managedValue)

    /// Makes a weak reference to a value.
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

    /// Makes a weak reference to a value and lets an owner keep it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - owner: Usually the object that holds the managed value. It is not kept alive.
    /// - Throws: ``JSException`` with the name `TypeError` where the owner is a ``JSValue`` of another virtual machine.
    public convenience init(value: JSValue, andOwner owner: AnyObject) throws {
        self.init(value: value)
        try value.context.virtualMachine.addManagedReference(self, withOwner: owner)
    }

    deinit {
        references.forget(self)
        if case .weak(let weak) = content { references.drop(weak) }
    }

    /// The value; `nil` once it was collected, and once its context is gone.
    ///
    /// The result keeps it for as long as it is held.
    public var value: JSValue? {
        guard let context else { return nil }
        switch content {
        case .kept(let handle): return context.value(of: handle)
        case .weak(let weak):
            // Under the engine's lock no collection comes to an end between the question and the protection.
            JSLock(context.ref)
            defer { JSUnlock(context.ref) }
            return JSWeakGetObject(weak).map { JSValue($0, in: context) }
        }
    }

    /// The weak reference, where the value is an object.
    var weak: JSWeakRef? { if case .weak(let weak) = content { weak } else { nil } }
}

/// Misuse is an error of the compiler: a value stays with its context.
@available(*, unavailable)
extension JSManagedValue: Sendable {}

extension JSVirtualMachine {
    /// Lets an owner keep the object that a managed value stands for, as ``JSManagedValue`` says.
    ///
    /// What was added twice is kept until it was removed twice. Nothing happens for a value that is no object.
    ///
    /// - Parameters:
    ///   - value: A managed value of this virtual machine.
    ///   - owner: An object of Swift, or a ``JSValue``: the object that it stands for. It is not kept alive.
    /// - Throws: ``JSException`` with the name `TypeError` where the value or the owner belongs to another virtual
    ///   machine.
    public func addManagedReference(_ value: JSManagedValue, withOwner owner: AnyObject) throws {
        let ownerMachine = (owner as? JSValue)?.context.virtualMachine
        guard value.references === managedReferences, ownerMachine == nil || ownerMachine === self else {
            throw JSContext.otherMachineError
        }
        guard let weak = value.weak else { return }
        managedReferences.add(value, weak: weak, owner: owner, group: group)
    }

    /// Takes back one ``addManagedReference(_:withOwner:)``; nothing happens where there was none.
    public func removeManagedReference(_ value: JSManagedValue, withOwner owner: AnyObject) {
        managedReferences.remove(value, owner: owner)
    }
}
