// The guard around the constructors that allocate much memory in one call: ArrayBuffer and the typed arrays. The
// engine's own constructors are replaced on the global object and on their prototypes, the only places where a script
// can find them. Objects that the engine creates itself (slice, map, toSorted, transfer) are not larger than their
// source. Or they come from a constructor that the script chooses, which is one of these.
//
// Arguments are converted once, and the engine gets the converted values that were checked. This file runs last, and
// only in contexts with such a limit.
import {
    ArrayBufferIsView, getter, ObjectDefineProperty, ObjectGetOwnPropertyDescriptor, ObjectGetPrototypeOf,
    ObjectSetPrototypeOf, RangeError, ReflectApply, ReflectConstruct, ReflectOwnKeys, SymbolIterator, TypeError,
    Uint8Array,
} from "./primordials.js";

export function limitBuffers() {
    /** @type {(object: object, key: PropertyKey) => any} */
    const descriptorOf = ObjectGetOwnPropertyDescriptor;
    const { trunc, min } = Math;
    const bufferLength = getter(ArrayBuffer.prototype, "byteLength");
    const sharedLength = typeof SharedArrayBuffer === "function"
        ? getter(SharedArrayBuffer.prototype, "byteLength") : bufferLength;
    const TypedArray = ObjectGetPrototypeOf(Uint8Array);
    const typedArrayLength = getter(TypedArray.prototype, "length");
    const typedArrayTag = getter(TypedArray.prototype, Symbol.toStringTag);

    function check(/** @type {number} */ count, /** @type {number} */ size) {
        const bytes = count * size;
        if (bytes > host.maximumTypedArrayBytes) {
            throw new RangeError("a buffer may have " + host.maximumTypedArrayBytes + " bytes, this one has "
                + bytes);
        }
    }

    // Converts a length as the language does. Values that the language rejects are left for it to reject.
    function toIndex(/** @type {any} */ value) {
        if (typeof value === "symbol" || typeof value === "bigint") return value;
        const number = trunc(+value);
        return number === number ? number + 0 : 0;
    }

    function isBuffer(/** @type {unknown} */ value) {
        try { bufferLength(value); return true; } catch { /* not an ArrayBuffer */ }
        try { sharedLength(value); return true; } catch { /* nor shared memory */ }
        return false;
    }

    // Replaces the native constructor, with all its properties, where scripts find it.
    function replace(/** @type {any} */ name, /** @type {any} */ native, /** @type {any} */ guarded) {
        const keys = ReflectOwnKeys(native);
        for (let index = 0; index < keys.length; index++) {
            ObjectDefineProperty(guarded, keys[index], descriptorOf(native, keys[index]));
        }
        ObjectSetPrototypeOf(guarded, ObjectGetPrototypeOf(native));
        const own = descriptorOf(native.prototype, "constructor");
        ObjectDefineProperty(native.prototype, "constructor", { ...own, __proto__: null, value: guarded });
        const global = descriptorOf(globalThis, name);
        ObjectDefineProperty(globalThis, name, { ...global, __proto__: null, value: guarded });
    }

    function guardBuffer(/** @type {string} */ name, /** @type {any} */ native) {
        replace(name, native, function (/** @type {number} */ length, /** @type {any} */ options) {
            if (new.target === undefined) throw new TypeError("calling " + name + " constructor without new is invalid");
            const count = toIndex(length);
            if (typeof count === "number") check(count, 1);
            if (typeof options !== "object" && typeof options !== "function" || options === null) {
                return ReflectConstruct(native, [count], new.target);
            }
            const given = options.maxByteLength;
            if (given === undefined) return ReflectConstruct(native, [count], new.target);
            const most = toIndex(given);
            if (typeof most === "number") check(most, 1);
            return ReflectConstruct(native, [count, { __proto__: null, maxByteLength: most }], new.target);
        });
    }

    // Guards the one method that creates a larger buffer than its own.
    function guardTransfer(/** @type {object} */ prototype, /** @type {string} */ key) {
        const own = descriptorOf(prototype, key);
        if (own === undefined) return;
        const native = own.value;
        const guarded = { [key](/** @type {number} */ length) {
            if (length === undefined) return ReflectApply(native, this, []);
            bufferLength(this);
            const count = toIndex(length);
            if (typeof count === "number") check(count, 1);
            return ReflectApply(native, this, [count]);
        } }[key];
        ObjectDefineProperty(guarded, "length", { __proto__: null, value: native.length, configurable: true });
        ObjectDefineProperty(prototype, key, { ...own, __proto__: null, value: guarded });
    }

    // Collects the elements of an array or an iterable, each read once, up to the limit. The result is a linked list,
    // since a script can put setters for indices on Array.prototype.
    function listOf(/** @type {string} */ source, /** @type {number} */ size) {
        const method = /** @type {any} */ (source)[SymbolIterator];
        /** @type {any} */
        let head;
        /** @type {any} */
        let tail;
        let count = 0;
        const add = (/** @type {unknown} */ value) => {
            const link = { __proto__: null, value, next: undefined };
            if (tail === undefined) head = link;
            else tail.next = link;
            tail = link;
        };
        if (method !== undefined && method !== null) {
            const steps = ReflectApply(method, source, []);
            const next = steps.next;
            for (;;) {
                const step = ReflectApply(next, steps, []);
                if (typeof step !== "object" && typeof step !== "function" || step === null) {
                    throw new TypeError("an iterator's result is not an object");
                }
                if (step.done) break;
                check(++count, size);
                add(step.value);
            }
        } else {
            const length = toIndex(source.length);
            const total = min(typeof length === "number" && length > 0 ? length : 0, 9007199254740991);
            check(total, size);
            for (; count < total; count++) add(source[count]);
        }
        return { __proto__: null, head, count };
    }

    function guardTypedArray(/** @type {any} */ name, /** @type {any} */ native) {
        const size = native.BYTES_PER_ELEMENT;
        replace(name, native, function (
            /** @type {any} */ first, /** @type {number} */ offset, /** @type {number} */ length,
        ) {
            if (new.target === undefined) throw new TypeError("calling " + name + " constructor without new is invalid");
            if (typeof first !== "object" && typeof first !== "function" || first === null) {
                const count = toIndex(first);
                if (typeof count === "number") check(count, size);
                return ReflectConstruct(native, [count], new.target);
            }
            // A view allocates nothing.
            if (isBuffer(first)) return ReflectConstruct(native, [first, offset, length], new.target);
            if (ArrayBufferIsView(first) && typedArrayTag(first) !== undefined) {
                check(typedArrayLength(first), size);
                return ReflectConstruct(native, [first], new.target);
            }
            const list = listOf(first, size);
            const result = ReflectConstruct(native, [list.count], new.target);
            let link = list.head;
            for (let index = 0; index < list.count; index++) {
                result[index] = link.value;
                link = link.next;
            }
            return result;
        });
    }

    const names = ReflectOwnKeys(globalThis);
    for (let index = 0; index < names.length; index++) {
        const value = descriptorOf(globalThis, names[index]).value;
        if (typeof value === "function" && ObjectGetPrototypeOf(value) === TypedArray) guardTypedArray(names[index], value);
    }
    const NativeBuffer = ArrayBuffer;
    guardBuffer("ArrayBuffer", NativeBuffer);
    guardTransfer(NativeBuffer.prototype, "transfer");
    guardTransfer(NativeBuffer.prototype, "transferToFixedLength");
    if (typeof SharedArrayBuffer === "function") guardBuffer("SharedArrayBuffer", SharedArrayBuffer);
    // An option of the engine disables it for the process, unless another library has created a virtual machine
    // earlier.
    delete (/** @type {any} */ (globalThis)).WebAssembly;
}
