internal import BridgeValues
internal import CJavaScriptCore

/// The arguments of one call from a script, where they stand: alive as long as the call.
///
/// For code that the compiler makes of typed functions; users meet their own types instead.
@frozen public struct CallArguments {
    /// The bits of the arguments, in the frame of the caller.
    @usableFromInline let slots: UnsafePointer<UInt64>
    /// How many arguments there are.
    public let count: Int
    /// The context that the function was made in; the machine's open turn keeps it alive.
    public unowned(unsafe) let context: JSContext

    @usableFromInline
    init(slots: UnsafePointer<UInt64>, count: Int, context: JSContext) {
        self.slots = slots
        self.count = count
        self.context = context
    }

    /// An argument; `undefined` where there is none of that number.
    @inlinable @inline(__always)
    subscript(index: Int) -> EncodedValue {
        index < count ? EncodedValue(bits: slots[index]) : EncodedValue(bits: 10)
    }
}

extension CallArguments {
    /// The arguments of a callback of the C API.
    init(_ arguments: UnsafePointer<JSValueRef?>?, count: Int, context: JSContext) {
        // A reference and its bits are the same word; without arguments the pointer is never read.
        let slots = arguments.map(UnsafeRawPointer.init) ?? UnsafeRawPointer(Self.none)
        self.init(slots: slots.assumingMemoryBound(to: UInt64.self), count: count, context: context)
    }

    // nonisolated(unsafe) because nobody writes to it.
    nonisolated(unsafe) private static let none = UnsafePointer(UnsafeMutablePointer<UInt64>.allocate(capacity: 1))

    /// The arguments from one on.
    func dropFirst(_ dropped: Int) -> CallArguments {
        let dropped = min(dropped, count)
        return CallArguments(slots: slots + dropped, count: count - dropped, context: context)
    }

    func ref(at index: Int) -> JSValueRef? { index < count ? self[index].ref : nil }

    /// A number; 0 where it is none.
    func double(at index: Int) -> Double { context.number(of: self[index]) ?? 0 }

    /// A whole number; 0 where it is none or does not fit.
    func integer(at index: Int) -> Int { Int(exactly: double(at: index)) ?? 0 }

    /// Text with lone surrogates replaced; empty where it is no text.
    func text(at index: Int) -> String { context.text(of: ref(at: index)) ?? "" }
}
