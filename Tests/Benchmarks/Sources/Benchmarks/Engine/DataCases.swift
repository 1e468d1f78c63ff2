import BenchmarkHarness
import BridgeValues
import CBenchJavaScriptCore
import Foundation
import JavaScriptEngine

/// 1 MiB of bytes, one call each.
@MainActor let dataCases = [
    BenchmarkCase(
        "engine.data.to",
        baseline: "base64 in JSON: JSONEncoder, JSValueMakeFromJSONString, Uint8Array.fromBase64 in the call"
    ) {
        let data = payload
        let script = "(function (bytes) { return bytes.length + bytes[0] + bytes[bytes.length - 1]; })"
        let context = try JSContext()
        let measure = try context.evaluate(script)
        let plain = try PlainContext()
        let plainMeasure = try plain.function(
            """
            (function (text) {
                const bytes = Uint8Array.fromBase64(text);
                return bytes.length + bytes[0] + bytes[bytes.length - 1];
            })
            """
        )
        return Contest(
            plain: .synchronous { operations in
                var sum = 0.0
                for _ in 0..<operations {
                    var exception: JSValueRef?
                    // JSONEncoder writes Data as base64.
                    var argument = try PlainJSON.make(data, in: plain.ref)
                    let result = JSObjectCallAsFunction(
                        plain.ref,
                        plainMeasure,
                        nil,
                        1,
                        &argument,
                        &exception
                    )
                    sum += JSValueToNumber(plain.ref, result, &exception)
                    guard exception == nil else { throw PlainError("the function threw") }
                }
                return Outcome(sum)
            },
            ours: .synchronous { operations in
                var sum = 0.0
                for _ in 0..<operations {
                    sum += try context.withTurn {
                        try measure.call(withArguments: [JSTypedArray(data: data, in: context).value])
                            .toDouble()
                    }
                }
                return Outcome(sum)
            },
            expected: { Double($0) * (Double(data.count) + Double(data[0]) + Double(data[data.count - 1])) }
        )
    },
    BenchmarkCase(
        "engine.data.from",
        baseline: "base64 in JSON: toBase64 in the call, JSValueCreateJSONString, JSONDecoder"
    ) {
        let data = payload
        let context = try JSContext()
        let give = try context.evaluate("(function (bytes) { return function () { return bytes; }; })")
            .call(withArguments: [JSTypedArray(data: data, in: context).value])
        let plain = try PlainContext()
        let plainGive = try plain.function(
            """
            (function () {
                const bytes = Uint8Array.from({ length: \(data.count) }, (_, index) => index * 31);
                return function () { return bytes.toBase64(); };
            })()
            """
        )
        let reader = LongTextReader()
        return Contest(
            plain: .synchronous { operations in
                var sum = 0.0
                for _ in 0..<operations {
                    var exception: JSValueRef?
                    let text = JSObjectCallAsFunction(plain.ref, plainGive, nil, 0, nil, &exception)
                    guard exception == nil else { throw PlainError("the function threw") }
                    sum += checksum(of: try reader.read(Data.self, from: text, in: plain.ref))
                }
                return Outcome(sum)
            },
            ours: .synchronous { operations in
                var sum = 0.0
                for _ in 0..<operations {
                    sum += checksum(
                        of: try context.withTurn {
                            try JSTypedArray(give.call()).withUnsafeBytes { Data($0) }
                        }
                    )
                }
                return Outcome(sum)
            },
            expected: { Double($0) * checksum(of: data) }
        )
    },
]

private let payload = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) })

private func checksum(of data: Data) -> Double {
    Double(data.count) + Double(data[data.startIndex]) + Double(data[data.endIndex - 1])
}

/// A reader of JSON text that is longer than ``PlainJSON``'s buffer, with a buffer of its own that is allocated once.
private final class LongTextReader {
    private let buffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: 8 << 20)
    private let decoder = JSONDecoder()

    deinit { buffer.deallocate() }

    func read<Decoded: Decodable>(
        _ type: Decoded.Type,
        from value: JSValueRef?,
        in context: JSContextRef?
    ) throws -> Decoded {
        guard let string = JSValueCreateJSONString(context, value, 0, nil), let start = buffer.baseAddress
        else {
            throw PlainError("a value has no JSON text")
        }
        defer { JSStringRelease(string) }
        let count = JSStringGetUTF8CString(string, start, buffer.count)
        return try decoder.decode(type, from: Data(bytes: start, count: count - 1))
    }
}
