// Functions of the host: a script holds a real function around a box that keeps the Swift closure; the box is released
// with the function. Calling the closure never throws directly, since native functions of the fast path must not throw.
// A failure is a marker that no closure can return otherwise, and the wrapper throws.
import { callNative, takeFailure } from "./native.js";
import { push } from "./objects.js";
import { ObjectDefineProperty, ReflectApply } from "./primordials.js";

export const failed = Symbol("failed");

const makers = [
    (/** @type {any} */ box, /** @type {string} */ name) => ({ [name]() {
        const result = callNative(box);
        if (result === failed) throw takeFailure();
        return result;
    } })[name],
    (/** @type {any} */ box, /** @type {string} */ name) => ({ [name](/** @type {any} */ first) {
        const result = callNative(box, first);
        if (result === failed) throw takeFailure();
        return result;
    } })[name],
    (
        /** @type {any} */ box, /** @type {string} */ name,
    ) => ({ [name](/** @type {any} */ first, /** @type {any} */ second) {
        const result = callNative(box, first, second);
        if (result === failed) throw takeFailure();
        return result;
    } })[name],
    (
        /** @type {any} */ box, /** @type {string} */ name,
    ) => ({ [name](/** @type {any} */ first, /** @type {any} */ second, /** @type {any} */ third) {
        const result = callNative(box, first, second, third);
        if (result === failed) throw takeFailure();
        return result;
    } })[name],
    (
        /** @type {any} */ box, /** @type {string} */ name,
    ) => ({ [name](
        /** @type {any} */ first, /** @type {any} */ second, /** @type {any} */ third, /** @type {any} */ fourth,
    ) {
        const result = callNative(box, first, second, third, fourth);
        if (result === failed) throw takeFailure();
        return result;
    } })[name],
];

const makeVariadic = (/** @type {any} */ box, /** @type {string} */ name) => ({ [name](/** @type {any[]} */ ...values) {
    const list = [box];
    for (let index = 0; index < values.length; index++) push(list, values[index]);
    const result = ReflectApply(callNative, undefined, list);
    if (result === failed) throw takeFailure();
    return result;
} })[name];

export const describeFunction = (
    /** @type {any} */ wrapper, /** @type {string} */ name, /** @type {number} */ length,
) => {
    // Stacks show this name, not that of the literals above.
    ObjectDefineProperty(wrapper, "displayName", { __proto__: null, value: name, configurable: true });
    return ObjectDefineProperty(wrapper, "length", { __proto__: null, value: length, configurable: true });
};

export function makeFunction(
    /** @type {any} */ box, /** @type {string} */ name, /** @type {number} */ length,
    /** @type {boolean} */ isVariadic,
) {
    const make = isVariadic || length >= makers.length ? makeVariadic : makers[length];
    return describeFunction(make(box, name), name, length);
}
