// TextEncoder and TextDecoder by the Encoding Standard (https://encoding.spec.whatwg.org), for UTF-8 and UTF-16. They
// are shells, as in events.js: their behavior is in encoding_code.
import { publishInterface } from "./events.js";
import { useBundle } from "./late_bundles.js";
import { ObjectDefineProperty, String } from "./primordials.js";

/** @type {any} */
let encodingMachinery;
export const useEncoding = () => encodingMachinery ??= useBundle("encoding_code");

/** @this {any} */
export function TextEncoder() { useEncoding().beginEncoder(this, new.target); }
/** @this {any} */
export function TextDecoder(label = "utf-8", options = undefined) { useEncoding().beginDecoder(this, new.target, label, options); }

publishInterface("TextEncoder", TextEncoder, {
    get encoding() {
        useEncoding().needEncoder(this);
        return "utf-8";
    },
    encode(input = "") {
        useEncoding().needEncoder(this);
        return useEncoding().encode(`${input}`);
    },
    encodeInto(/** @type {string} */ source, /** @type {any} */ destination) {
        useEncoding().needEncoder(this);
        return useEncoding().encodeInto(arguments.length, source, destination);
    },
});
publishInterface("TextDecoder", TextDecoder, {
    get encoding() { return useEncoding().stateOfDecoder(this).encoding; },
    get fatal() { return useEncoding().stateOfDecoder(this).isFatal; },
    get ignoreBOM() { return useEncoding().stateOfDecoder(this).keepsMark; },
    decode(input = undefined, options = undefined) { return useEncoding().decode(useEncoding().stateOfDecoder(this), input, options); },
});

// A `call` property of the function itself, which no script can replace: with a bound one, reading a megabyte takes
// 50 ms, this way 3 ms (measured on 2.50.6).
export const unitAt = String.prototype.charCodeAt;
ObjectDefineProperty(unitAt, "call", { __proto__: null, value: Function.prototype.call });
export const { fromCharCode } = String;
