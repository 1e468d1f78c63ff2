// Modules: `bridge.module("people").find(data)` is `bridge.callHandler("people.find", data)`. Only the other side knows
// which handlers exist, so every name is a method, except names that are read from any object.
import { callSynchronously, callWithPromise, notify } from "./calls.js";
import { makeError } from "./errors.js";
import { define, textOf } from "./objects.js";
import { pipeline } from "./pipelining.js";
import { openStream } from "./streams.js";
import { ObjectDefineProperty, ObjectFreeze, ObjectHasOwn, ObjectPrototype, Proxy } from "../engine/primordials.js";

const { apply, bind, call } = Function.prototype;
const { toStringTag } = Symbol;

// Properties that the language reads when a value is awaited or converted to a string or JSON, and that consoles
// read when they show one. None of these reads may be a call.
function membersOf(/** @type {object} */ prototype, /** @type {any} */ others) {
    const {
        constructor, hasOwnProperty, isPrototypeOf, propertyIsEnumerable, toLocaleString, toString, valueOf,
    } = prototype;
    return ObjectFreeze({
        __proto__: null, then: undefined, toJSON: undefined, constructor, hasOwnProperty, isPrototypeOf,
        propertyIsEnumerable, toLocaleString, toString, valueOf, ...others,
    });
}
const moduleMembers = membersOf(ObjectPrototype);
const methodMembers = membersOf(Function.prototype, {
    apply, bind, call, arguments: undefined, caller: undefined, prototype: undefined,
});

/** @returns {any} */
function addMethods(/** @type {any} */ target, /** @type {string} */ prefix, /** @type {any} */ members) {
    // Without a prototype, so that every name is an ordinary key.
    /** @type {any} */
    const methods = { __proto__: null };
    return new Proxy(ObjectFreeze(target), ObjectFreeze({
        __proto__: null,
        get(/** @type {any} */ _, /** @type {string} */ key) {
            if (typeof key === "symbol" || ObjectHasOwn(target, key)) return target[key];
            return key in members ? members[key] : methods[key] ??= makeMethod(prefix + key);
        },
    }));
}

// Creates the method of a handler. The other ways to call have the names that they have on `bridge`. Handlers of a
// nested group are members of the method with its name.
/** @returns {any} */
function makeMethod(/** @type {string} */ name) {
    const method = (/** @type {unknown} */ data, /** @type {any} */ options) => callWithPromise(name, data, options);
    const add = (
        /** @type {string} */ key, /** @type {any} */ way,
    ) => { define(method, key, ObjectFreeze(way), false); };
    ObjectDefineProperty(method, "name", { __proto__: null, value: name });
    add("callHandlerSync", (/** @type {unknown} */ data) => callSynchronously(name, data));
    add("notify", (/** @type {unknown} */ data) => { notify(name, data); });
    add("openStream", (/** @type {unknown} */ data, /** @type {any} */ options) => openStream(name, data, options));
    add("pipeline", (/** @type {unknown} */ data, /** @type {any} */ options) => pipeline(name, data, options));
    return addMethods(method, name + ".", methodMembers);
}

// As for groups in Swift, an empty namespace adds no prefix to the names.
export function makeModule(/** @type {string} */ namespace) {
    if (typeof namespace !== "string") {
        throw makeError("invalidArgument", "A module's namespace must be a string; this is " + textOf(namespace) + ".");
    }
    const target = { __proto__: null };
    define(target, toStringTag, "BridgeModule", false);
    return addMethods(target, namespace === "" ? "" : namespace + ".", moduleMembers);
}
