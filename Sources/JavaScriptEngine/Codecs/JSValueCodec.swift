internal import CJavaScriptCore

/// A type that represents a value of the script, such as a function, and crosses the boundary as that value.
///
/// Its requirements are called only inside turns.
package protocol JSValueRepresentable {
    /// Creates an instance from the script's value.
    ///
    /// - Throws: A `DecodingError` with an empty coding path for a value of another kind.
    init(jsValue value: JSValue) throws
    /// Returns the value that scripts get for the instance.
    func makeJSValue(in context: JSContext) throws -> JSValue
}

/// A codec of types that cross the boundary as a value of the script.
final class JSValueCodec<Subject: JSValueRepresentable>: TypedCodec<Subject> {
    override func decode(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        let result = try Subject(jsValue: JSValue(value.ref, in: context))
        memory.initializeMemory(as: Subject.self, to: result)
    }

    override func encode(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        let subject = memory.assumingMemoryBound(to: Subject.self).pointee
        try writer.write(subject.makeJSValue(in: context))
    }
}
