// The module map: one entry for each URL and type.
import { WeakMap, WeakMapPrototypeGet, WeakMapPrototypeSet, makeSafeMap, makeSymbol } from "../engine/primordials.js";
import { isReloadable } from "./edges.js";

// The states of an entry, in their order.
export const loading = 0;
export const ready = 1;
export const linking = 2;
export const linked = 3;
export const evaluating = 4;
export const waiting = 5;
export const evaluated = 6;

/** @type {any} */
let tables = { __proto__: null, javascript: makeSafeMap(), json: makeSafeMap(), text: makeSafeMap(), bytes: makeSafeMap() };
let keys = makeSafeMap();
// The entries that have not been evaluated yet.
export const unfinished = makeSafeMap();

// The key by which the engine knows a module: its URL, or a symbol where two types have the same URL.
function keyOf(/** @type {string} */ url, /** @type {string} */ type) {
    return type === "javascript" ? url : makeSymbol(url);
}

export function findEntry(/** @type {string} */ url, /** @type {string} */ type) {
    return tables[type].get(url);
}

export function entryOfKey(/** @type {unknown} */ key) { return keys.get(key); }

// Returns the entry of a module, and creates it if there is none.
export function registerEntry(/** @type {string} */ url, /** @type {string} */ type, /** @type {unknown} */ referrer) {
    const known = tables[type].get(url);
    if (known !== undefined) return known;
    const entry = {
        __proto__: null, url, type, referrer, key: keyOf(url, type), state: loading, load: 0,
        // The engine reads this member.
        module: undefined,
        requests: undefined, dependencies: undefined,
        // The graphs that wait for the module to be loaded.
        graphs: [],
        // The error of loading or linking, and that of the evaluation, each as `{ value }`.
        error: undefined, failure: undefined,
        isAsync: false, values: undefined,
        // The state of the evaluation, as in ECMA-262, 16.2.1.6.
        index: 0, ancestor: 0, order: 0, pendingCount: 0, parents: [], cycleRoot: undefined, listeners: [],
        // For reloads: `import.meta.hot`, what the module has registered, its place in the order of evaluation.
        hot: undefined, registrations: undefined, sequence: 0, isReplaced: false,
    };
    tables[type].set(url, entry);
    keys.set(entry.key, entry);
    unfinished.set(entry, true);
    return entry;
}

// The entries by the engine's records, of which two versions of a module have one each.
const entriesOfModules = new WeakMap();
export const entryOfModule = (/** @type {any} */ module) => WeakMapPrototypeGet(entriesOfModules, module);
export function noteModule(/** @type {any} */ module, /** @type {any} */ entry) {
    if (isReloadable) WeakMapPrototypeSet(entriesOfModules, module, entry);
}

// Forgets a module, so that its next import loads it again.
export function dropEntry(/** @type {any} */ entry) {
    if (tables[entry.type].get(entry.url) === entry) tables[entry.type].delete(entry.url);
    if (keys.get(entry.key) === entry) keys.delete(entry.key);
    unfinished.delete(entry);
}

export function forEachEntry(/** @type {(entry: any) => void} */ body) {
    for (const type in tables) tables[type].forEach((/** @type {any} */ entry) => { body(entry); });
}

export function copyMap(/** @type {any} */ map) {
    const copy = makeSafeMap();
    map.forEach((/** @type {any} */ value, /** @type {any} */ key) => { copy.set(key, value); });
    return copy;
}

// Returns a copy of the module map.
export function copyEntries() {
    /** @type {any} */
    const copies = { __proto__: null };
    for (const type in tables) copies[type] = copyMap(tables[type]);
    return { __proto__: null, tables: copies, keys: copyMap(keys) };
}

export function restoreEntries(/** @type {any} */ copy) {
    ({ tables, keys } = copy);
}
