import CBenchJavaScriptCore
import Foundation

/// Values that cross the boundary as JSON text, with Foundation's coders and the C API's functions.
///
/// The coders and the buffer are created once, as a careful author does.
enum PlainJSON {
    private static let encoder = JSONEncoder()
    private static let decoder = JSONDecoder()
    // nonisolated(unsafe) because the plain work runs on the main thread only, and no read nests in another.
    nonisolated(unsafe) private static let buffer = UnsafeMutableBufferPointer<CChar>.allocate(
        capacity: 4 * 1024 * 1024
    )

    /// Creates an engine value from a Swift value.
    static func make(_ value: some Encodable, in context: JSContextRef?) throws -> JSValueRef? {
        var text = try encoder.encode(value)
        text.append(0)
        let string = text.withUnsafeBytes {
            JSStringCreateWithUTF8CString($0.bindMemory(to: CChar.self).baseAddress)
        }
        defer { JSStringRelease(string) }
        return JSValueMakeFromJSONString(context, string)
    }

    /// Converts an engine value to a Swift value.
    static func read<Decoded: Decodable>(
        _ type: Decoded.Type,
        from value: JSValueRef?,
        in context: JSContextRef?
    ) throws -> Decoded {
        guard let string = JSValueCreateJSONString(context, value, 0, nil) else {
            throw PlainError("a value has no JSON text")
        }
        defer { JSStringRelease(string) }
        guard let start = buffer.baseAddress, JSStringGetMaximumUTF8CStringSize(string) <= buffer.count else {
            throw PlainError("a JSON text is longer than the buffer for it")
        }
        let count = JSStringGetUTF8CString(string, start, buffer.count)
        return try decoder.decode(type, from: Data(bytes: start, count: count - 1))
    }
}
