internal import BridgeValues
internal import CJavaScriptCore
internal import Foundation

/// A codec of dates, which are dates in scripts too.
final class DateCodec: TypedCodec<Date> {
    override var blockKind: BlockKind? { .dates }

    override func decode(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        let date = try date(of: value) ?? context.decodeInSteps(Date.self, value)
        memory.initializeMemory(as: Date.self, to: date)
    }

    private func date(of value: EncodedValue) throws -> Date? {
        if value.isObject(in: scalars) {
            return JSValueIsDate(context.ref, value.ref) ? Self.date(try context.time(of: value)) : nil
        }
        return scalars.string(of: value).flatMap { JSONDate(parsing: $0)?.date }
    }

    /// Returns the date of a time value; `nil` if JavaScript has no such date.
    private static func date(_ milliseconds: Double) -> Date? {
        // False for NaN.
        guard milliseconds.magnitude <= Date.maximumJavaScriptMilliseconds else { return nil }
        return Date(timeIntervalSince1970: milliseconds / 1000)
    }

    override func decodeBlock(
        _ cells: UnsafePointer<Double>,
        count: Int,
        into memory: UnsafeMutableRawPointer
    ) -> Int {
        let dates = memory.bindMemory(to: Date.self, capacity: count)
        for index in 0..<count {
            guard let date = Self.date(cells[index]) else { return index }
            (dates + index).initialize(to: date)
        }
        return count
    }

    override func decodeCell(_ cell: Double, into memory: UnsafeMutableRawPointer) throws {
        let date = try ValueDecoder.decodeMember(Date.self, from: .date(Date(javaScriptMilliseconds: cell)))
        memory.initializeMemory(as: Date.self, to: date)
    }

    override func encode(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        try writer.count()
        let date = memory.assumingMemoryBound(to: Date.self).pointee
        writer.put(ValueSlab.Tag.date, date.javaScriptMilliseconds ?? .nan)
    }
}

extension JSContext {
    /// Returns the time value of a date; NaN if the value is not encoded as a date.
    func time(of date: EncodedValue) throws -> Double {
        let time = try call(script.timeOf, [date.ref, JSValueMakeBoolean(ref, readsReferences)])
        return scalars.number(of: EncodedValue(time)) ?? .nan
    }
}
