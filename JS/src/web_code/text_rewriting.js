// Changes of strings, unit by unit or byte by byte, for URLs.
import { unitAt, useEncoding } from "../engine/encoding.js";
import { StringPrototypeSlice, TypedArrayPrototypeGetLength, Uint8Array } from "../engine/primordials.js";


export const isDigit = (/** @type {number} */ unit) => unit >= 48 && unit <= 57;
export const isLetter = (/** @type {number} */ unit) => unit >= 65 && unit <= 90 || unit >= 97 && unit <= 122;

const digit = (/** @type {number} */ number) => number < 10 ? 48 + number : 55 + number;

// Replaces the units for which `replace` returns a string.
export function rewrite(/** @type {string} */ text, /** @type {(unit: number) => string | undefined} */ replace) {
    let result = "", start = 0;
    for (let index = 0; index < text.length; index++) {
        const replacement = replace(unitAt.call(text, index));
        if (replacement === undefined) continue;
        result += StringPrototypeSlice(text, start, index) + replacement;
        start = index + 1;
    }
    return start === 0 ? text : result + StringPrototypeSlice(text, start);
}

// Encodes a string as UTF-8, and escapes the bytes that are not ASCII and those for which `isEscaped` is true. In a form,
// a space becomes `+`.
export function escape(
    /** @type {string} */ text, /** @type {(unit: number) => boolean} */ isEscaped, isForm = false,
) {
    let index = 0;
    while (index < text.length) {
        const unit = unitAt.call(text, index);
        if (unit > 0x7E || unit === 32 || isEscaped(unit)) break;
        index++;
    }
    if (index === text.length) return text;
    const { bytesOfText, textOfBytes } = useEncoding();
    const bytes = bytesOfText(text);
    const count = TypedArrayPrototypeGetLength(bytes);
    const result = new Uint8Array(count * 3);
    let place = 0;
    for (let source = 0; source < count; source++) {
        const byte = bytes[source];
        if (isForm && byte === 32) result[place++] = 43;
        else if (byte > 0x7E || isEscaped(byte)) {
            result[place++] = 37;
            result[place++] = digit(byte >> 4);
            result[place++] = digit(byte & 15);
        } else result[place++] = byte;
    }
    return textOfBytes(result, place);
}

const hexadecimal = (/** @type {number} */ unit) =>
    isDigit(unit) ? unit - 48 : unit >= 65 && unit <= 70 ? unit - 55 : unit >= 97 && unit <= 102 ? unit - 87 : -1;

// Decodes the escapes of a string in a form. Bytes that are not UTF-8 become the replacement character.
export function unescapeForm(/** @type {string} */ text) {
    const { bytesOfText, textOfBytes } = useEncoding();
    const bytes = bytesOfText(text);
    const count = TypedArrayPrototypeGetLength(bytes);
    let place = 0;
    for (let index = 0; index < count; index++) {
        let byte = bytes[index];
        if (byte === 43) byte = 32;
        else if (byte === 37 && index + 2 < count) {
            const high = hexadecimal(bytes[index + 1]), low = hexadecimal(bytes[index + 2]);
            if (high >= 0 && low >= 0) {
                byte = high << 4 | low;
                index += 2;
            }
        }
        bytes[place++] = byte;
    }
    return textOfBytes(bytes, place);
}
