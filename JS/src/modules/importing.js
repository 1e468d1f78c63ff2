// Imports: those of `import()`, of native code, and the object `import.meta`.
import {
    Error, ObjectDefineProperty, Promise, PromiseThen, makeSafeMap, queueJob,
} from "../engine/primordials.js";
import { push } from "../engine/objects.js";
import { requestedType } from "./attributes.js";
import { endCommons } from "./commonjs.js";
import { isReloadable, noteEdge } from "./edges.js";
import { dropEntry, entryOfKey, evaluating, findEntry, registerEntry, unfinished } from "./entries.js";
import { endedError } from "./errors.js";
import { endEvaluation, evaluate, forgetEvaluations } from "./evaluation.js";
import { makeHot } from "./hot.js";
import { link } from "./linking.js";
import { forgetLoads, loadGraph } from "./loading.js";
import { ask, functions, loader } from "./native.js";
import { endReload, noteRoot, rejectEndedReload } from "./reloading.js";

// The imports that are not settled.
const imports = makeSafeMap();
// The imports that a termination has ended, until they are rejected.
/** @type {any[]} */
let ended = [];
// The URL of the first module that native code imports, which is the main one.
/** @type {unknown} */
let mainURL;

function begin(/** @type {any} */ pending, /** @type {any} */ entry) {
    loadGraph(entry, () => {
        if (entry.isReplaced) {
            begin(pending, registerEntry(entry.url, entry.type, entry.referrer));
            return;
        }
        try {
            link(entry);
        } catch (error) {
            rejectImport(pending, error);
            return;
        }
        evaluate(
            entry,
            () => {
                if (entry.isReplaced) {
                    begin(pending, registerEntry(entry.url, entry.type, entry.referrer));
                    return;
                }
                imports.delete(pending);
                // A script's import that fails is not repeated by a reload.
                if (pending.isRoot) noteRoot(entry.url, entry.type);
                pending.resolve(loader.getModuleNamespaceObject(entry.module));
            },
            (/** @type {unknown} */ error) => { rejectImport(pending, error); },
        );
    }, (error) => { rejectImport(pending, error); });
}

function rejectImport(/** @type {any} */ pending, /** @type {unknown} */ error) {
    imports.delete(pending);
    pending.reject(error);
}

// Starts an import in a microtask, and returns its promise.
function startImport(
    /** @type {string} */ specifier, /** @type {unknown} */ referrer, /** @type {() => string} */ type,
    /** @type {boolean} */ isFromHost,
) {
    /** @type {any} */
    const pending = { __proto__: null, url: specifier, isRoot: false, resolve: undefined, reject: undefined };
    const promise = new Promise((resolve, reject) => {
        pending.resolve = resolve;
        pending.reject = reject;
    });
    let kind = "";
    try {
        kind = type();
    } catch (error) {
        pending.reject(error);
        return promise;
    }
    imports.set(pending, true);
    queueJob(() => {
        try {
            const url = ask(functions.resolve, specifier, referrer);
            const isOfModule = typeof referrer === "string" && findEntry(referrer, "javascript") !== undefined;
            if (isOfModule) noteEdge(url, /** @type {string} */ (referrer));
            else if (isReloadable && isFromHost) noteRoot(url, kind);
            pending.isRoot = isReloadable && !isOfModule;
            const entry = registerEntry(url, kind, referrer);
            if (isFromHost) mainURL ??= url;
            begin(pending, entry);
        } catch (error) {
            rejectImport(pending, error);
        }
    });
    return promise;
}

// Answers `import()`.
export function importDynamically(
    /** @type {string} */ specifier, /** @type {unknown} */ referrer, /** @type {unknown} */ options,
) {
    const promise = startImport(specifier, referrer, () => requestedType(options), false);
    // The engine looks these up, and a script may have replaced those of the prototype.
    ObjectDefineProperty(promise, "then", { __proto__: null, value: PromiseThen });
    return ObjectDefineProperty(promise, "constructor", { __proto__: null, value: Promise });
}

// Imports a module for native code.
export function importModule(/** @type {string} */ specifier, /** @type {unknown} */ referrer, /** @type {string} */ type) {
    return startImport(specifier, referrer, () => type, true);
}

// Throws if a module cannot be created, because the URL has one.
export function checkNewModule(/** @type {string} */ url) {
    if (findEntry(url, "javascript") !== undefined) throw new Error("the module \"" + url + "\" exists already");
}

// Returns the object `import.meta` of a module.
export function makeMeta(/** @type {unknown} */ key) {
    const entry = entryOfKey(key);
    if (entry === undefined) return { __proto__: null };
    const { url, values } = entry;
    if (values !== undefined) return { __proto__: null, values };
    const resolve = (/** @type {unknown} */ specifier) => ask(functions.resolve, `${specifier}`, url);
    const meta = { __proto__: null, url, main: url === mainURL, resolve };
    return isReloadable ? { ...meta, __proto__: null, hot: makeHot(entry) } : meta;
}

// Ends everything that is not evaluated, after a termination: the engine has dropped the microtasks that would continue it,
// and takes a module for evaluated that has only begun. No promise is settled here, since microtasks would run outside of a
// turn. Returns the number of modules that are forgotten.
export function endModules() {
    let count = 0;
    forgetLoads();
    forgetEvaluations();
    endCommons();
    endReload();
    unfinished.forEach((/** @type {unknown} */ _, /** @type {any} */ entry) => {
        if (entry.state >= evaluating) {
            endEvaluation(entry, endedError(entry.url));
            return;
        }
        if (entry.load !== 0) count += 1;
        dropEntry(entry);
    });
    unfinished.clear();
    imports.forEach((/** @type {unknown} */ _, /** @type {any} */ pending) => { push(ended, pending); });
    imports.clear();
    return count;
}

// Rejects the imports that were ended.
export function rejectEndedImports() {
    rejectEndedReload();
    const list = ended;
    ended = [];
    for (let index = 0; index < list.length; index++) list[index].reject(endedError(list[index].url));
}
