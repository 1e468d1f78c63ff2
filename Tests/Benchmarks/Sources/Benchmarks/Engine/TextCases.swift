import BenchmarkHarness
import BridgeValues
import CBenchJavaScriptCore
import JavaScriptEngine

/// Strings of 1 MiB, one for each call.
@MainActor let textCases = [
    toCase("engine.text.to.ascii") { asciiText },
    toCase("engine.text.to.mixed") { mixedText },
    fromCase("engine.text.from.ascii") { asciiText },
    fromCase("engine.text.from.mixed") { mixedText },
    handlerTextCase,
]

@MainActor
private func toCase(_ name: String, _ makeText: @escaping () -> String) -> BenchmarkCase {
    BenchmarkCase(
        name,
        baseline:
            "JSStringCreateWithUTF8CString, JSValueMakeString, the call that reads two characters of it"
    ) {
        let text = makeText()
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
    }
}

@MainActor
private func fromCase(_ name: String, _ makeText: @escaping () -> String) -> BenchmarkCase {
    BenchmarkCase(
        name,
        baseline:
            "the call that gives it, JSValueToStringCopy, JSStringGetUTF8CString, String(decoding:as:)"
    ) {
        let text = makeText()
        let script = "(function (text) { return function () { return text; }; })"
        let context = try JSContext()
        let give = try context.evaluate(script).call(withArguments: [JSValue(.string(text), in: context)])
        let plain = try PlainContext()
        let string = JSStringCreateWithUTF8CString(text)
        var argument = JSValueMakeString(plain.ref, string)
        JSStringRelease(string)
        let plainGive = JSObjectCallAsFunction(plain.ref, try plain.function(script), nil, 1, &argument, nil)
        JSValueProtect(plain.ref, plainGive)
        // A byte for each unit and the closing NUL: enough for ASCII, and touched before the first round.
        let buffer = [CChar](repeating: 0, count: text.utf16.count * 3 + 1)
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
                    sum += byteChecksum(of: result)
                }
                return Outcome(sum)
            },
            ours: .synchronous { operations in
                var sum = 0.0
                for _ in 0..<operations {
                    sum += try give.call().toValue().stringValue.map(byteChecksum) ?? .nan
                }
                return Outcome(sum)
            },
            expected: { Double($0) * byteChecksum(of: text) }
        )
    }
}

@MainActor private let handlerTextCase = BenchmarkCase(
    "engine.handler.text",
    baseline:
        "the same loop over a JSObjectMakeFunctionWithCallback that reads and makes text as UTF-16",
    granularity: callsPerTurn
) {
    let script = """
        (function (join, from, to) {
            const first = Array.from({ length: 64 }, (_, index) => 'user number ' + index);
            const second = Array.from({ length: 64 }, (_, index) => 'u' + index + '@example.org');
            first.forEach(text => JSON.parse('{"' + text + '":1}'));
            second.forEach(text => JSON.parse('{"' + text + '":1}'));
            let sum = 0;
            for (let index = from; index < to; index++) {
                sum += join(first[index & 63], second[index >> 6 & 63]).length;
            }
            return sum;
        })
        """
    let context = try JSContext()
    let loop = try context.evaluate(script)
    let join = try context.makeFunction("join") { (left: String, right: String) in left + right }.value
    let plain = try PlainContext()
    let plainLoop = try plain.function(script)
    let plainJoin = try plain.function { context, _, _, count, arguments, exception in
        guard count == 2, let arguments else { return JSValueMakeUndefined(context) }
        func read(_ value: JSValueRef?) -> String {
            guard let string = JSValueToStringCopy(context, value, nil) else { return "" }
            defer { JSStringRelease(string) }
            let units = UnsafeBufferPointer(
                start: JSStringGetCharactersPtr(string),
                count: JSStringGetLength(string)
            )
            return String(decoding: units, as: UTF16.self)
        }
        let units = Array((read(arguments[0]) + read(arguments[1])).utf16)
        let string = JSStringCreateWithCharacters(units, units.count)
        defer { JSStringRelease(string) }
        return JSValueMakeString(context, string)
    }
    return Contest(
        plain: .synchronous { operations in
            Outcome(try plain.sumOfLoops(plainLoop, over: plainJoin, operations))
        },
        ours: .synchronous { operations in Outcome(try context.sumOfLoops(loop, over: join, operations)) },
        expected: { count in
            (0..<count).reduce(0.0) { sum, index in
                let inTurn = index
                let left = "user number \(inTurn & 63)".utf8.count
                let right = "u\(inTurn >> 6 & 63)@example.org".utf8.count
                return sum + Double(left + right)
            }
        }
    )
}

/// 1 MiB of printable characters without a regular period.
private var asciiText: String {
    let bytes = (0..<1_048_576).map { (index: Int) -> UInt8 in
        let step = index * 7 + index / 95
        return UInt8(32 + step % 95)
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// About 1 MiB of words in several writing systems, with characters of two, three and four bytes.
private var mixedText: String {
    let words = [
        "plain words ", "gr\u{fc}\u{df}e ", "\u{441}\u{43b}\u{43e}\u{432}\u{43e} ", "\u{8a9e} ", "\u{1f600} ",
    ]
    var text = ""
    var index = 0
    while text.utf8.count < 1_048_576 {
        text += words[(index * 7 + index / 5) % words.count]
        index += 1
    }
    return text
}

/// Returns a number that depends on the length, the first and the last character.
private func checksum(of text: String) -> Double {
    Double(text.utf16.count) + Double(text.utf16.first ?? 0) + Double(text.utf16.last ?? 0)
}

/// Returns a number that shows that a string has arrived completely, without a pass over it.
///
/// Counting the UTF-16 units of a string that is not ASCII reads all of them, which took longer than either way of
/// creating the string.
private func byteChecksum(of text: String) -> Double {
    Double(text.utf8.count) + Double(text.utf8.first ?? 0) + Double(text.utf8.last ?? 0)
}
