import BenchmarkHarness
import BridgeValues
import CBenchJavaScriptCore
import JavaScriptEngine

/// 1 MiB of text, one call each.
@MainActor let textCases = [
    BenchmarkCase(
        "engine.text.to.ascii",
        baseline:
            "JSStringCreateWithUTF8CString, JSValueMakeString, the call that reads two characters of it"
    ) {
        let text = asciiText
        let script = """
            (function (text) {
                return text.length + text.charCodeAt(0) + text.charCodeAt(text.length - 1);
            })
            """
        let context = try JSContext()
        let measure = try context.evaluate(script)
        let plain = try PlainContext()
        let plainMeasure = try plain.function(script)
        return Contest(
            plain: .synchronous { operations in
                var sum = 0.0
                for _ in 0..<operations {
                    var exception: JSValueRef?
                    let string = JSStringCreateWithUTF8CString(text)
                    var argument = JSValueMakeString(plain.ref, string)
                    JSStringRelease(string)
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
                    sum += try measure.call(with: .string(text)).doubleValue ?? .nan
                }
                return Outcome(sum)
            },
            expected: { Double($0) * checksum(of: text) }
        )
    },
    BenchmarkCase(
        "engine.text.from.ascii",
        baseline:
            "the call that gives it, JSValueToStringCopy, JSStringGetUTF8CString, String(decoding:as:)"
    ) {
        let text = asciiText
        let script = "(function (text) { return function () { return text; }; })"
        let context = try JSContext()
        let give = try context.evaluate(script).call(withArguments: [JSValue(.string(text), in: context)])
        let plain = try PlainContext()
        let string = JSStringCreateWithUTF8CString(text)
        var argument = JSValueMakeString(plain.ref, string)
        JSStringRelease(string)
        let plainGive = JSObjectCallAsFunction(plain.ref, try plain.function(script), nil, 1, &argument, nil)
        JSValueProtect(plain.ref, plainGive)
        // A byte for each and the closing NUL: enough for ASCII, and touched before the first round.
        let buffer = [CChar](repeating: 0, count: text.utf8.count + 1)
        return Contest(
            plain: .synchronous { operations in
                var sum = 0.0
                var buffer = buffer
                for _ in 0..<operations {
                    let value = JSObjectCallAsFunction(plain.ref, plainGive, nil, 0, nil, nil)
                    let string = JSValueToStringCopy(plain.ref, value, nil)
                    let size = JSStringGetUTF8CString(string, &buffer, buffer.count)
                    JSStringRelease(string)
                    let result = buffer.withUnsafeBytes {
                        String(decoding: $0.prefix(size - 1), as: UTF8.self)
                    }
                    sum += checksum(of: result)
                }
                return Outcome(sum)
            },
            ours: .synchronous { operations in
                var sum = 0.0
                for _ in 0..<operations {
                    sum += try give.call().toValue().stringValue.map(checksum) ?? .nan
                }
                return Outcome(sum)
            },
            expected: { Double($0) * checksum(of: text) }
        )
    },
]

/// 1 MiB of printable characters that do not repeat in step with anything.
private var asciiText: String {
    let bytes = (0..<1_048_576).map { (index: Int) -> UInt8 in
        let step = index * 7 + index / 95
        return UInt8(32 + step % 95)
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// A number that depends on the length, the first and the last character.
private func checksum(of text: String) -> Double {
    Double(text.utf8.count) + Double(text.utf8.first ?? 0) + Double(text.utf8.last ?? 0)
}
