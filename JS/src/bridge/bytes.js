// Bytes as base64 and back, and the bytes of a view or a buffer.
import { makeError } from "./errors.js";
import {
    ArrayBufferIsView, ArrayBufferPrototypeGetByteLength, ArrayBufferPrototypeGetDetached, DataViewPrototypeGetBuffer,
    DataViewPrototypeGetByteLength, DataViewPrototypeGetByteOffset, StringPrototypeCharCodeAt,
    TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteLength, TypedArrayPrototypeGetByteOffset,
    TypedArrayPrototypeGetTag, Uint8Array, Uint8ArrayFromBase64, Uint8ArrayPrototypeToBase64,
} from "../engine/primordials.js";

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export function encodeBytes(/** @type {Uint8Array} */ bytes) {
    if (Uint8ArrayPrototypeToBase64 !== undefined) return Uint8ArrayPrototypeToBase64(bytes);
    const count = TypedArrayPrototypeGetByteLength(bytes);
    let text = "";
    for (let index = 0; index < count; index += 3) {
        const left = count - index;
        const bits = bytes[index] << 16 | (left > 1 ? bytes[index + 1] << 8 : 0) | (left > 2 ? bytes[index + 2] : 0);
        text += digits[bits >> 18] + digits[bits >> 12 & 63];
        text += (left > 1 ? digits[bits >> 6 & 63] : "=") + (left > 2 ? digits[bits & 63] : "=");
    }
    return text;
}

function digitOf(/** @type {string} */ text, /** @type {number} */ index) {
    const unit = StringPrototypeCharCodeAt(text, index);
    if (unit >= 65 && unit <= 90) return unit - 65;
    if (unit >= 97 && unit <= 122) return unit - 71;
    if (unit >= 48 && unit <= 57) return unit + 4;
    return unit === 43 ? 62 : unit === 47 ? 63 : -1;
}

// Decodes base64; returns undefined if the string is not valid.
export function decodeBytes(/** @type {string} */ text) {
    if (typeof text !== "string" || text.length % 4 !== 0) return undefined;
    if (Uint8ArrayFromBase64 !== undefined) {
        try { return Uint8ArrayFromBase64(text); } catch { return undefined; }
    }
    let length = text.length;
    if (length > 0 && text[length - 1] === "=") length -= text[length - 2] === "=" ? 2 : 1;
    const bytes = new Uint8Array(length * 3 >> 2);
    let bits = 0, place = 0;
    for (let index = 0; index < length; index++) {
        const digit = digitOf(text, index);
        if (digit < 0) return undefined;
        bits = bits << 6 | digit;
        if (index % 4 > 0) bytes[place++] = bits >> (6 - index % 4 * 2) & 255;
    }
    return bytes;
}

function isDetached(/** @type {any} */ buffer) {
    try { return ArrayBufferPrototypeGetDetached !== undefined && ArrayBufferPrototypeGetDetached(buffer); } catch { return false; }
}

// Returns the bytes of a view or a buffer without a copy; undefined for other values. No species is read.
export function bytesOf(/** @type {any} */ value) {
    let buffer = value, offset = 0, count;
    if (ArrayBufferIsView(value)) {
        const isTyped = TypedArrayPrototypeGetTag(value) !== undefined;
        buffer = isTyped ? TypedArrayPrototypeGetBuffer(value) : DataViewPrototypeGetBuffer(value);
        if (!isDetached(buffer)) {
            offset = isTyped ? TypedArrayPrototypeGetByteOffset(value) : DataViewPrototypeGetByteOffset(value);
            count = isTyped ? TypedArrayPrototypeGetByteLength(value) : DataViewPrototypeGetByteLength(value);
        }
    } else {
        try { count = ArrayBufferPrototypeGetByteLength(value); } catch { return undefined; }
    }
    if (isDetached(buffer)) throw makeError("encodeFailed", "its bytes are gone: the buffer is detached");
    return new Uint8Array(buffer, offset, count);
}
