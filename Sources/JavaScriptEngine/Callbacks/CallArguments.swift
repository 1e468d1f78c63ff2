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
    /// The way of leaves.
    @usableFromInline let lane: Lane
    // The machine's open turn keeps it alive; counting it in every call would cost more than the call.
    @usableFromInline let unmanaged: Unmanaged<JSContext>

    /// The context that the function was made in.
    var context: JSContext { unmanaged.takeUnretainedValue() }

    init(slots: UnsafePointer<UInt64>, count: Int, lane: Lane, context: Unmanaged<JSContext>) {
        self.slots = slots
        self.count = count
        self.lane = lane
        unmanaged = context
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
        self.init(
            slots: slots.assumingMemoryBound(to: UInt64.self),
            count: count,
            lane: context.lane,
            context: .passUnretained(context)
        )
    }

    // nonisolated(unsafe) because nobody writes to it.
    nonisolated(unsafe) private static let none = UnsafePointer(
        UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    )

    /// The arguments from one on.
    func dropFirst(_ dropped: Int) -> CallArguments {
        let dropped = min(dropped, count)
        return CallArguments(slots: slots + dropped, count: count - dropped, lane: lane, context: unmanaged)
    }

    func ref(at index: Int) -> JSValueRef? { index < count ? self[index].ref : nil }

    /// A number; 0 where it is none.
    func double(at index: Int) -> Double { lane.number(of: self[index]) ?? 0 }

    /// A whole number; 0 where it is none or does not fit.
    func integer(at index: Int) -> Int { Int(exactly: double(at: index)) ?? 0 }

    /// Text with lone surrogates replaced; empty where it is no text.
    func text(at index: Int) -> String { context.text(of: ref(at: index)) ?? "" }
}
