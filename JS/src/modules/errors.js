// Errors of modules: where they are, as the engine does not always say.
import { isObject } from "../engine/objects.js";
import {
    Error, MathFloor, MathRound, ObjectDefineProperty, ObjectGetOwnPropertyDescriptor, ReflectDeleteProperty,
} from "../engine/primordials.js";
import { ask, functions } from "./native.js";

function own(/** @type {any} */ error, /** @type {string} */ name) {
    const descriptor = ObjectGetOwnPropertyDescriptor(error, name);
    return descriptor === undefined ? undefined : descriptor.value;
}

function define(/** @type {any} */ error, /** @type {string} */ name, /** @type {unknown} */ value) {
    ObjectDefineProperty(error, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
}

// Adds the module's URL to an error that the engine made of it, the column to a syntax error, and the position to an error of
// linking.
export function locate(/** @type {any} */ error, /** @type {any} */ entry) {
    if (!isObject(error)) return error;
    try {
        const message = own(error, "message");
        if (typeof message !== "string") return error;
        if (own(error, "sourceURL") === entry.url && typeof own(error, "line") === "number") {
            const column = ask(functions.columnOfError, entry.url, own(error, "line"), message);
            if (column !== undefined) define(error, "column", column);
            return error;
        }
        define(error, "message", message + " (in " + entry.url + ")");
        define(error, "sourceURL", entry.url);
        define(error, "stack", "");
        const position = ask(functions.positionOfLinkError, entry.url, message);
        if (position === undefined) {
            ReflectDeleteProperty(error, "line");
            ReflectDeleteProperty(error, "column");
        } else {
            // A number whose fraction is the column.
            define(error, "line", MathFloor(position));
            define(error, "column", MathRound((position - MathFloor(position)) * 0x100000));
        }
    } catch { /* the script is being terminated */ }
    return error;
}

export function endedError(/** @type {string} */ url) {
    return new Error("the import of \"" + url + "\" was ended with the script that was running");
}
