// Publishes names as Web IDL defines them, except that nothing on the global object is enumerable: its enumerable
// properties are what scripts have put there, which the host can read as data.
import { publishInterface } from "../engine/events.js";
import { ObjectDefineProperty, ObjectGetOwnPropertyDescriptor, ObjectKeys, TypeError, global } from "../engine/primordials.js";
import { platform } from "../engine/structured_clone.js";

// Publishes the methods of an object as functions of the global object, and its getters and setters as attributes.
export function publishMembers(/** @type {object} */ members) {
    const names = ObjectKeys(members);
    for (let index = 0; index < names.length; index++) {
        /** @type {any} */
        const descriptor = ObjectGetOwnPropertyDescriptor(members, names[index]);
        descriptor.enumerable = false;
        ObjectDefineProperty(global, names[index], descriptor);
    }
}

// Publishes a class whose objects structuredClone refuses. Events and event targets need only `publishInterface`, since
// their base is refused.
export function publishClass(/** @type {string} */ name, /** @type {any} */ constructor, /** @type {object} */ prototype) {
    publishInterface(name, constructor, prototype);
    platform.first = { value: prototype, next: platform.first };
}

// The receiver of a global attribute is the global object, also if it is called without one.
export function needGlobal(/** @type {unknown} */ receiver, /** @type {string} */ name) {
    if (receiver !== undefined && receiver !== null && receiver !== global) {
        throw new TypeError("the receiver of " + name + " is not the global object");
    }
}

// Replaces an attribute by a value, as assigning to one that Web IDL calls replaceable does. ECMA-429 allows that for the
// others too, so that a script can declare a variable of the name.
export function replaceGlobal(/** @type {unknown} */ receiver, /** @type {string} */ name, /** @type {unknown} */ value) {
    needGlobal(receiver, name);
    ObjectDefineProperty(global, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
}

export const refuseConstruction = (/** @type {string} */ name) => {
    throw new TypeError("Illegal constructor: a script cannot make a " + name);
};
