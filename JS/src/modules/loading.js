// Loads modules and all that they import. Several imports can wait for one module: each has a graph of its own.
import { isObject, push } from "../engine/objects.js";
import {
    Error, JSONStringify, MapPrototypeSet, ObjectKeys, PromisePrototypeThen, StringPrototypeIsWellFormed,
    StringPrototypeStartsWith, makeSafeMap,
} from "../engine/primordials.js";
import { native } from "../engine/native.js";
import { findCommon, registerObject, runCommon } from "./commonjs.js";
import { dropEntry, findEntry, linked, loading, noteModule, ready, registerEntry, unfinished } from "./entries.js";
import { locate, locateImport } from "./errors.js";
import { ask, functions, loader, takeSource } from "./native.js";

// The modules that the host is loading, by number.
const loads = makeSafeMap();
let lastLoad = 0;

// Loads an entry and all that it imports. Calls `finish` when all are loaded, or `fail` with the first error.
export function loadGraph(
    /** @type {any} */ entry, /** @type {() => void} */ finish, /** @type {(error: unknown) => void} */ fail,
) {
    const graph = { __proto__: null, visited: makeSafeMap(), pendingCount: 1, isOver: false, finish, fail };
    visit(graph, entry);
    settle(graph);
}

// Visits an entry and the entries that it imports, as far as they are loaded.
function visit(/** @type {any} */ graph, /** @type {any} */ first) {
    /** @type {{ __proto__: null, entry: any, rest: any } | null} */
    let list = { __proto__: null, entry: first, rest: null };
    while (list !== null && !graph.isOver) {
        const { entry } = list;
        list = list.rest;
        if (graph.visited.has(entry)) continue;
        graph.visited.set(entry, true);
        if (entry.error !== undefined) end(graph, entry.error.value);
        else if (entry.state === loading) wait(graph, entry);
        else if (entry.state < linked) list = addDependencies(entry, list);
    }
}

// Looks the modules up that an entry imports: one that could not be loaded before has another entry now.
function addDependencies(/** @type {any} */ entry, /** @type {any} */ list) {
    const { requests, dependencies } = entry;
    const { dependenciesMap } = entry.module;
    for (let index = 0; index < requests.length; index++) {
        const { name, url, type } = requests[index];
        const dependency = registerEntry(url, type, entry.url);
        dependencies[index] = dependency;
        MapPrototypeSet(dependenciesMap, name, dependency);
    }
    // In the order of the imports.
    for (let index = dependencies.length - 1; index >= 0; index--) {
        list = { __proto__: null, entry: dependencies[index], rest: list };
    }
    return list;
}

function wait(/** @type {any} */ graph, /** @type {any} */ entry) {
    graph.pendingCount += 1;
    push(entry.graphs, graph);
    if (entry.load === 0) start(entry);
}

function settle(/** @type {any} */ graph) {
    graph.pendingCount -= 1;
    if (graph.pendingCount > 0 || graph.isOver) return;
    graph.isOver = true;
    graph.finish();
}

function end(/** @type {any} */ graph, /** @type {unknown} */ error) {
    if (graph.isOver) return;
    graph.isOver = true;
    graph.fail(error);
}

// ---------------------------------------------------------------- one module

function start(/** @type {any} */ entry) {
    lastLoad += 1;
    entry.load = lastLoad;
    loads.set(lastLoad, entry);
    let result;
    try {
        const known = entry.type === "javascript" ? findCommon(entry.url) : undefined;
        result = known !== undefined ? known : ask(functions.load, entry.load, entry.url, entry.type, entry.referrer);
    } catch (error) {
        failLoad(entry.load, error);
        return;
    }
    // Otherwise the host calls finishLoad() or failLoad() later.
    if (result !== undefined) finishLoad(entry.load, result);
}

// Takes what the host has loaded: 1 for a source text, 2 for one in which an import may request a type that the engine does
// not know; a record or the function of a CommonJS module; else the module's value.
export function finishLoad(/** @type {number} */ number, /** @type {any} */ result) {
    const entry = loads.get(number);
    if (entry === undefined) return;
    loads.delete(number);
    try {
        if (typeof result !== "number") provideValues(entry, result);
        parse(entry, result === 2);
    } catch (error) {
        // A later import loads it again.
        dropEntry(entry);
        refuse(entry, error);
    }
}

export function failLoad(/** @type {number} */ number, /** @type {unknown} */ error) {
    const entry = loads.get(number);
    if (entry === undefined) return;
    loads.delete(number);
    dropEntry(entry);
    const importer = typeof entry.referrer === "string" ? findEntry(entry.referrer, "javascript") : undefined;
    locateImport(error, entry, importer);
    refuse(entry, error);
}

export function forgetLoads() { loads.clear(); }

// Makes the source text of a module whose values exist.
function provideValues(/** @type {any} */ entry, /** @type {any} */ result) {
    if (entry.type === "javascript") {
        provideExports(entry, result);
    } else {
        entry.values = { __proto__: null, value: result };
        ask(functions.provide, "export default import.meta.values.value;");
    }
}

const isWellFormed = (/** @type {string} */ name) => StringPrototypeIsWellFormed?.(name) ?? true;

// The names of the exports are those of an object; the default export of a CommonJS module is the object itself.
function provideExports(/** @type {any} */ entry, /** @type {any} */ result) {
    let record = findCommon(entry.url);
    const isBuiltIn = ask(functions.isBuiltIn, entry.url);
    if (record === undefined) record = isBuiltIn ? registerObject(entry.url, result) : runCommon(entry.url, result);
    const { exports } = record.module;
    entry.values = { __proto__: null };
    let source = "const { values } = import.meta;\n", count = 0;
    const add = (/** @type {string} */ name, /** @type {unknown} */ value) => {
        entry.values["v" + count] = value;
        source += "let v" + count + " = values.v" + count + "; export { v" + count + " as " + JSONStringify(name) + " };\n";
        count += 1;
    };
    const names = isObject(exports) ? ObjectKeys(exports) : [];
    for (let index = 0; index < names.length; index++) {
        // A name of an export has no lone surrogates.
        if (!isBuiltIn && (names[index] === "default" || !isWellFormed(names[index]))) continue;
        add(names[index], exports[names[index]]);
    }
    if (!isBuiltIn) add("default", exports);
    ask(functions.provide, source);
}

function parse(/** @type {any} */ entry, /** @type {boolean} */ mayRequestTypes) {
    const source = takeSource();
    if (source === undefined) throw new Error("the engine made no source text of " + entry.url);
    PromisePrototypeThen(
        loader.parseModule(entry.key, source),
        (/** @type {any} */ module) => { finishParsing(entry, module, mayRequestTypes); },
        (/** @type {any} */ error) => {
            if (entry.state !== loading || !unfinished.has(entry)) return;
            // The host replaces a type that the engine does not know by one that it knows.
            if (mayRequestTypes && isTypeError(error)) {
                try {
                    if (ask(functions.replaceType, entry.load, error.message) !== undefined) {
                        parse(entry, true);
                        return;
                    }
                } catch { /* the error below says what is wrong */ }
            }
            if (mayRequestTypes) ask(functions.forgetTypes, entry.load);
            keepError(entry, locate(error, entry));
        },
    );
}

function isTypeError(/** @type {any} */ error) {
    return typeof error.message === "string" && StringPrototypeStartsWith(error.message, "Import attribute type");
}

function finishParsing(/** @type {any} */ entry, /** @type {any} */ module, /** @type {boolean} */ mayRequestTypes) {
    if (entry.state !== loading || !unfinished.has(entry)) return;
    try {
        const names = loader.requestedModules(module);
        const parameters = loader.requestedModuleParameters(module);
        for (let index = 0; index < names.length; index++) {
            // The engine of 2.52 gives an object with the specifier.
            const name = typeof names[index] === "string" ? names[index] : names[index].key;
            const type = parameters[index] === undefined ? "javascript"
                : ask(functions.requestedType, parameters[index], mayRequestTypes ? entry.load : 0, name);
            const url = ask(functions.resolve, name, entry.url);
            // In the engine's own arrays, whose elements exist: no setter of a script is called, as push() avoids it too,
            // at ten times the cost.
            names[index] = { __proto__: null, name, url, type };
        }
        if (mayRequestTypes) ask(functions.forgetTypes, entry.load);
        entry.module = module;
        noteModule(module, entry);
        entry.requests = names;
        entry.dependencies = parameters;
    } catch (error) {
        keepError(entry, error);
        return;
    }
    entry.state = ready;
    const { graphs } = entry;
    entry.graphs = [];
    for (let index = 0; index < graphs.length; index++) {
        const graph = graphs[index];
        graph.visited.delete(entry);
        visit(graph, entry);
        settle(graph);
    }
}

// Fails a module for good.
function keepError(/** @type {any} */ entry, /** @type {unknown} */ error) {
    entry.error = { __proto__: null, value: error };
    unfinished.delete(entry);
    refuse(entry, error);
}

function refuse(/** @type {any} */ entry, /** @type {unknown} */ error) {
    const { graphs } = entry;
    entry.graphs = [];
    for (let index = 0; index < graphs.length; index++) end(graphs[index], error);
}

// Returns the message of the syntax error in the source text that the host has created last, if the engine can say it.
export function problemOfSource() {
    const ignore = () => {};
    const promise = loader.parseModule("check", takeSource());
    PromisePrototypeThen(promise, ignore, ignore);
    /** @type {any} */
    const result = native.promiseResult(promise, promise);
    return typeof result === "object" && result !== null && typeof result.message === "string" ? result.message : undefined;
}
