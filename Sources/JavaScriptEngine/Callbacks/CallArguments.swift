internal import BridgeValues
internal import CJavaScriptCore

/// The arguments of one call from a script, read in place.
///
/// They are valid only during the call.
///
/// Code that the compiler inlines into users' typed functions uses it; users see their own types.
@frozen @usableFromInline struct CallArguments {
    /// The bits of the arguments, in the caller's frame.
    @usableFromInline let slots: UnsafePointer<UInt64>
    /// The number of arguments.
    @usableFromInline let count: Int
    /// The way scalar values are decoded: the fast path or the C API.
    @usableFromInline let scalars: ScalarConverter
    // The open turn keeps the context alive; a retain in every call would cost more than the call.
    @usableFromInline let unmanaged: Unmanaged<JSContext>

    /// The context that created the function.
    var context: JSContext { unmanaged.takeUnretainedValue() }

    init(slots: UnsafePointer<UInt64>, count: Int, scalars: ScalarConverter, context: Unmanaged<JSContext>) {
        self.slots = slots
        self.count = count
        self.scalars = scalars
        unmanaged = context
    }

    /// The argument at an index, or `undefined` beyond the last one.
    @inlinable @inline(__always)
    subscript(index: Int) -> EncodedValue {
        index < count ? EncodedValue(bits: slots[index]) : EncodedValue(bits: 10)
    }
}

extension CallArguments {
    /// Creates the arguments of a callback of the C API.
    init(_ arguments: UnsafePointer<JSValueRef?>?, count: Int, context: JSContext) {
        // A reference and its bits are the same word; without arguments the pointer is never read.
        let slots = arguments.map(UnsafeRawPointer.init) ?? UnsafeRawPointer(Self.none)
        self.init(
            slots: slots.assumingMemoryBound(to: UInt64.self),
            count: count,
            scalars: context.scalars,
            context: .passUnretained(context)
        )
    }

    // nonisolated(unsafe) because it is never written to.
    nonisolated(unsafe) private static let none = UnsafePointer(
        UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    )

    /// Returns the arguments without the first ones.
    func dropFirst(_ dropped: Int) -> CallArguments {
        let dropped = min(dropped, count)
        return CallArguments(
            slots: slots + dropped,
            count: count - dropped,
            scalars: scalars,
            context: unmanaged
        )
    }

    func ref(at index: Int) -> JSValueRef? { index < count ? self[index].ref : nil }

    /// Returns the argument as a number, or 0 if it is not a number.
    func double(at index: Int) -> Double { scalars.number(of: self[index]) ?? 0 }

    /// Returns the argument as an integer, or 0 if it is not a number or does not fit.
    func integer(at index: Int) -> Int { Int(exactly: double(at: index)) ?? 0 }

    /// Returns the argument as a string with lone surrogates replaced, or an empty string if it is not a string.
    func text(at index: Int) -> String { context.text(of: ref(at: index)) ?? "" }
}
