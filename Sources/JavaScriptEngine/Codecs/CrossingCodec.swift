internal import CJavaScriptCore

/// Types that stand for a value of the script, such as a function, and cross as that value itself.
///
/// Called inside turns only.
package protocol JSCrossing {
    /// Makes an instance of the script's value.
    ///
    /// - Throws: A `DecodingError` whose path is empty for a value of another kind.
    init(crossing value: JSValue) throws
    /// The value that scripts get for the instance.
    func crossingValue(in context: JSContext) throws -> JSValue
}

/// Values of the script that cross as they are.
final class CrossingCodec<Subject: JSCrossing>: TypedCodec<Subject> {
    override func decode(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        let result = try Subject(crossing: JSValue(value.ref, in: context))
        memory.initializeMemory(as: Subject.self, to: result)
    }

    override func encode(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        let subject = memory.assumingMemoryBound(to: Subject.self).pointee
        try writer.write(subject.crossingValue(in: context))
    }
}
