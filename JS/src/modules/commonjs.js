// CommonJS modules: `require`, `module` and `exports`, by URL. `import` and `require` share them.
import { push } from "../engine/objects.js";
import {
    JSONParse, ObjectDefineProperty, ObjectFreeze, ReflectApply, StringPrototypeLastIndexOf, StringPrototypeSlice, TypeError,
    global, makeSafeMap,
} from "../engine/primordials.js";
import { enterOwner } from "../engine/registrations.js";
import { queueMicrotask } from "../engine/timers.js";
import { isReloadable, noteEdge } from "./edges.js";
import { copyMap } from "./entries.js";
import { endedError } from "./errors.js";
import { ask, functions } from "./native.js";

let records = makeSafeMap();
// The values of JSON documents, which `import` loads with their type only.
let documents = makeSafeMap();

// Returns the record of a module that was required or imported; throws if its evaluation was terminated.
export function findCommon(/** @type {string} */ url) {
    const record = records.get(url);
    if (record !== undefined && record.error !== undefined) throw record.error.value;
    return record;
}

// Registers an object as the exports of a module.
export function registerObject(/** @type {string} */ url, /** @type {unknown} */ exports) {
    const record = { __proto__: null, url, module: { exports }, isLoaded: true, error: undefined };
    records.set(url, record);
    return record;
}

// The `process` of CommonJS modules, which bundlers for browsers give them too: packages look for a mode in `env` and for
// Node's version before they use anything of it.
/** @type {any} */
let process;
function makeProcess() {
    const ignore = () => process;
    return {
        title: "browser", browser: true, env: {}, argv: [], version: "", versions: {},
        on: ignore, addListener: ignore, once: ignore, off: ignore, removeListener: ignore, removeAllListeners: ignore,
        emit: () => false, listeners: () => [], cwd: () => "/", umask: () => 0,
        nextTick(/** @type {any} */ callback, /** @type {any[]} */ ...values) {
            if (typeof callback !== "function") throw new TypeError("process.nextTick needs a function");
            queueMicrotask(() => ReflectApply(callback, undefined, values));
        },
    };
}

// Runs the function of a module.
export function runCommon(/** @type {string} */ url, /** @type {any} */ body) {
    const filename = ask(functions.pathOfURL, url);
    const path = StringPrototypeSlice(filename, 0, StringPrototypeLastIndexOf(filename, "/"));
    /** @type {any} */
    const module = { id: filename, path, filename, exports: {}, loaded: false, children: [] };
    const record = {
        __proto__: null, url, module, isLoaded: false, error: /** @type {any} */ (undefined), registrations: undefined,
    };
    records.set(url, record);
    const outer = isReloadable ? enterOwner(record) : undefined;
    try {
        const run = ReflectApply(body, undefined, [global, process ??= makeProcess()]);
        ReflectApply(run, module.exports, [module.exports, makeRequire(url), module, filename, path]);
    } catch (error) {
        // The next import or require runs it again, as in Node.
        records.delete(url);
        throw error;
    } finally {
        if (isReloadable) enterOwner(outer);
    }
    record.isLoaded = true;
    ObjectDefineProperty(module, "loaded", { __proto__: null, value: true, writable: true, enumerable: true, configurable: true });
    return record;
}

function makeRequire(/** @type {string} */ referrer) {
    const require = (/** @type {unknown} */ specifier) => requireModule(specifier, referrer);
    const resolve = (/** @type {unknown} */ specifier) => ask(functions.pathOfURL, resolveRequired(specifier, referrer));
    ObjectDefineProperty(require, "resolve", { __proto__: null, value: resolve });
    ObjectDefineProperty(require, "cache", { __proto__: null, value: ObjectFreeze({ __proto__: null }) });
    return require;
}

function resolveRequired(/** @type {unknown} */ specifier, /** @type {string} */ referrer) {
    if (typeof specifier !== "string") throw new TypeError("the argument of require() is not a string");
    return ask(functions.resolveRequired, specifier, referrer);
}

function requireModule(/** @type {unknown} */ specifier, /** @type {string} */ referrer) {
    const url = resolveRequired(specifier, referrer);
    noteEdge(url, referrer);
    const known = findCommon(url);
    // In a cycle these are the exports so far.
    if (known !== undefined) return known.module.exports;
    if (documents.has(url)) return documents.get(url);
    const loaded = ask(functions.loadRequired, url, referrer);
    if (typeof loaded === "string") {
        const value = JSONParse(loaded);
        documents.set(url, value);
        return value;
    }
    const record = ask(functions.isBuiltIn, url) ? registerObject(url, loaded) : runCommon(url, loaded);
    return record.module.exports;
}

// Fails the modules that a termination has ended.
export function endCommons() {
    records.forEach((/** @type {any} */ record) => {
        if (!record.isLoaded) record.error ??= { __proto__: null, value: endedError(record.url) };
    });
}

// Returns whether a module or document was required or imported.
export const hasCommon = (/** @type {string} */ url) => records.has(url) || documents.has(url);

// Forgets a module and a document. Returns the record of the module, if it has run.
export function dropCommon(/** @type {string} */ url) {
    const record = records.get(url);
    records.delete(url);
    documents.delete(url);
    return record;
}

export const copyCommons = () => ({ __proto__: null, records: copyMap(records), documents: copyMap(documents) });

// Restores a copy. Returns the records that are not in it.
export function restoreCommons(/** @type {any} */ copy) {
    /** @type {any[]} */
    const created = [];
    records.forEach((/** @type {any} */ record, /** @type {string} */ url) => {
        if (copy.records.get(url) !== record) push(created, record);
    });
    ({ records, documents } = copy);
    return created;
}
