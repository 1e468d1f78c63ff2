import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptEngine
import TestSupport
import Testing

@Suite(.noLeaks) struct SmallGlobalTests {
    private func text(_ expression: String, in context: JSContext? = nil) throws -> String {
        let context = try context ?? JSContext()
        let result = try context.evaluate(
            "(() => { try { return String(\(expression)); } catch (error) { return error.name + ' ' + error.code; } })()"
        )
        return try result.toValue().stringValue ?? ""
    }

    // MARK: - Base64

    @Test(
        "atob decodes and refuses what the standard says",
        arguments: [
            ("''", ""), ("' '", ""), ("'YQ=='", "a"), ("'YQ'", "a"), ("' Y\\tQ\\n=\\f=\\r '", "a"),
            ("'YWI='", "ab"), ("'YWI'", "ab"),
            ("'YWJj'", "abc"), ("'/A'", "\u{FC}"), ("'+/+/'", "\u{FB}\u{FF}\u{BF}"), ("'YR=='", "a"),
            ("'YR'", "a"),
            ("null", "\u{9E}\u{E9}\u{65}"), ("12", "\u{D7}"), ("NaN", "5\u{A3}"),
            ("'ab\\u00a0'", "InvalidCharacterError 5"),
            ("'\\u000bYQ'", "InvalidCharacterError 5"), ("'='", "InvalidCharacterError 5"),
            ("'a'", "InvalidCharacterError 5"),
            ("'YQ='", "InvalidCharacterError 5"), ("'YQ==='", "InvalidCharacterError 5"),
            ("'Y=Q='", "InvalidCharacterError 5"),
            ("'YWJjZ'", "InvalidCharacterError 5"), ("'-_-_'", "InvalidCharacterError 5"),
            ("'YWJj='", "InvalidCharacterError 5"),
            ("undefined", "InvalidCharacterError 5"), ("'\\u20ac'", "InvalidCharacterError 5"),
            ("'===='", "InvalidCharacterError 5"),
            ("'\\0'", "InvalidCharacterError 5"), ("{ toString: () => 'YQ' }", "a"),
            ("Symbol()", "TypeError undefined"),
        ]
    )
    func decoding(_ argument: String, _ expected: String) throws {
        #expect(try text("atob(\(argument))") == expected)
    }

    @Test(
        "btoa encodes bytes and refuses other characters",
        arguments: [
            ("''", ""), ("'a'", "YQ=="), ("'ab'", "YWI="), ("'abc'", "YWJj"), ("'\\0\\xff'", "AP8="),
            ("null", "bnVsbA=="),
            ("undefined", "dW5kZWZpbmVk"), ("1.5", "MS41"), ("'\\u0100'", "InvalidCharacterError 5"),
            ("'\\ud83d\\ude00'", "InvalidCharacterError 5"),
        ]
    )
    func encoding(_ argument: String, _ expected: String) throws {
        #expect(try text("btoa(\(argument))") == expected)
    }

    @Test("atob and btoa are inverse for every byte, every length, and long strings")
    func inverse() throws {
        #expect(
            try text(
                """
                (() => {
                    let all = "";
                    for (let byte = 0; byte < 256; byte++) all += String.fromCharCode(byte);
                    for (let length = 0; length < 256; length++) {
                        const part = all.slice(255 - length);
                        if (atob(btoa(part)) !== part) return length;
                    }
                    const long = all.repeat(5000) + "x";
                    return atob(btoa(long)) === long;
                })()
                """
            ) == "true"
        )
    }

    @Test("atob and btoa need an argument, and take any receiver that is the global object")
    func arguments() throws {
        #expect(try text("atob()") == "TypeError undefined")
        #expect(try text("btoa()") == "TypeError undefined")
        #expect(try text("btoa.call({}, 'a')") == "TypeError undefined")
        #expect(try text("btoa.call(undefined, 'a')") == "YQ==")
        #expect(
            try text("(() => { try { atob('a'); } catch (e) { return e.constructor === DOMException; } })()")
                == "true"
        )
    }

    @Test("a string takes no more bytes than a buffer may have")
    func limitedBytes() throws {
        var limits = ExecutionLimits()
        limits.maximumTypedArrayBytes = 1000
        let context = try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
        #expect(try text("btoa('a'.repeat(1000)).length", in: context) == "1336")
        #expect(try text("btoa('a'.repeat(1001))", in: context) == "RangeError undefined")
        #expect(try text("atob('aaaa'.repeat(400))", in: context) == "RangeError undefined")
    }

    // MARK: - Random values

    @Test("getRandomValues fills arrays of integers in place, and only their part of a buffer")
    func filling() throws {
        let context = try JSContext()
        let result = try context.evaluate(
            """
            [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array].map((Type) => {
                const array = new Type(64);
                class Own extends Type {}
                const buffer = new ArrayBuffer(96), part = new Type(buffer, 32, 32 / Type.BYTES_PER_ELEMENT);
                crypto.getRandomValues(part);
                const around = [...new Uint8Array(buffer, 0, 32), ...new Uint8Array(buffer, 64)].every((byte) => byte === 0);
                return crypto.getRandomValues(array) === array && new Set(array).size > 2 && new Set(part).size > 2 && around
                    && crypto.getRandomValues(new Own(4)).constructor === Own && crypto.getRandomValues(new Type(0)).length === 0;
            }).join()
            """
        ).toValue()
        #expect(result == .string(Array(repeating: "true", count: 9).joined(separator: ",")))
    }

    @Test(
        "getRandomValues refuses all others with the error of the standard",
        arguments: [
            ("new Float32Array(1)", "TypeMismatchError 17"), ("new Float64Array(1)", "TypeMismatchError 17"),
            ("new Float64Array(65537)", "TypeMismatchError 17"),
            ("new DataView(new ArrayBuffer(1))", "TypeMismatchError 17"),
            ("new Uint8Array(65537)", "QuotaExceededError 22"),
            ("new BigInt64Array(8193)", "QuotaExceededError 22"),
            ("new ArrayBuffer(1)", "TypeError undefined"), ("[1]", "TypeError undefined"),
            ("", "TypeError undefined"),
            ("null", "TypeError undefined"),
            ("Object.create(Uint8Array.prototype)", "TypeError undefined"),
        ]
    )
    func refusing(_ argument: String, _ expected: String) throws {
        #expect(try text("crypto.getRandomValues(\(argument))") == expected)
    }

    @Test("65,536 bytes are filled, their bits are about half ones, and the buffer can still be transferred")
    func quality() throws {
        let context = try JSContext()
        let result = try context.evaluate(
            """
            const array = crypto.getRandomValues(new Uint8Array(65536)), counts = new Array(256).fill(0);
            let ones = 0;
            for (const byte of array) { counts[byte]++; for (let bit = byte; bit > 0; bit >>= 1) ones += bit & 1; }
            const last = array.slice(-256).some((byte) => byte !== 0);
            structuredClone(array.buffer, { transfer: [array.buffer] });
            [Math.abs(ones - 262144) < 3000, counts.every((count) => count > 150 && count < 370), last, array.length].join()
            """
        ).toValue()
        // Six and eight standard deviations.
        #expect(result == "true,true,true,0")
    }

    @Test("randomUUID makes version 4 UUIDs, all different")
    func uuids() throws {
        let context = try JSContext()
        let result = try context.evaluate(
            """
            const seen = new Set();
            let isRight = true;
            for (let count = 0; count < 500; count++) {
                const id = crypto.randomUUID();
                if (!/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)) isRight = false;
                seen.add(id);
            }
            [isRight, seen.size].join()
            """
        ).toValue()
        #expect(result == "true,500")
        #expect(try #require(UUID(uuidString: text("crypto.randomUUID()"))).uuidString.count == 36)
    }

    @Test("a QuotaExceededError is a DOMException with a quota and a request")
    func quotaErrors() throws {
        let context = try JSContext()
        let result = try context.evaluate(
            """
            const error = new QuotaExceededError("m", { quota: 1, requested: 2.5 }), plain = new QuotaExceededError();
            const failures = [() => new QuotaExceededError("", { quota: -1 }), () => new QuotaExceededError("", { requested: -1 }),
                () => new QuotaExceededError("", { quota: 2, requested: 1 }), () => new QuotaExceededError("", { quota: NaN }),
                () => QuotaExceededError()].map((fail) => { try { fail(); } catch (error) { return error.name; } });
            [error.name, error.code, error.message, error.quota, error.requested, error instanceof DOMException, Error.isError(error),
                String(plain.quota), String(plain.requested), String(error), ...failures].join(" ")
            """
        ).toValue()
        #expect(
            result == """
                QuotaExceededError 22 m 1 2.5 true true null null QuotaExceededError: m RangeError RangeError RangeError \
                TypeError TypeError
                """
        )
    }
}
