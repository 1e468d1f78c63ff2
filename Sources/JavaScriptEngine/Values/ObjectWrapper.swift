internal import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Foundation

/// A box for a Swift object that scripts hold.
///
/// All the engine's objects that represent it in one virtual machine share the box.
final class ObjectBox {
    /// A variable, so that its references can be counted.
    ///
    /// It is optional because the compiler would open a plain `AnyObject` for that check, and the copy would be one
    /// more reference.
    private(set) var object: AnyObject?
    /// The object's address, its key in ``references``.
    let address: UInt
    /// The engine's objects that represent it, by their contexts.
    ///
    /// The references are weak. They are written under the lock of ``references``.
    var wrappers: [JSGlobalContextRef: JSWeakRef] = [:]
    let references: ManagedReferences

    init(_ object: AnyObject, in references: ManagedReferences) {
        self.object = object
        address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        self.references = references
    }

    deinit { references.forget(self) }

    /// Releases the object.
    func releaseContents() { object = nil }

    /// A Boolean value that indicates whether Swift holds the object outside this box.
    var isHeldElsewhere: Bool { !isKnownUniquelyReferenced(&object) }

    // nonisolated(unsafe) because the class is created once, before any use, and never changes.
    nonisolated(unsafe) static let wrapperClass: JSClassRef? = {
        var definition = kJSClassDefinitionEmpty
        definition.finalize = { wrapper in
            // Releasing the object may run any code, and the engine is in the middle of a collection.
            guard let pointer = JSObjectGetPrivate(wrapper) else { return }
            let box = Unmanaged<ObjectBox>.fromOpaque(pointer)
            box.takeUnretainedValue().references.releases.enqueueRelease(
                Unmanaged<AnyObject>.fromOpaque(pointer)
            )
        }
        return "Object".withCString { name in
            definition.className = name
            return JSClassCreate(&definition)
        }
    }()
}

extension JSContext {
    /// Returns the engine's object that represents a Swift object: always the same one while a script holds it.
    ///
    /// A turn must be open.
    func wrapper(of object: AnyObject) -> JSValue {
        let references = virtualMachine.managedReferences
        let box = references.box(of: object)
        if let weak = box.wrappers[ref], let wrapper = JSWeakGetObject(weak) {
            return JSValue(wrapper, in: self)
        }
        let wrapper = JSValue(
            JSObjectMake(ref, ObjectBox.wrapperClass, Unmanaged.passRetained(box).toOpaque()),
            in: self
        )
        references.note(wrapper.ref, in: self, for: box)
        return wrapper
    }
}

extension JSValue {
    /// Creates a value from any Swift value.
    ///
    /// - `nil` becomes `undefined`, `NSNull` becomes `null`. Booleans, numbers, strings, `Date`, `Data` and ``Value``
    ///   become the values that <doc:ValueMapping> lists. A ``JSValue`` is used itself.
    /// - Arrays become arrays, dictionaries with strings as keys become objects.
    /// - An instance of a class becomes an object without properties, from which ``toObject(of:)`` returns the
    ///   instance. It is the same object each time while a script holds it, and keeps the instance alive until it is
    ///   collected.
    ///
    /// - Throws: ``JSException`` with the name `TypeError` for any other value; `limitExceeded` for a value that nests
    ///   too deeply.
    public convenience init(object: Any?, in context: JSContext) throws {
        let made = try context.withTurn { try context.makeValue(ofAny: object, depth: 0) }
        self.init(made.ref, in: context)
    }

    /// The Swift object that the value wraps.
    var wrappedObject: AnyObject? {
        guard JSValueIsObjectOfClass(context.ref, ref, ObjectBox.wrapperClass),
            let pointer = JSObjectGetPrivate(ref)
        else { return nil }
        return Unmanaged<ObjectBox>.fromOpaque(pointer).takeUnretainedValue().object
    }
}

extension JSContext {
    fileprivate func makeValue(ofAny any: Any?, depth: Int) throws -> JSValue {
        let maximum = virtualMachine.maximumDepth
        guard depth <= maximum else { throw BridgeError.tooDeep("value", limit: maximum) }
        guard let any, let present = Self.unwrapped(any) else { return JSValue(undefinedIn: self) }
        if let value = present as? JSValue { return JSValue(try ownRef(value), in: self) }
        if let data = Self.data(of: present) { return try JSValue(data, in: self) }
        switch present {
        case let list as [Any?]:
            let elements = try list.map { try makeValue(ofAny: $0, depth: depth + 1) }
            return try JSValue(newArrayIn: self, of: elements)
        case let members as [String: Any?]:
            let object = try JSValue(newObjectIn: self)
            for (name, member) in members {
                // Defined, not set: a script may have added a setter of that name to Object.prototype.
                let descriptor = JSPropertyDescriptor(
                    value: try makeValue(ofAny: member, depth: depth + 1),
                    isWritable: true,
                    isEnumerable: true,
                    isConfigurable: true
                )
                try object.defineProperty(.name(name), descriptor: descriptor)
            }
            return object
        default:
            guard type(of: present) is AnyClass else {
                throw JSException(
                    name: "TypeError",
                    message: "a \(type(of: present)) cannot be passed to a script: encode it as data"
                )
            }
            return wrapper(of: present as AnyObject)
        }
    }

    private static func unwrapped(_ any: Any) -> Any? {
        // An optional in an `Any` is still an optional.
        guard let optional = any as? any OptionalValue else { return any }
        return optional.anyWrapped.flatMap(unwrapped)
    }

    private static func data(of any: Any) -> Value? {
        switch any {
        case let value as Value: value
        case let flag as Bool: .bool(flag)
        case let text as String: .string(text)
        case let number as any BinaryInteger:
            Int64(exactly: number).map(Value.integer) ?? .bigInteger(digits: String(number))
        case let number as any BinaryFloatingPoint: .number(Double(number))
        case let date as Date: .date(date)
        case let data as Data: .bytes(data)
        case is NSNull: .null
        default: nil
        }
    }
}

private protocol OptionalValue {
    var anyWrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var anyWrapped: Any? { map { $0 as Any } }
}
