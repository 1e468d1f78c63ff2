// The behavior of TextEncoder and TextDecoder (engine/encoding.js).
import { fromCharCode, unitAt } from "../engine/encoding.js";
import { Given, needArguments, needNew } from "../engine/interfaces.js";
import { isObject } from "../engine/objects.js";
import {
    ArrayBufferIsView, ArrayBufferPrototypeGetByteLength, DataViewPrototypeGetBuffer, DataViewPrototypeGetByteLength,
    DataViewPrototypeGetByteOffset, JSONParse, RangeError, ReflectApply, StringPrototypeSlice,
    StringPrototypeToLowerCase, TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteLength,
    TypedArrayPrototypeGetByteOffset, TypedArrayPrototypeGetLength, TypedArrayPrototypeGetTag, TypeError, Uint8Array,
} from "../engine/primordials.js";

export function makeEncoding() {
    // ------------------------------------------------------------ encoding

    /** @type {any} */
    let isEncoder;

    class EncoderState extends Given {
        #isOne = true;
        static {
            isEncoder = (/** @type {any} */ value) => isObject(value) && #isOne in value;
        }
        constructor(/** @type {object} */ object) { super(object); }
    }

    function needEncoder(/** @type {unknown} */ value) {
        if (!isEncoder(value)) throw new TypeError("this is not a TextEncoder");
    }

    // Returns the code point at an index. An unpaired surrogate is the replacement character.
    function pointAt(/** @type {string} */ text, /** @type {number} */ index, /** @type {number} */ count) {
        const unit = unitAt.call(text, index);
        if (unit < 0xD800 || unit > 0xDFFF) return unit;
        if (unit > 0xDBFF || index + 1 >= count) return 0xFFFD;
        const next = unitAt.call(text, index + 1);
        return next < 0xDC00 || next > 0xDFFF ? 0xFFFD : 0x10000 + (unit - 0xD800 << 10) + (next - 0xDC00);
    }

    function lengthOf(/** @type {number} */ point) {
        return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    }

    function byteCount(/** @type {string} */ text) {
        const count = text.length;
        let total = 0;
        for (let index = 0; index < count; index++) {
            if (unitAt.call(text, index) < 0x80) {
                total++;
                continue;
            }
            const point = pointAt(text, index, count);
            if (point > 0xFFFF) index++;
            total += lengthOf(point);
        }
        return total;
    }

    // Writes as many whole code points as fit.
    function write(/** @type {string} */ text, /** @type {any} */ bytes, /** @type {number} */ room) {
        const count = text.length;
        let index = 0, place = 0;
        while (index < count) {
            const unit = unitAt.call(text, index);
            if (unit < 0x80) {
                if (place >= room) break;
                bytes[place++] = unit;
                index++;
                continue;
            }
            const point = pointAt(text, index, count);
            const length = lengthOf(point);
            if (place + length > room) break;
            index += length === 4 ? 2 : 1;
            bytes[place++] = length === 2 ? 0xC0 | point >> 6 : length === 3 ? 0xE0 | point >> 12 : 0xF0 | point >> 18;
            if (length === 4) bytes[place++] = 0x80 | point >> 12 & 0x3F;
            if (length >= 3) bytes[place++] = 0x80 | point >> 6 & 0x3F;
            bytes[place++] = 0x80 | point & 0x3F;
        }
        return { read: index, written: place };
    }

    function bytesOfText(/** @type {string} */ text, count = byteCount(text)) {
        const bytes = new Uint8Array(count);
        write(text, bytes, count);
        return bytes;
    }

    function encode(/** @type {string} */ text) {
        const count = byteCount(text);
        // This constructor is not the guarded one of buffer_limits.js.
        const most = host.maximumTypedArrayBytes;
        if (most !== undefined && count > most) {
            throw new RangeError("a buffer may have " + most + " bytes, this string takes " + count);
        }
        return bytesOfText(text, count);
    }

    function encodeInto(/** @type {number} */ count, /** @type {string} */ source, /** @type {any} */ destination) {
        needArguments(count, 2, "encodeInto");
        const text = `${source}`;
        if (!ArrayBufferIsView(destination) || TypedArrayPrototypeGetTag(destination) !== "Uint8Array") {
            throw new TypeError("encodeInto writes into a Uint8Array");
        }
        return write(text, destination, TypedArrayPrototypeGetLength(destination));
    }

    // ------------------------------------------------------------ decoding

    /** @type {any} */
    let decoderOf;

    class DecoderState extends Given {
        #state;
        static {
            decoderOf = (/** @type {any} */ value) => isObject(value) && #state in value ? value.#state : undefined;
        }
        constructor(/** @type {object} */ object, /** @type {any} */ state) {
            super(object);
            this.#state = state;
        }
    }

    function stateOfDecoder(/** @type {unknown} */ value) {
        const state = decoderOf(value);
        if (state === undefined) throw new TypeError("this is not a TextDecoder");
        return state;
    }

    function isSpace(/** @type {any} */ unit) {
        return unit === 32 || unit === 9 || unit === 10 || unit === 12 || unit === 13;
    }

    // Returns the encoding of a label; undefined for an encoding that is not supported.
    function encodingOf(/** @type {string} */ label) {
        let start = 0, end = label.length;
        while (start < end && isSpace(unitAt.call(label, start))) start++;
        while (end > start && isSpace(unitAt.call(label, end - 1))) end--;
        switch (StringPrototypeToLowerCase(StringPrototypeSlice(label, start, end))) {
        case "unicode-1-1-utf-8": case "unicode11utf8": case "unicode20utf8": case "utf-8": case "utf8":
        case "x-unicode20utf8":
            return "utf-8";
        case "csunicode": case "iso-10646-ucs-2": case "ucs-2": case "unicode": case "unicodefeff": case "utf-16":
        case "utf-16le":
            return "utf-16le";
        case "unicodefffe": case "utf-16be":
            return "utf-16be";
        default:
            return undefined;
        }
    }

    function needOptions(/** @type {any} */ options, /** @type {string} */ what) {
        if (options === undefined || options === null) return false;
        if (!isObject(options)) throw new TypeError(what + "'s options are an object, not a " + typeof options);
        return true;
    }

    function beginDecoder(
        /** @type {object} */ object, /** @type {any} */ newTarget, /** @type {string} */ label,
        /** @type {any} */ options,
    ) {
        needNew(newTarget, "TextDecoder");
        const text = `${label}`;
        const hasOptions = needOptions(options, "TextDecoder");
        const isFatal = hasOptions && !!options.fatal;
        const keepsMark = hasOptions && !!options.ignoreBOM;
        const encoding = encodingOf(text);
        if (encoding === undefined) {
            throw new RangeError("\"" + text + "\" is not a supported encoding: use UTF-8 or UTF-16");
        }
        new DecoderState(object, reset({ __proto__: null, encoding, isFatal, keepsMark, isStreaming: false }));
    }

    function reset(/** @type {any} */ state) {
        // Whether the position of a byte order mark has been passed.
        state.isBegun = false;
        // UTF-8: the code point so far, the number of missing bytes, and the range of the next byte.
        state.point = state.needed = 0;
        state.lower = 0x80;
        state.upper = 0xBF;
        // UTF-16: the first byte of a unit, the lead surrogate; -1 for none.
        state.half = state.lead = -1;
        return state;
    }

    // Returns the bytes as a view; undefined without bytes, as in a detached buffer.
    function bytesOf(/** @type {any} */ input) {
        let buffer = input, offset = 0, count;
        if (ArrayBufferIsView(input)) {
            const isTyped = TypedArrayPrototypeGetTag(input) !== undefined;
            try {
                count = isTyped ? TypedArrayPrototypeGetByteLength(input) : DataViewPrototypeGetByteLength(input);
                offset = isTyped ? TypedArrayPrototypeGetByteOffset(input) : DataViewPrototypeGetByteOffset(input);
            } catch {
                return undefined;
            }
            buffer = isTyped ? TypedArrayPrototypeGetBuffer(input) : DataViewPrototypeGetBuffer(input);
        } else {
            try {
                count = ArrayBufferPrototypeGetByteLength(input);
            } catch {
                throw new TypeError("decode takes an ArrayBuffer or a view of one");
            }
        }
        return count === 0 ? undefined : new Uint8Array(buffer, offset, count);
    }

    function decode(/** @type {any} */ state, /** @type {any} */ input, /** @type {any} */ options) {
        const isStreaming = needOptions(options, "decode") && !!options.stream;
        const bytes = input === undefined ? undefined : bytesOf(input);
        if (!state.isStreaming) reset(state);
        state.isStreaming = isStreaming;
        const count = bytes === undefined ? 0 : TypedArrayPrototypeGetLength(bytes);
        const decodeUnits = state.encoding === "utf-8" ? decodeUTF8 : decodeUTF16;
        const text = decodeUnits(state, bytes, count, !isStreaming);
        if (state.isBegun || text === "") return text;
        state.isBegun = true;
        return !state.keepsMark && unitAt.call(text, 0) === 0xFEFF ? StringPrototypeSlice(text, 1) : text;
    }

    // The code units of a part of the string, in an array with own elements: Array.prototype is never read.
    const size = 4096;
    const units = makeUnits();
    function makeUnits() {
        let text = "0";
        for (let count = 1; count < size; count *= 2) text += "," + text;
        return JSONParse("[" + text + "]");
    }

    function textOf(/** @type {number} */ count) {
        if (count === size) return ReflectApply(fromCharCode, undefined, units);
        if (count > size / 4) return StringPrototypeSlice(ReflectApply(fromCharCode, undefined, units), 0, count);
        let text = "", index = 0;
        for (; index + 8 <= count; index += 8) {
            text += fromCharCode(
                units[index], units[index + 1], units[index + 2], units[index + 3],
                units[index + 4], units[index + 5], units[index + 6], units[index + 7],
            );
        }
        for (; index < count; index++) text += fromCharCode(units[index]);
        return text;
    }

    // Returns bytes as a string of their code units.
    function decodeLatin1(/** @type {any} */ bytes) {
        const count = TypedArrayPrototypeGetLength(bytes);
        let text = "", place = 0;
        for (let index = 0; index < count; index++) {
            units[place++] = bytes[index];
            if (place < size) continue;
            text += textOf(place);
            place = 0;
        }
        return text + textOf(place);
    }

    // Returns the code units of a string as bytes; undefined if one of them is above 0xFF.
    function encodeLatin1(/** @type {string} */ text) {
        const bytes = new Uint8Array(text.length);
        for (let index = 0; index < text.length; index++) {
            const unit = unitAt.call(text, index);
            if (unit > 0xFF) return undefined;
            bytes[index] = unit;
        }
        return bytes;
    }

    // Returns the replacement for invalid bytes.
    function replacement(/** @type {any} */ state) {
        if (!state.isFatal) return 0xFFFD;
        reset(state);
        throw new TypeError("the bytes are not valid " + state.encoding);
    }

    // Decodes UTF-8, with one replacement for each longest valid beginning of a sequence, and for each byte that
    // cannot begin one.
    function decodeUTF8(
        /** @type {any} */ state, /** @type {any} */ bytes, /** @type {number} */ count, /** @type {boolean} */ isEnd,
    ) {
        let text = "", place = 0, index = 0;
        let { point, needed, lower, upper } = state;
        while (index < count) {
            // Space for a surrogate pair.
            if (place >= size - 1) {
                text += textOf(place);
                place = 0;
            }
            let byte = bytes[index];
            if (needed === 0) {
                if (byte < 0x80) {
                    do {
                        units[place++] = byte;
                        if (++index >= count || place >= size) break;
                        byte = bytes[index];
                    } while (byte < 0x80);
                    continue;
                }
                index++;
                if (byte >= 0xC2 && byte <= 0xDF) {
                    needed = 1;
                    point = byte & 0x1F;
                } else if (byte >= 0xE0 && byte <= 0xEF) {
                    needed = 2;
                    point = byte & 0xF;
                    if (byte === 0xE0) lower = 0xA0;
                    else if (byte === 0xED) upper = 0x9F;
                } else if (byte >= 0xF0 && byte <= 0xF4) {
                    needed = 3;
                    point = byte & 7;
                    if (byte === 0xF0) lower = 0x90;
                    else if (byte === 0xF4) upper = 0x8F;
                } else {
                    units[place++] = replacement(state);
                }
            } else if (byte < lower || byte > upper) {
                // The byte is read again as a first one.
                needed = 0;
                lower = 0x80;
                upper = 0xBF;
                units[place++] = replacement(state);
            } else {
                index++;
                lower = 0x80;
                upper = 0xBF;
                point = point << 6 | byte & 0x3F;
                if (--needed > 0) continue;
                if (point > 0xFFFF) {
                    units[place++] = 0xD800 + (point - 0x10000 >> 10);
                    units[place++] = 0xDC00 + (point & 0x3FF);
                } else {
                    units[place++] = point;
                }
            }
        }
        text += textOf(place);
        if (isEnd && needed > 0) {
            text += fromCharCode(replacement(state));
            needed = 0;
            lower = 0x80;
            upper = 0xBF;
        }
        state.point = point;
        state.needed = needed;
        state.lower = lower;
        state.upper = upper;
        return text;
    }

    // Decodes UTF-8 with replacements and with its byte order mark.
    const textOfBytes = (/** @type {any} */ bytes, /** @type {number} */ count) => decodeUTF8(
        reset({ __proto__: null, isFatal: false }), bytes, count, true,
    );

    function decodeUTF16(
        /** @type {any} */ state, /** @type {any} */ bytes, /** @type {number} */ count, /** @type {boolean} */ isEnd,
    ) {
        const isBig = state.encoding === "utf-16be";
        let text = "", place = 0;
        let { half, lead } = state;
        for (let index = 0; index < count; index++) {
            const byte = bytes[index];
            if (half < 0) {
                half = byte;
                continue;
            }
            const unit = isBig ? half << 8 | byte : byte << 8 | half;
            half = -1;
            if (place >= size - 1) {
                text += textOf(place);
                place = 0;
            }
            const isTrail = unit >= 0xDC00 && unit <= 0xDFFF;
            if (lead >= 0) {
                units[place++] = isTrail ? lead : replacement(state);
                lead = -1;
                if (isTrail) {
                    units[place++] = unit;
                    continue;
                }
            }
            if (unit >= 0xD800 && unit <= 0xDBFF) lead = unit;
            else units[place++] = isTrail ? replacement(state) : unit;
        }
        text += textOf(place);
        if (isEnd && (half >= 0 || lead >= 0)) {
            text += fromCharCode(replacement(state));
            half = lead = -1;
        }
        state.half = half;
        state.lead = lead;
        return text;
    }

    return {
        __proto__: null, needEncoder, encode, encodeInto, stateOfDecoder, beginDecoder, decode, decodeLatin1, encodeLatin1,
        bytesOfText, textOfBytes,
        beginEncoder: (/** @type {object} */ object, /** @type {any} */ newTarget) => {
            needNew(newTarget, "TextEncoder");
            new EncoderState(object);
        },
    };
}
