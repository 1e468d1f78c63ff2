"use strict";

function throwsNamed(name, body) {
    const error = assert.throws(body);
    assert.equal(error.name, name);
    return error;
}

const list = (bytes) => Array.from(bytes);

testData("an encoder returns UTF-8, and the replacement character for an unpaired surrogate", ({ TextEncoder }) => {
    const encoder = new TextEncoder();
    assert.equal(encoder.encoding, "utf-8");
    assert.deepEqual(list(encoder.encode()), []);
    assert.deepEqual(list(encoder.encode(undefined)), []);
    assert.deepEqual(list(encoder.encode(null)), [110, 117, 108, 108]);
    assert.deepEqual(list(encoder.encode("a\u00E9\u20AC\u{1F600}")), [97, 195, 169, 226, 130, 172, 240, 159, 152, 128]);
    for (const text of ["\uD800", "\uDC00", "\uDBFF\uD800".slice(0, 1)]) {
        assert.deepEqual(list(encoder.encode(text)), [239, 191, 189]);
    }
    assert.deepEqual(list(encoder.encode("\uDC00\uD83Dx\uD83D\uDE00")), [239, 191, 189, 239, 191, 189, 120, 240, 159, 152, 128]);
    throwsNamed("TypeError", () => encoder.encode(Symbol("s")));
    throwsNamed("TypeError", () => TextEncoder());
    throwsNamed("TypeError", () => TextEncoder.prototype.encode.call({}, "x"));
    throwsNamed("TypeError", () => TextEncoder.prototype.encoding);
});

testData("encodeInto writes whole characters and returns how many", ({ TextEncoder }) => {
    const encoder = new TextEncoder();
    for (const [text, size, read, written, bytes] of /** @type {any} */ ([
        ["abc", 2, 2, 2, [97, 98]], ["abc", 0, 0, 0, []], ["\u20AC", 2, 0, 0, [0, 0]], ["a\u20ACb", 5, 3, 5, [97, 226, 130, 172, 98]],
        ["\u{1F600}b", 3, 0, 0, [0, 0, 0]], ["\u{1F600}b", 4, 2, 4, [240, 159, 152, 128]], ["\uD83D\uD83D", 3, 1, 3, [239, 191, 189]],
    ])) {
        const into = new Uint8Array(size);
        const result = encoder.encodeInto(text, into);
        assert.deepEqual([result.read, result.written, list(into)], [read, written, bytes]);
    }
    const whole = new Uint8Array(5);
    encoder.encodeInto("xyz", whole.subarray(2, 4));
    assert.deepEqual(list(whole), [0, 0, 120, 121, 0]);
    throwsNamed("TypeError", () => encoder.encodeInto("x", new Uint16Array(2)));
    throwsNamed("TypeError", () => encoder.encodeInto("x", new ArrayBuffer(2)));
    throwsNamed("TypeError", () => encoder.encodeInto("x"));
});

testData("a decoder is selected by its labels", ({ TextDecoder }) => {
    for (const label of [undefined, "utf-8", "UTF8", " utf-8\n", "unicode-1-1-utf-8", "\t\fx-unicode20utf8\r"]) {
        assert.equal(new TextDecoder(label).encoding, "utf-8");
    }
    for (const label of ["utf-16", "UTF-16LE", "ucs-2", "unicode"]) assert.equal(new TextDecoder(label).encoding, "utf-16le");
    for (const label of ["utf-16be", "unicodeFFFE"]) assert.equal(new TextDecoder(label).encoding, "utf-16be");
    for (const label of ["", "utf-7", "utf 8", "utf-8\0", "\u00A0utf-8", null]) throwsNamed("RangeError", () => new TextDecoder(label));
    throwsNamed("TypeError", () => TextDecoder());
    throwsNamed("TypeError", () => new TextDecoder("utf-8", 1));
    assert.deepEqual([new TextDecoder().fatal, new TextDecoder().ignoreBOM], [false, false]);
    const decoder = new TextDecoder("utf8", { fatal: 1, ignoreBOM: "x" });
    assert.deepEqual([decoder.fatal, decoder.ignoreBOM], [true, true]);
});

testData("each longest valid beginning of an invalid sequence is one replacement", ({ TextDecoder }) => {
    const decoder = new TextDecoder();
    const fatal = new TextDecoder("utf-8", { fatal: true });
    for (const [bytes, text] of /** @type {any} */ ([
        [[0xC0, 0x80], "\uFFFD\uFFFD"], [[0xE2, 0x82], "\uFFFD"], [[0xE2, 0x82, 0x41], "\uFFFDA"], [[0xE0, 0x80, 0x80], "\uFFFD\uFFFD\uFFFD"],
        [[0xED, 0xA0, 0x80], "\uFFFD\uFFFD\uFFFD"], [[0xF0, 0x9F, 0x98], "\uFFFD"], [[0xF0, 0x9F, 0xF0, 0x9F, 0x98, 0x80], "\uFFFD\u{1F600}"],
        [[0xF4, 0x90, 0x80, 0x80], "\uFFFD\uFFFD\uFFFD\uFFFD"], [[0xF5, 0x41], "\uFFFDA"], [[0x80], "\uFFFD"], [[0xFF, 0xC3, 0xA9], "\uFFFD\u00E9"],
    ])) {
        assert.equal(decoder.decode(new Uint8Array(bytes)), text);
        throwsNamed("TypeError", () => fatal.decode(new Uint8Array(bytes)));
    }
    assert.equal(fatal.decode(new Uint8Array([0xC3, 0xA9])), "\u00E9");
});

testData("a byte order mark at the beginning is removed, others and ignored ones stay", ({ TextDecoder }) => {
    const mark = new Uint8Array([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x41]);
    assert.equal(new TextDecoder().decode(mark), "\uFEFFA");
    assert.equal(new TextDecoder("utf-8", { ignoreBOM: true }).decode(mark), "\uFEFF\uFEFFA");
    const decoder = new TextDecoder();
    let text = "";
    for (const byte of mark) text += decoder.decode(new Uint8Array([byte]), { stream: true });
    assert.equal(text + decoder.decode(), "\uFEFFA");
    assert.equal(decoder.decode(mark), "\uFEFFA");
    assert.equal(new TextDecoder("utf-16le").decode(new Uint8Array([0xFF, 0xFE, 0x41, 0])), "A");
    assert.equal(new TextDecoder("utf-16be").decode(new Uint8Array([0xFE, 0xFF, 0, 0x41])), "A");
});

testData("bytes come from buffers and views of every kind, and missing input is empty", ({ TextDecoder }) => {
    const decoder = new TextDecoder();
    const { buffer } = new Uint8Array([65, 66, 67, 68]);
    assert.equal(decoder.decode(buffer), "ABCD");
    assert.equal(decoder.decode(new DataView(buffer, 1, 2)), "BC");
    assert.equal(decoder.decode(new Uint16Array(buffer, 2)), "CD");
    assert.deepEqual([decoder.decode(), decoder.decode(undefined), decoder.decode(new ArrayBuffer(0))], ["", "", ""]);
    for (const value of [null, "AB", [65], {}]) throwsNamed("TypeError", () => decoder.decode(value));
    throwsNamed("TypeError", () => TextDecoder.prototype.decode.call({}, buffer));
});

testData("an incomplete character is an error only at the end of a stream", ({ TextDecoder }) => {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    assert.equal(decoder.decode(new Uint8Array([0xF0, 0x9F]), { stream: true }), "");
    assert.equal(decoder.decode(new Uint8Array([0x98, 0x80])), "\u{1F600}");
    decoder.decode(new Uint8Array([0xF0]), { stream: true });
    throwsNamed("TypeError", () => decoder.decode());
    assert.equal(decoder.decode(new Uint8Array([0x41])), "A");
    const wide = new TextDecoder("utf-16le");
    assert.equal(wide.decode(new Uint8Array([0x3D]), { stream: true }), "");
    assert.equal(wide.decode(new Uint8Array([0xD8, 0x00]), { stream: true }), "");
    assert.equal(wide.decode(new Uint8Array([0xDE, 0x00])), "\u{1F600}\uFFFD");
    assert.equal(wide.decode(new Uint8Array([0x00, 0xDE, 0x3D, 0xD8])), "\uFFFD\uFFFD");
});

// Returns bytes that are mostly the beginnings and middles of sequences.
function randomBytes(random) {
    const some = [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xE2, 0xED, 0xEF, 0xBB, 0xF0, 0xF3, 0xF4, 0xF5, 0xFF];
    return Uint8Array.from({ length: random(24) }, () => some[random(some.length)]);
}

function randomText(random) {
    const some = ["a", "\0", "\u007F", "\u0080", "\u07FF", "\u0800", "\uD7FF", "\uD800", "\uDBFF", "\uDC00", "\uDFFF", "\uE000", "\uFEFF", "\u{1F600}", "\u{10FFFF}"];
    let text = "";
    for (let count = random(16); count > 0; count--) text += some[random(some.length)];
    return text;
}

test("random bytes in random chunks decode as in another implementation, and as in one chunk", () => {
    const { TextDecoder } = loadData();
    const other = globalThis.otherData;
    const random = makeRandom(7);
    const attempt = (body) => { try { return body(); } catch (error) { return error.name; } };
    for (let round = 0; round < 5000; round++) {
        const bytes = randomBytes(random);
        const label = ["utf-8", "utf-8", "utf-16le", "utf-16be"][random(4)];
        const options = { fatal: random(3) === 0, ignoreBOM: random(2) === 0 };
        const inPieces = (Decoder) => attempt(() => {
            const decoder = new Decoder(label, options);
            let text = "", start = 0;
            for (const end of cuts) {
                text += decoder.decode(bytes.subarray(start, end), { stream: true });
                start = end;
            }
            return text + decoder.decode(bytes.subarray(start));
        });
        const cuts = [random(bytes.length + 1), random(bytes.length + 1)].sort((left, right) => left - right);
        const whole = attempt(() => new TextDecoder(label, options).decode(bytes));
        assert.equal(inPieces(TextDecoder), whole, label + " " + list(bytes));
        if (other !== undefined) assert.equal(whole, attempt(() => new other.TextDecoder(label, options).decode(bytes)), label + " " + list(bytes));
    }
});

test("random strings encode as in another implementation, and come back well-formed", () => {
    const { TextEncoder, TextDecoder } = loadData();
    const other = globalThis.otherData;
    const random = makeRandom(11);
    const encoder = new TextEncoder(), decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    for (let round = 0; round < 5000; round++) {
        const text = randomText(random);
        const bytes = encoder.encode(text);
        assert.equal(decoder.decode(bytes), text.toWellFormed === undefined ? decoder.decode(bytes) : text.toWellFormed());
        const room = random(20);
        const into = new Uint8Array(room);
        const { read, written } = encoder.encodeInto(text, into);
        assert.deepEqual(list(into.subarray(0, written)), list(encoder.encode(text.slice(0, read))));
        if (other === undefined) continue;
        assert.deepEqual(list(bytes), list(new other.TextEncoder().encode(text)));
        const said = new other.TextEncoder().encodeInto(text, new Uint8Array(room));
        assert.deepEqual([read, written], [said.read, said.written], JSON.stringify(text));
    }
});

testData("long strings of every width come back, whatever their chunks", ({ TextEncoder, TextDecoder }) => {
    for (const piece of ["a", "ab\u00E9", "\u20AC", "\u{1F600}", "x\u{1F600}"]) {
        for (const count of [7, 8, 9, 1023, 1024, 1025, 4094, 4095, 4096, 4097, 20000]) {
            const text = piece.repeat(count);
            assert.ok(new TextDecoder().decode(new TextEncoder().encode(text)) === text, piece + " " + count);
            const wide = Uint8Array.from({ length: text.length * 2 }, (_, place) => text.charCodeAt(place >> 1) >> (place & 1) * 8 & 255);
            assert.ok(new TextDecoder("utf-16le").decode(wide) === text, piece + " " + count);
        }
    }
});
