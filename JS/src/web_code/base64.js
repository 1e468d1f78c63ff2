// atob and btoa.
import { useEncoding } from "../engine/encoding.js";
import { needArguments } from "../engine/interfaces.js";
import { RangeError, Uint8ArrayFromBase64, Uint8ArrayPrototypeToBase64 } from "../engine/primordials.js";
import { fail } from "../web/exceptions.js";

export function loadBase64() {
    const { decodeLatin1, encodeLatin1 } = useEncoding();

    function needRoom(/** @type {number} */ count) {
        const most = host.maximumTypedArrayBytes;
        if (count > most) throw new RangeError("a buffer may have " + most + " bytes, this string takes " + count);
    }

    // The engine's decoder skips the same spaces, and treats the last characters in the same way, as the standard's.
    function atob(/** @type {number} */ count, /** @type {string} */ data) {
        needArguments(count, 1, "atob");
        const text = `${data}`;
        needRoom(text.length / 4 * 3);
        let bytes;
        try {
            bytes = Uint8ArrayFromBase64(text);
        } catch {
            fail("The string to be decoded is not valid base64.", "InvalidCharacterError");
        }
        return decodeLatin1(bytes);
    }

    function btoa(/** @type {number} */ count, /** @type {string} */ data) {
        needArguments(count, 1, "btoa");
        const text = `${data}`;
        needRoom(text.length);
        const bytes = encodeLatin1(text);
        if (bytes === undefined) {
            fail("The string to be encoded contains characters outside of the Latin1 range.", "InvalidCharacterError");
        }
        return Uint8ArrayPrototypeToBase64(bytes);
    }

    return { __proto__: null, atob, btoa };
}
