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
        const sourceName = ask(functions.sourceName, entry.url);
        if (own(error, "sourceURL") === sourceName && typeof own(error, "line") === "number") {
            const column = ask(functions.columnOfError, entry.url, own(error, "line"), message);
            if (column !== undefined) define(error, "column", column);
            return error;
        }
        define(error, "message", message + " (in " + entry.url + ")");
        define(error, "sourceURL", sourceName);
        define(error, "stack", "");
        const position = ask(functions.positionOfLinkError, entry.url, message);
        if (position === undefined) {
            ReflectDeleteProperty(error, "line");
            ReflectDeleteProperty(error, "column");
        } else {
            definePosition(error, position);
        }
    } catch { /* the script is being terminated */ }
    return error;
}

// The position is a number whose fraction is the column.
function definePosition(/** @type {any} */ error, /** @type {any} */ position) {
    define(error, "line", MathFloor(position));
    define(error, "column", MathRound((position - MathFloor(position)) * 0x100000));
}

// Adds the position of the import to the error of a module that cannot be loaded.
export function locateImport(/** @type {any} */ error, /** @type {any} */ entry, /** @type {any} */ importer) {
    if (!isObject(error) || importer?.requests === undefined) return;
    try {
        for (let index = 0; index < importer.requests.length; index++) {
            const { name, url, type } = importer.requests[index];
            if (url !== entry.url || type !== entry.type) continue;
            const position = ask(functions.positionOfImport, importer.url, name);
            if (position === undefined) return;
            define(error, "sourceURL", ask(functions.sourceName, importer.url));
            define(error, "stack", "");
            definePosition(error, position);
            return;
        }
    } catch { /* the script is being terminated */ }
}

export function endedError(/** @type {string} */ url) {
    return new Error("the import of \"" + url + "\" was ended with the script that was running");
}
