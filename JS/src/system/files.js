// The module `bridge:fs`.
import { openItems } from "./batches.js";
import { freezeWhole } from "../engine/freezing.js";
import { pathOf } from "./paths.js";
import { bytesOf } from "../bridge/bytes.js";
import { callWithPromise } from "../bridge/calls.js";
import { makeError } from "../bridge/errors.js";
import { textOf } from "../bridge/objects.js";
import { isObject } from "../engine/objects.js";
import { ArrayBufferIsView, ObjectFreeze, PromiseReject } from "../engine/primordials.js";

const prefix = "_wvjb.fs.";

function member(/** @type {any} */ options, /** @type {string} */ name) {
    return isObject(options) ? options[name] : undefined;
}

// Calls a handler of the host; an argument that is wrong rejects the promise.
function call(/** @type {string} */ name, /** @type {() => object} */ makeRequest, /** @type {any} */ options) {
    try {
        const signal = member(options, "signal");
        return callWithPromise(prefix + name, makeRequest(), { __proto__: null, timeout: 0, signal });
    } catch (error) {
        return PromiseReject(error);
    }
}

function flag(/** @type {any} */ options, /** @type {string} */ name) {
    const value = member(options, name);
    if (value === undefined || typeof value === "boolean") return value;
    throw makeError("invalidArgument", "The option \"" + name + "\" is a Boolean; this is " + textOf(value) + ".");
}

function modeOf(/** @type {any} */ options) {
    const value = member(options, "mode");
    if (value === undefined || typeof value === "number") return value;
    throw makeError("invalidArgument", "A mode is an integer from 0 to 0o777; this is " + textOf(value) + ".");
}

function contentRequest(/** @type {any} */ path, /** @type {any} */ options, /** @type {any} */ content) {
    return {
        path: pathOf(path), ...content,
        append: flag(options, "append"), create: flag(options, "create"), createNew: flag(options, "createNew"),
        mode: modeOf(options),
    };
}

function bytesFor(/** @type {any} */ value) {
    const bytes = isObject(value) || ArrayBufferIsView(value) ? bytesOf(value) : undefined;
    if (bytes !== undefined) return bytes;
    throw makeError("invalidArgument", "Bytes are a Uint8Array, or another view or buffer; this is " + textOf(value) + ".");
}

function textFor(/** @type {any} */ value) {
    if (typeof value === "string") return value;
    throw makeError("invalidArgument", "The text of a file is a string; this is " + textOf(value) + ".");
}

/** @type {any} */
const members = {
    __proto__: null,
    readFile(/** @type {any} */ path, /** @type {any} */ options) {
        return call("readFile", () => ({ path: pathOf(path) }), options);
    },
    readTextFile(/** @type {any} */ path, /** @type {any} */ options) {
        return call("readTextFile", () => ({ path: pathOf(path) }), options);
    },
    readLines(/** @type {any} */ path, /** @type {any} */ options) {
        return openItems(prefix + "readLines", { path: pathOf(path) }, member(options, "signal"));
    },
    writeFile(/** @type {any} */ path, /** @type {any} */ bytes, /** @type {any} */ options) {
        return call("writeFile", () => contentRequest(path, options, { __proto__: null, bytes: bytesFor(bytes) }), options);
    },
    writeTextFile(/** @type {any} */ path, /** @type {any} */ text, /** @type {any} */ options) {
        return call("writeFile", () => contentRequest(path, options, { __proto__: null, text: textFor(text) }), options);
    },
    readDir(/** @type {any} */ path, /** @type {any} */ options) {
        return openItems(prefix + "readDir", { path: pathOf(path) }, member(options, "signal"));
    },
    stat(/** @type {any} */ path, /** @type {any} */ options) {
        return call("stat", () => ({ path: pathOf(path) }), options);
    },
    makeDir(/** @type {any} */ path, /** @type {any} */ options) {
        const request = () => ({ path: pathOf(path), recursive: flag(options, "recursive"), mode: modeOf(options) });
        return call("makeDir", request, options);
    },
    remove(/** @type {any} */ path, /** @type {any} */ options) {
        return call("remove", () => ({ path: pathOf(path), recursive: flag(options, "recursive") }), options);
    },
    rename(/** @type {any} */ path, /** @type {any} */ newPath, /** @type {any} */ options) {
        return call("rename", () => ({ path: pathOf(path), to: pathOf(newPath) }), options);
    },
    copyFile(/** @type {any} */ path, /** @type {any} */ newPath, /** @type {any} */ options) {
        return call("copyFile", () => ({ path: pathOf(path), to: pathOf(newPath) }), options);
    },
    watch(/** @type {any} */ path, /** @type {any} */ options) {
        return openItems(prefix + "watch", { path: pathOf(path) }, member(options, "signal"));
    },
};

/** @type {any} */
export const files = ObjectFreeze({ __proto__: null, ...freezeWhole(members), default: ObjectFreeze({ ...members }) });
