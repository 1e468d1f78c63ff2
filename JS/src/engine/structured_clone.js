// structuredClone by the HTML Standard (https://html.spec.whatwg.org/#safe-passing-of-structured-data), for the
// language's own values. It is a shell, as in events.js: its behavior is in clone_code.
import { useBundle } from "./late_bundles.js";
import { Error, ObjectDefineProperty, RangeError, TypeError, Uint8Array, global, uncurryThis } from "./primordials.js";

/** @type {any} */
let cloneMachinery;
export const useClone = () => cloneMachinery ??= useBundle("clone_code");
const { structuredClone } = {
    structuredClone(/** @type {unknown} */ value, options = undefined) {
        return useClone().structuredClone(arguments.length, value, options);
    },
};

// What the globals of the web add: the prototypes of objects that are not data, and message ports.
/** @type {{ __proto__: null, first: ListNode | null, isPort: (value: unknown) => boolean, isMoved: (port: any) => boolean, move: (port: any) => object }} */
export const platform = {
    __proto__: null, first: null, isPort: () => false, isMoved: () => false, move: (port) => port,
};
ObjectDefineProperty(global, "structuredClone", {
    __proto__: null, value: structuredClone, writable: true, enumerable: false, configurable: true,
});

// Saved before a script can replace them. The engine creates its typed arrays and error classes on first access,
// which took 80 us for all of them (measured on 2.50.6). So these are accessed only when a value is cloned. If
// buffer_limits.js replaces typed arrays with guarded ones, it accesses all of them anyway.
const NativeBoolean = Boolean, NativeObject = Object, NativeRegExp = RegExp, NativeSymbol = Symbol;
const NativeArrayBuffer = ArrayBuffer, NativeDataView = DataView, NativeNumber = Number, NativeWeakSet = WeakSet;
const NativeShared = typeof SharedArrayBuffer === "function" ? SharedArrayBuffer : undefined;
const { get: mostBytes } = Object.getOwnPropertyDescriptor(NativeArrayBuffer.prototype, "maxByteLength") ?? {};
const getMaximumLength = mostBytes === undefined ? undefined : uncurryThis(mostBytes);
const { at } = Object.getPrototypeOf(Uint8Array.prototype);
const elementAt = uncurryThis(at);
const { isError: isNativeError } = /** @type {any} */ (Error);
const viewNames = [
    "Int8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array", "Float16Array",
    "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array",
];
/** @type {any} */
const kept = { __proto__: null };
if (host.maximumTypedArrayBytes <= NativeNumber.MAX_SAFE_INTEGER) {
    for (let index = 0; index < viewNames.length; index++) kept[viewNames[index]] = find(viewNames[index]);
}

function find(/** @type {string} */ name) {
    try {
        switch (name) {
        case "Int8Array": return Int8Array;
        case "Uint8Array": return Uint8Array;
        case "Uint8ClampedArray": return Uint8ClampedArray;
        case "Int16Array": return Int16Array;
        case "Uint16Array": return Uint16Array;
        case "Int32Array": return Int32Array;
        case "Uint32Array": return Uint32Array;
        // @ts-expect-error newer than the declarations
        case "Float16Array": return Float16Array;
        case "Float32Array": return Float32Array;
        case "Float64Array": return Float64Array;
        case "BigInt64Array": return BigInt64Array;
        case "BigUint64Array": return BigUint64Array;
        case "EvalError": return EvalError;
        case "RangeError": return RangeError;
        case "ReferenceError": return ReferenceError;
        case "SyntaxError": return SyntaxError;
        case "TypeError": return TypeError;
        case "URIError": return URIError;
        default: return undefined;
        }
    } catch {
        return undefined;
    }
}

// The built-in functions that clone_code needs as they are before any script runs.
export const cloneBuiltins = {
    __proto__: null, NativeArrayBuffer, NativeBoolean, NativeDataView, NativeNumber, NativeObject, NativeRegExp,
    NativeShared, NativeSymbol, NativeWeakSet, elementAt, find, getMaximumLength, isNativeError, kept,
};
