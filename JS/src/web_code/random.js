// Random values. In a context that is recorded or replayed they come from the host's sequence, which is not secret.
import { environment } from "../engine/environment.js";
import { needArguments } from "../engine/interfaces.js";
import { native } from "../engine/native.js";
import {
    ArrayBufferIsView, ArrayBufferPrototypeGetByteLength, DataViewPrototypeGetBuffer, MathFloor, TypeError, Uint8Array,
    TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteLength, TypedArrayPrototypeGetByteOffset,
    TypedArrayPrototypeGetTag, TypedArrayPrototypeSet,
} from "../engine/primordials.js";
import { fail } from "../web/exceptions.js";
import { usePart } from "../web/parts.js";
import { Crypto } from "../web/random.js";

const integers = {
    __proto__: null, Int8Array: true, Uint8Array: true, Uint8ClampedArray: true, Int16Array: true, Uint16Array: true,
    Int32Array: true, Uint32Array: true, BigInt64Array: true, BigUint64Array: true,
};

export function loadRandom() {
    const object = { __proto__: Crypto.prototype };
    const maximumCount = 65536;
    // The bytes come through arrays of this part, since an array that native code has seen can never be transferred.
    const area = new Uint8Array(4096), few = new Uint8Array(16), none = new Uint8Array(4096);

    function need(/** @type {unknown} */ receiver) {
        if (receiver !== object) throw new TypeError("this is not the Crypto");
    }

    function fill(/** @type {any} */ bytes, /** @type {number} */ count) {
        if (!environment.isRecorded) {
            native.fillRandom(bytes, count);
            return;
        }
        for (let index = 0; index < count; index++) bytes[index] = MathFloor(environment.random() * 256);
    }

    function isShared(/** @type {any} */ buffer) {
        try {
            ArrayBufferPrototypeGetByteLength(buffer);
            return false;
        } catch {
            return true;
        }
    }

    function getRandomValues(/** @type {unknown} */ receiver, /** @type {number} */ count, /** @type {any} */ array) {
        need(receiver);
        needArguments(count, 1, "getRandomValues");
        if (!ArrayBufferIsView(array)) throw new TypeError("getRandomValues fills an array of integers");
        const tag = TypedArrayPrototypeGetTag(array);
        const buffer = tag === undefined ? DataViewPrototypeGetBuffer(array) : TypedArrayPrototypeGetBuffer(array);
        if (isShared(buffer)) throw new TypeError("getRandomValues fills no shared memory");
        if (tag === undefined || /** @type {any} */ (integers)[tag] !== true) {
            fail("getRandomValues fills arrays of integers, not a " + (tag ?? "DataView") + ".", "TypeMismatchError");
        }
        const length = TypedArrayPrototypeGetByteLength(array);
        if (length > maximumCount) {
            usePart("exceptions").exceedQuota("getRandomValues fills " + maximumCount + " bytes at most, not " + length + ".");
        }
        const start = TypedArrayPrototypeGetByteOffset(array);
        for (let at = 0; at < length; at += 4096) {
            const part = length - at < 4096 ? length - at : 4096;
            fill(area, part);
            const source = part === 4096 ? area : new Uint8Array(TypedArrayPrototypeGetBuffer(area), 0, part);
            TypedArrayPrototypeSet(new Uint8Array(buffer, start + at, part), source);
        }
        // No other code finds the values here.
        if (length > 0) TypedArrayPrototypeSet(area, none);
        return array;
    }

    const digits = "0123456789abcdef";
    function randomUUID(/** @type {unknown} */ receiver) {
        need(receiver);
        fill(few, 16);
        few[6] = few[6] & 0x0F | 0x40;
        few[8] = few[8] & 0x3F | 0x80;
        let text = "";
        for (let index = 0; index < 16; index++) {
            if (index === 4 || index === 6 || index === 8 || index === 10) text += "-";
            text += digits[few[index] >> 4] + digits[few[index] & 15];
        }
        return text;
    }

    return { __proto__: null, object, getRandomValues, randomUUID };
}
