// Made from JS/src/modules by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    ArrayPrototypeSort, Error, JSONParse, JSONStringify, MapPrototypeSet, MathFloor, MathMin, MathRound,
    ObjectDefineProperty, ObjectFreeze, ObjectGetOwnPropertyDescriptor, ObjectKeys, Promise, PromisePrototypeThen,
    PromiseThen, ReflectApply, ReflectDeleteProperty, StringPrototypeIsWellFormed, StringPrototypeLastIndexOf,
    StringPrototypeSlice, StringPrototypeStartsWith, TypeError, WeakMap, WeakMapPrototypeGet, WeakMapPrototypeSet,
    callNative, enterOwner, failed, global, isObject, makeSafeMap, makeSymbol, native, publishToHost, push, queueJob,
    queueMicrotask, reportError, takeFailure,
} = bundles.engine;
// modules/attributes.js
function requestedType(options) {
    if (options === undefined) return "javascript";
    if (!isObject(options)) throw new TypeError("the second argument of import() is not an object");
    const attributes = options.with;
    if (attributes === undefined) return "javascript";
    if (!isObject(attributes)) throw new TypeError("the attributes of import() are not an object");
    let type = "javascript", unknown;
    const names = ObjectKeys(attributes);
    for (let index = 0; index < names.length; index++) {
        const value = attributes[names[index]];
        if (typeof value !== "string") throw new TypeError("the import attribute \"" + names[index] + "\" is not a string");
        if (names[index] === "type") type = value;
        else unknown = names[index];
    }
    if (unknown !== undefined) throw new TypeError("Import attribute \"" + unknown + "\" is not supported");
    if (type === "javascript" && names.length === 0 || type === "json" || type === "text" || type === "bytes") return type;
    throw new TypeError("Import attribute type \"" + type + "\" is not valid");
}
// modules/edges.js
const { isReloadable } = host.modules;
const edges = makeSafeMap();
function noteEdge(url, importer) {
    if (!isReloadable) return;
    let urls = edges.get(importer);
    if (urls === undefined) edges.set(importer, urls = makeSafeMap());
    urls.set(url, true);
}
function forEachEdge(body) {
    edges.forEach((urls, importer) => {
        urls.forEach((_, url) => { body(url, importer); });
    });
}
function takeEdges(importer) {
    const urls = edges.get(importer);
    edges.delete(importer);
    return urls;
}
function restoreEdges(importer, urls) {
    if (urls === undefined) edges.delete(importer);
    else edges.set(importer, urls);
}
// modules/entries.js
const loading = 0;
const ready = 1;
const linking = 2;
const linked = 3;
const evaluating = 4;
const waiting = 5;
const evaluated = 6;
let tables = { __proto__: null, javascript: makeSafeMap(), json: makeSafeMap(), text: makeSafeMap(), bytes: makeSafeMap() };
let keys = makeSafeMap();
const unfinished = makeSafeMap();
function keyOf(url, type) {
    return type === "javascript" ? url : makeSymbol(url);
}
function findEntry(url, type) {
    return tables[type].get(url);
}
function entryOfKey(key) { return keys.get(key); }
function registerEntry(url, type, referrer) {
    const known = tables[type].get(url);
    if (known !== undefined) return known;
    const entry = {
        __proto__: null, url, type, referrer, key: keyOf(url, type), state: loading, load: 0,
        module: undefined,
        requests: undefined, dependencies: undefined,
        graphs: [],
        error: undefined, failure: undefined,
        isAsync: false, values: undefined,
        index: 0, ancestor: 0, order: 0, pendingCount: 0, parents: [], cycleRoot: undefined, listeners: [],
        hot: undefined, registrations: undefined, sequence: 0, isReplaced: false,
    };
    tables[type].set(url, entry);
    keys.set(entry.key, entry);
    unfinished.set(entry, true);
    return entry;
}
const entriesOfModules = new WeakMap();
const entryOfModule = (module) => WeakMapPrototypeGet(entriesOfModules, module);
function noteModule(module, entry) {
    if (isReloadable) WeakMapPrototypeSet(entriesOfModules, module, entry);
}
function dropEntry(entry) {
    if (tables[entry.type].get(entry.url) === entry) tables[entry.type].delete(entry.url);
    if (keys.get(entry.key) === entry) keys.delete(entry.key);
    unfinished.delete(entry);
}
function forEachEntry(body) {
    for (const type in tables) tables[type].forEach((entry) => { body(entry); });
}
function copyMap(map) {
    const copy = makeSafeMap();
    map.forEach((value, key) => { copy.set(key, value); });
    return copy;
}
function copyEntries() {
    const copies = { __proto__: null };
    for (const type in tables) copies[type] = copyMap(tables[type]);
    return { __proto__: null, tables: copies, keys: copyMap(keys) };
}
function restoreEntries(copy) {
    ({ tables, keys } = copy);
}
// modules/native.js
const { functions } = host.modules;
const { loader } = host.modules;
function ask(
    box, first, second = undefined,
    third = undefined, fourth = undefined,
) {
    const result = callNative(box, first, second, third, fourth);
    if (result === failed) throw takeFailure();
    return result;
}
let cell;
loader.provideFetch = (_, source) => { cell = source; };
loader.loadModule = () => undefined;
function takeSource() {
    const taken = cell;
    cell = undefined;
    return taken;
}
// modules/errors.js
function own(error, name) {
    const descriptor = ObjectGetOwnPropertyDescriptor(error, name);
    return descriptor === undefined ? undefined : descriptor.value;
}
function define(error, name, value) {
    ObjectDefineProperty(error, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
}
function locate(error, entry) {
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
    } catch { }
    return error;
}
function definePosition(error, position) {
    define(error, "line", MathFloor(position));
    define(error, "column", MathRound((position - MathFloor(position)) * 0x100000));
}
function locateImport(error, entry, importer) {
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
    } catch { }
}
function endedError(url) {
    return new Error("the import of \"" + url + "\" was ended with the script that was running");
}
// modules/commonjs.js
let records = makeSafeMap();
let documents = makeSafeMap();
function findCommon(url) {
    const record = records.get(url);
    if (record !== undefined && record.error !== undefined) throw record.error.value;
    return record;
}
function registerObject(url, exports) {
    const record = { __proto__: null, url, module: { exports }, isLoaded: true, error: undefined };
    records.set(url, record);
    return record;
}
let process;
function makeProcess() {
    const ignore = () => process;
    return {
        title: "browser", browser: true, env: {}, argv: [], version: "", versions: {},
        on: ignore, addListener: ignore, once: ignore, off: ignore, removeListener: ignore, removeAllListeners: ignore,
        emit: () => false, listeners: () => [], cwd: () => "/", umask: () => 0,
        nextTick(callback, ...values) {
            if (typeof callback !== "function") throw new TypeError("process.nextTick needs a function");
            queueMicrotask(() => ReflectApply(callback, undefined, values));
        },
    };
}
function runCommon(url, body) {
    const filename = ask(functions.pathOfURL, url);
    const path = StringPrototypeSlice(filename, 0, StringPrototypeLastIndexOf(filename, "/"));
    const module = { id: filename, path, filename, exports: {}, loaded: false, children: [] };
    const record = {
        __proto__: null, url, module, isLoaded: false, error: (undefined), registrations: undefined,
    };
    records.set(url, record);
    const outer = isReloadable ? enterOwner(record) : undefined;
    try {
        const run = ReflectApply(body, undefined, [global, process ??= makeProcess()]);
        ReflectApply(run, module.exports, [module.exports, makeRequire(url), module, filename, path]);
    } catch (error) {
        records.delete(url);
        throw error;
    } finally {
        if (isReloadable) enterOwner(outer);
    }
    record.isLoaded = true;
    ObjectDefineProperty(module, "loaded", { __proto__: null, value: true, writable: true, enumerable: true, configurable: true });
    return record;
}
function makeRequire(referrer) {
    const require = (specifier) => requireModule(specifier, referrer);
    const resolve = (specifier) => ask(functions.pathOfURL, resolveRequired(specifier, referrer));
    ObjectDefineProperty(require, "resolve", { __proto__: null, value: resolve });
    ObjectDefineProperty(require, "cache", { __proto__: null, value: ObjectFreeze({ __proto__: null }) });
    return require;
}
function resolveRequired(specifier, referrer) {
    if (typeof specifier !== "string") throw new TypeError("the argument of require() is not a string");
    return ask(functions.resolveRequired, specifier, referrer);
}
function requireModule(specifier, referrer) {
    const url = resolveRequired(specifier, referrer);
    noteEdge(url, referrer);
    const known = findCommon(url);
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
function endCommons() {
    records.forEach((record) => {
        if (!record.isLoaded) record.error ??= { __proto__: null, value: endedError(record.url) };
    });
}
const hasCommon = (url) => records.has(url) || documents.has(url);
function dropCommon(url) {
    const record = records.get(url);
    records.delete(url);
    documents.delete(url);
    return record;
}
const copyCommons = () => ({ __proto__: null, records: copyMap(records), documents: copyMap(documents) });
function restoreCommons(copy) {
    const created = [];
    records.forEach((record, url) => {
        if (copy.records.get(url) !== record) push(created, record);
    });
    ({ records, documents } = copy);
    return created;
}
// modules/evaluation.js
let lastOrder = 0;
const isDone = -1;
let isBusy = false;
let later = [];
function evaluate(
    entry, finish, fail,
) {
    if (isBusy) {
        push(later, () => { evaluate(entry, finish, fail); });
        return;
    }
    const root = entry.state > evaluating && entry.cycleRoot !== undefined ? entry.cycleRoot : entry;
    push(root.listeners, { __proto__: null, finish, fail });
    if (root.state !== linked) {
        if (root.state === evaluated) notify(root);
        return;
    }
    isBusy = true;
    const stack = { __proto__: null, entries: [], count: 0 };
    try {
        evaluateGraph(root, stack);
        isBusy = false;
    } catch (error) {
        isBusy = false;
        for (let index = 0; index < stack.count; index++) failEntry((stack.entries[index]), error);
    }
    if (root.state === evaluated) notify(root);
    const started = later;
    later = [];
    for (let index = 0; index < started.length; index++) started[index]();
}
function notify(entry) {
    const { listeners, failure } = entry;
    entry.listeners = [];
    for (let index = 0; index < listeners.length; index++) {
        if (failure === undefined) listeners[index].finish();
        else listeners[index].fail(failure.value);
    }
}
function finishEntry(entry) {
    entry.state = evaluated;
    entry.order = isDone;
    unfinished.delete(entry);
}
function failEntry(entry, error) {
    entry.failure = { __proto__: null, value: error };
    finishEntry(entry);
}
function evaluateGraph(root, stack) {
    let count = 0;
    const enter = (entry, outer) => {
        entry.state = evaluating;
        entry.index = entry.ancestor = count++;
        set(stack, entry);
        return { __proto__: null, entry, next: 0, outer };
    };
    let frame = enter(root, null);
    while (frame !== null) {
        const { entry } = frame;
        if (frame.next < entry.dependencies.length) {
            const dependency = entry.dependencies[frame.next];
            if (dependency.state === linked) {
                frame = enter(dependency, frame);
                continue;
            }
            frame.next += 1;
            take(entry, dependency);
            continue;
        }
        run(entry);
        if (entry.ancestor === entry.index) leaveCycle(entry, stack);
        frame = frame.outer;
    }
}
function set(stack, entry) {
    if (stack.count === stack.entries.length) push(stack.entries, entry);
    else stack.entries[stack.count] = entry;
    stack.count += 1;
}
function take(entry, dependency) {
    if (dependency.state === evaluating) {
        entry.ancestor = MathMin(entry.ancestor, dependency.ancestor);
    } else {
        if (dependency.failure !== undefined) throw dependency.failure.value;
        dependency = dependency.cycleRoot;
        if (dependency.failure !== undefined) throw dependency.failure.value;
    }
    if (dependency.order <= 0) return;
    entry.pendingCount += 1;
    push(dependency.parents, entry);
}
let lastSequence = 0;
function run(entry) {
    lastSequence += 1;
    entry.sequence = lastSequence;
    if (entry.pendingCount === 0 && !entry.isAsync) {
        loader.evaluate(entry.key, entry.module, undefined);
        return;
    }
    lastOrder += 1;
    entry.order = lastOrder;
    if (entry.pendingCount === 0) runAsync(entry);
}
function leaveCycle(root, stack) {
    let entry;
    do {
        stack.count -= 1;
        entry = stack.entries[stack.count];
        entry.cycleRoot = root;
        if (entry.order > 0) entry.state = waiting;
        else finishEntry(entry);
    } while (entry !== root);
}
function runAsync(entry) {
    PromisePrototypeThen(
        loader.asyncModuleEvaluation(entry, undefined, []),
        () => { finishAsync(entry); },
        (error) => { failAsync(entry, error); },
    );
}
function finishAsync(entry) {
    if (entry.state === evaluated) return;
    finishEntry(entry);
    const list = releasedParents(entry);
    notify(entry);
    for (let index = 0; index < list.length; index++) {
        const parent = list[index];
        if (parent.state === evaluated) continue;
        if (parent.isAsync) {
            runAsync(parent);
            continue;
        }
        try {
            loader.evaluate(parent.key, parent.module, undefined);
        } catch (error) {
            failAsync(parent, error);
            continue;
        }
        finishEntry(parent);
        notify(parent);
    }
}
function releasedParents(first) {
    const list = [];
    const seen = makeSafeMap();
    let rest = { __proto__: null, entry: first, rest: null };
    while (rest !== null) {
        const { parents } = rest.entry;
        rest = rest.rest;
        for (let index = 0; index < parents.length; index++) {
            const parent = parents[index];
            if (seen.has(parent) || parent.state === evaluated || parent.cycleRoot.failure !== undefined) continue;
            parent.pendingCount -= 1;
            if (parent.pendingCount > 0) continue;
            seen.set(parent, true);
            push(list, parent);
            if (!parent.isAsync) rest = { __proto__: null, entry: parent, rest };
        }
    }
    return ArrayPrototypeSort(list, (left, right) => left.order - right.order);
}
function failAsync(first, error) {
    let list = { __proto__: null, entry: first, rest: null };
    while (list !== null) {
        const { entry } = list;
        list = list.rest;
        if (entry.state === evaluated) continue;
        failEntry(entry, error);
        for (let index = 0; index < entry.parents.length; index++) {
            list = { __proto__: null, entry: entry.parents[index], rest: list };
        }
        notify(entry);
    }
}
function endEvaluation(entry, error) {
    entry.listeners = [];
    failEntry(entry, error);
}
function forgetEvaluations() {
    isBusy = false;
    later = [];
    enterOwner(undefined);
}
function endReplaced(entry) {
    entry.isReplaced = true;
    if (entry.state === evaluated) return;
    finishEntry(entry);
    notify(entry);
}
function failCreated(entry, error) {
    if (entry.state === evaluated) return;
    failEntry(entry, error);
    notify(entry);
}
if (isReloadable) {
    const { evaluate: evaluateInEngine } = loader;
    loader.evaluate = (
        key, module, fetcher, value,
        mode,
    ) => {
        const outer = enterOwner(entryOfModule(module));
        try {
            return ReflectApply(evaluateInEngine, loader, [key, module, fetcher, value, mode]);
        } finally {
            enterOwner(outer);
        }
    };
}
// modules/linking.js
function link(root) {
    if (root.state >= linked) return;
    let frame = enter(root, null);
    while (frame !== null) {
        const { entry } = frame;
        if (frame.next < entry.dependencies.length) {
            const dependency = entry.dependencies[frame.next];
            frame.next += 1;
            if (dependency.error !== undefined) failFrames(frame, dependency.error.value);
            if (dependency.state === ready) frame = enter(dependency, frame);
            continue;
        }
        try {
            entry.isAsync = loader.moduleDeclarationInstantiation(entry.module, undefined) === true;
        } catch (error) {
            entry.error = { __proto__: null, value: locate(error, entry) };
            unfinished.delete(entry);
            failFrames(frame, entry.error.value);
        }
        entry.state = linked;
        frame = frame.outer;
    }
}
function enter(entry, outer) {
    entry.state = linking;
    return { __proto__: null, entry, next: 0, outer };
}
function failFrames(frame, error) {
    for (; frame !== null; frame = frame.outer) frame.entry.state = ready;
    throw error;
}
// modules/loading.js
const loads = makeSafeMap();
let lastLoad = 0;
function loadGraph(
    entry, finish, fail,
) {
    const graph = { __proto__: null, visited: makeSafeMap(), pendingCount: 1, isOver: false, finish, fail };
    visit(graph, entry);
    settle(graph);
}
function visit(graph, first) {
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
function addDependencies(entry, list) {
    const { requests, dependencies } = entry;
    const { dependenciesMap } = entry.module;
    for (let index = 0; index < requests.length; index++) {
        const { name, url, type } = requests[index];
        const dependency = registerEntry(url, type, entry.url);
        dependencies[index] = dependency;
        MapPrototypeSet(dependenciesMap, name, dependency);
    }
    for (let index = dependencies.length - 1; index >= 0; index--) {
        list = { __proto__: null, entry: dependencies[index], rest: list };
    }
    return list;
}
function wait(graph, entry) {
    graph.pendingCount += 1;
    push(entry.graphs, graph);
    if (entry.load === 0) start(entry);
}
function settle(graph) {
    graph.pendingCount -= 1;
    if (graph.pendingCount > 0 || graph.isOver) return;
    graph.isOver = true;
    graph.finish();
}
function end(graph, error) {
    if (graph.isOver) return;
    graph.isOver = true;
    graph.fail(error);
}
function start(entry) {
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
    if (result !== undefined) finishLoad(entry.load, result);
}
function finishLoad(number, result) {
    const entry = loads.get(number);
    if (entry === undefined) return;
    loads.delete(number);
    try {
        if (typeof result !== "number") provideValues(entry, result);
        parse(entry, result === 2);
    } catch (error) {
        dropEntry(entry);
        refuse(entry, error);
    }
}
function failLoad(number, error) {
    const entry = loads.get(number);
    if (entry === undefined) return;
    loads.delete(number);
    dropEntry(entry);
    const importer = typeof entry.referrer === "string" ? findEntry(entry.referrer, "javascript") : undefined;
    locateImport(error, entry, importer);
    refuse(entry, error);
}
function forgetLoads() { loads.clear(); }
function provideValues(entry, result) {
    if (entry.type === "javascript") {
        provideExports(entry, result);
    } else {
        entry.values = { __proto__: null, value: result };
        ask(functions.provide, "export default import.meta.values.value;");
    }
}
const isWellFormed = (name) => StringPrototypeIsWellFormed?.(name) ?? true;
function provideExports(entry, result) {
    let record = findCommon(entry.url);
    const isBuiltIn = ask(functions.isBuiltIn, entry.url);
    if (record === undefined) record = isBuiltIn ? registerObject(entry.url, result) : runCommon(entry.url, result);
    const { exports } = record.module;
    entry.values = { __proto__: null };
    let source = "const { values } = import.meta;\n", count = 0;
    const add = (name, value) => {
        entry.values["v" + count] = value;
        source += "let v" + count + " = values.v" + count + "; export { v" + count + " as " + JSONStringify(name) + " };\n";
        count += 1;
    };
    const names = isObject(exports) ? ObjectKeys(exports) : [];
    for (let index = 0; index < names.length; index++) {
        if (!isBuiltIn && (names[index] === "default" || !isWellFormed(names[index]))) continue;
        add(names[index], exports[names[index]]);
    }
    if (!isBuiltIn) add("default", exports);
    ask(functions.provide, source);
}
function parse(entry, mayRequestTypes) {
    const source = takeSource();
    if (source === undefined) throw new Error("the engine made no source text of " + entry.url);
    PromisePrototypeThen(
        loader.parseModule(entry.key, source),
        (module) => { finishParsing(entry, module, mayRequestTypes); },
        (error) => {
            if (entry.state !== loading || !unfinished.has(entry)) return;
            if (mayRequestTypes && isTypeError(error)) {
                try {
                    if (ask(functions.replaceType, entry.load, error.message) !== undefined) {
                        parse(entry, true);
                        return;
                    }
                } catch { }
            }
            if (mayRequestTypes) ask(functions.forgetTypes, entry.load);
            keepError(entry, locate(error, entry));
        },
    );
}
function isTypeError(error) {
    return typeof error.message === "string" && StringPrototypeStartsWith(error.message, "Import attribute type");
}
function finishParsing(entry, module, mayRequestTypes) {
    if (entry.state !== loading || !unfinished.has(entry)) return;
    try {
        const names = loader.requestedModules(module);
        const parameters = loader.requestedModuleParameters(module);
        for (let index = 0; index < names.length; index++) {
            const name = typeof names[index] === "string" ? names[index] : names[index].key;
            const type = parameters[index] === undefined ? "javascript"
                : ask(functions.requestedType, parameters[index], mayRequestTypes ? entry.load : 0, name);
            const url = ask(functions.resolve, name, entry.url);
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
function keepError(entry, error) {
    entry.error = { __proto__: null, value: error };
    unfinished.delete(entry);
    refuse(entry, error);
}
function refuse(entry, error) {
    const { graphs } = entry;
    entry.graphs = [];
    for (let index = 0; index < graphs.length; index++) end(graphs[index], error);
}
function problemOfSource() {
    const ignore = () => {};
    const promise = loader.parseModule("check", takeSource());
    PromisePrototypeThen(promise, ignore, ignore);
    const result = native.promiseResult(promise, promise);
    return typeof result === "object" && result !== null && typeof result.message === "string" ? result.message : undefined;
}
// modules/pruning.js
const requestKey = (request) => request.type + " " + request.url;
function countImporters() {
    const counts = makeSafeMap();
    forEachEntry((entry) => {
        const { requests } = entry;
        for (let index = 0; requests !== undefined && index < requests.length; index++) {
            if (requests[index].url === entry.url) continue;
            const key = requestKey(requests[index]);
            counts.set(key, (counts.get(key) ?? 0) + 1);
        }
    });
    return counts;
}
function prune(reload, roots) {
    const { edges, old } = reload;
    const counts = countImporters(), later = makeSafeMap();
    forEachEdge((url) => { later.set(url, true); });
    for (let index = 0; index < edges.length; index++) {
        edges[index].urls?.forEach((_, url) => { later.set(url, true); });
    }
    const isUsed = (request) =>
        counts.get(requestKey(request)) > 0 || roots.has(request.url) || later.has(request.url);
    const pruned = [];
    const importers = [];
    for (let index = 0; index < old.length; index++) {
        push(importers, old[index]);
        if (findEntry(old[index].url, old[index].type) === undefined && !isUsed(old[index])) push(pruned, old[index]);
    }
    for (let index = 0; index < importers.length; index++) {
        const { requests } = importers[index];
        for (let next = 0; requests !== undefined && next < requests.length; next++) {
            const request = requests[next], entry = findEntry(request.url, request.type);
            if (entry?.state !== evaluated || isUsed(request)) continue;
            dropEntry(entry);
            takeEdges(entry.url);
            for (let third = 0; entry.requests !== undefined && third < entry.requests.length; third++) {
                const key = requestKey(entry.requests[third]);
                if (entry.requests[third].url !== entry.url) counts.set(key, counts.get(key) - 1);
            }
            push(pruned, entry);
            push(importers, entry);
        }
    }
    return pruned;
}
// modules/reloading.js
const roots = makeSafeMap();
const unapplied = makeSafeMap();
let current;
let endedReload;
const invalidated = makeSafeMap();
function invalidate(url) {
    if (invalidated.has(url)) return;
    invalidated.set(url, true);
    if (current === undefined) queueJob(reloadInvalidated);
}
function reloadInvalidated() {
    if (current !== undefined || invalidated.size === 0) return;
    PromisePrototypeThen(reloadModules([], undefined), undefined, reportError);
}
function noteRoot(url, type) { roots.set(url, type); }
function reloadModules(urls, whenWaiting) {
    if (current !== undefined) fail(current, new Error("a later reload has replaced this one"));
    for (let index = 0; index < urls.length; index++) unapplied.set(urls[index], true);
    const reload = {
        __proto__: null, affected: undefined, entrances: undefined, whenWaiting, resolve: undefined, reject: undefined,
        isOver: false, graphs: 0, pending: 0, entries: [], old: [], oldRecords: [], copy: undefined, commons: undefined,
        edges: [],
    };
    const promise = new Promise((resolve, reject) => {
        reload.resolve = resolve;
        reload.reject = reject;
    });
    ({ affected: reload.affected, entrances: reload.entrances } = findAffected());
    if (reload.affected.size === 0) {
        unapplied.clear();
        reload.resolve([]);
        return promise;
    }
    current = reload;
    removeOld(reload);
    loadVersions(reload);
    return promise;
}
function isFailed(entry) { return entry.error !== undefined || entry.failure !== undefined; }
function takesOwnChanges(url) {
    const entry = findEntry(url, "javascript");
    return entry !== undefined && entry.hot?.accepts === true && entry.state === evaluated && !isFailed(entry);
}
function findAffected() {
    const importers = makeSafeMap();
    const add = (url, importer) => {
        const list = importers.get(url);
        if (list === undefined) importers.set(url, [importer]);
        else push(list, importer);
    };
    const affected = makeSafeMap(), entrances = makeSafeMap();
    const rest = [];
    forEachEntry((entry) => {
        if (isFailed(entry)) push(rest, entry.url);
        const { requests } = entry;
        if (requests === undefined) return;
        for (let index = 0; index < requests.length; index++) add(requests[index].url, entry.url);
    });
    forEachEdge(add);
    const types = ["javascript", "json", "text", "bytes"];
    const isLoaded = (url) => {
        for (let index = 0; index < types.length; index++) if (findEntry(url, types[index]) !== undefined) return true;
        return hasCommon(url);
    };
    unapplied.forEach((_, url) => {
        if (isLoaded(url) || importers.has(url)) push(rest, url);
    });
    invalidated.forEach((_, url) => {
        const list = importers.get(url);
        for (let index = 0; list !== undefined && index < list.length; index++) {
            if (findEntry(list[index], "javascript")?.state === evaluated) push(rest, list[index]);
        }
    });
    invalidated.clear();
    roots.forEach((type, url) => {
        if (findEntry(url, type) === undefined) push(rest, url);
    });
    for (let index = 0; index < rest.length; index++) {
        const url = rest[index];
        if (affected.has(url)) continue;
        affected.set(url, true);
        if (takesOwnChanges(url)) {
            entrances.set(url, "javascript");
            continue;
        }
        if (roots.has(url)) entrances.set(url, roots.get(url));
        const list = importers.get(url);
        for (let next = 0; list !== undefined && next < list.length; next++) push(rest, list[next]);
    }
    return { affected, entrances };
}
function removeOld(reload) {
    const { affected, edges, old, oldRecords } = reload;
    reload.copy = copyEntries();
    reload.commons = copyCommons();
    forEachEntry((entry) => { if (affected.has(entry.url)) push(old, entry); });
    affected.forEach((_, url) => {
        const record = dropCommon(url);
        if (record !== undefined) push(oldRecords, record);
        push(edges, { __proto__: null, url, urls: takeEdges(url) });
    });
    for (let index = 0; index < old.length; index++) {
        const isUnfinished = unfinished.has(old[index]);
        dropEntry(old[index]);
        if (isUnfinished) unfinished.set(old[index], true);
    }
}
function loadVersions(reload) {
    reload.entrances.forEach((type, url) => {
        push(reload.entries, registerEntry(url, type, undefined));
    });
    const { entries } = reload;
    reload.graphs = entries.length + 1;
    const finish = () => {
        reload.graphs -= 1;
        if (reload.graphs === 0 && !reload.isOver) startVersions(reload);
    };
    for (let index = 0; index < entries.length && !reload.isOver; index++) {
        loadGraph(entries[index], finish, (error) => { fail(reload, error); });
    }
    finish();
}
function startVersions(reload) {
    const { entries } = reload;
    try {
        for (let index = 0; index < entries.length; index++) link(entries[index]);
    } catch (error) {
        fail(reload, error);
        return;
    }
    dispose(reload.old);
    reload.pending = entries.length + 1;
    const finish = () => {
        reload.pending -= 1;
        if (reload.pending === 0 && !reload.isOver) commit(reload);
    };
    for (let index = 0; index < entries.length && !reload.isOver; index++) {
        evaluate(entries[index], finish, (error) => { fail(reload, error); });
    }
    finish();
    if (!reload.isOver && reload.whenWaiting !== undefined) ReflectApply(reload.whenWaiting, undefined, []);
}
function dispose(old) {
    const list = ArrayPrototypeSort(old, (left, right) => right.sequence - left.sequence);
    for (let index = 0; index < list.length; index++) {
        const { hot } = list[index];
        if (hot === undefined) continue;
        const { disposers } = hot;
        hot.disposers = [];
        call(disposers, hot.data);
    }
}
function call(callbacks, value) {
    for (let index = 0; index < callbacks.length; index++) {
        try { ReflectApply(callbacks[index], undefined, [value]); } catch (error) { reportError(error); }
    }
}
function registrationsOf(owners) {
    const list = [];
    for (let index = 0; index < owners.length; index++) {
        const { registrations } = owners[index];
        owners[index].registrations = undefined;
        if (registrations === undefined) continue;
        for (let next = 0; next < registrations.length; next++) push(list, registrations[next]);
    }
    return ArrayPrototypeSort(list, (left, right) => right.number - left.number);
}
function commit(reload) {
    const { old } = reload;
    reload.isOver = true;
    current = undefined;
    unapplied.clear();
    const pruned = prune(reload, roots);
    dispose(pruned);
    const replaced = registrationsOf(old), removed = registrationsOf(pruned);
    const required = registrationsOf(reload.oldRecords);
    for (let index = 0; index < replaced.length; index++) replaced[index].end();
    for (let index = 0; index < required.length; index++) required[index].end();
    for (let index = 0; index < removed.length; index++) removed[index].end();
    for (let index = 0; index < old.length; index++) endReplaced(old[index]);
    for (let index = 0; index < pruned.length; index++) {
        const { hot } = pruned[index];
        if (hot !== undefined) call(hot.pruners, hot.data);
    }
    for (let index = 0; index < old.length; index++) {
        const { hot, url } = old[index];
        if (hot === undefined || hot.acceptors.length === 0) continue;
        const entry = findEntry(url, "javascript");
        if (entry?.state === evaluated) call(hot.acceptors, loader.getModuleNamespaceObject(entry.module));
    }
    const urls = [];
    reload.affected.forEach((_, url) => { push(urls, url); });
    reload.resolve(urls);
    if (invalidated.size !== 0) queueJob(reloadInvalidated);
}
function restore(reload, error) {
    reload.isOver = true;
    current = undefined;
    const created = [];
    forEachEntry((entry) => {
        const table = reload.copy.tables[entry.type];
        if (table.get(entry.url) !== entry) push(created, entry);
    });
    restoreEntries(reload.copy);
    const owners = restoreCommons(reload.commons);
    for (let index = 0; index < reload.edges.length; index++) restoreEdges(reload.edges[index].url, reload.edges[index].urls);
    for (let index = 0; index < created.length; index++) {
        push(owners, created[index]);
        if (created[index].state !== loading) unfinished.delete(created[index]);
    }
    return { __proto__: null, reload, error, created, registrations: registrationsOf(owners) };
}
function undo(failure) {
    const { created, error, registrations, reload } = failure;
    for (let index = 0; index < registrations.length; index++) registrations[index].undo();
    for (let index = 0; index < created.length; index++) {
        if (created[index].state > loading) failCreated(created[index], error);
    }
    reload.reject(error);
}
function fail(reload, error) {
    if (!reload.isOver) undo(restore(reload, error));
    invalidated.clear();
}
function endReload() {
    if (current !== undefined) endedReload = restore(current, endedError("a reload"));
}
function rejectEndedReload() {
    const failure = endedReload;
    endedReload = undefined;
    if (failure !== undefined) undo(failure);
}
// modules/hot.js
const data = makeSafeMap();
function check(callback, name) {
    if (typeof callback !== "function") throw new TypeError("the argument of import.meta.hot." + name + "() is not a function");
}
const doNothing = ObjectFreeze(() => {});
function makeHot(entry) {
    const { url } = entry;
    let own = data.get(url);
    if (own === undefined) data.set(url, own = {});
    const hot = { __proto__: null, data: own, accepts: false, acceptors: [], disposers: [], pruners: [] };
    entry.hot = hot;
    return ObjectFreeze({
        __proto__: null,
        data: own,
        accept: ObjectFreeze((callback) => {
            if (typeof callback === "string" || isObject(callback) && typeof callback !== "function") {
                throw new TypeError("import.meta.hot.accept() takes no modules: a module can accept only its own changes");
            }
            if (callback !== undefined) {
                check(callback, "accept");
                push(hot.acceptors, callback);
            }
            hot.accepts = true;
        }),
        dispose: ObjectFreeze((callback) => {
            check(callback, "dispose");
            push(hot.disposers, callback);
        }),
        invalidate: ObjectFreeze(() => { invalidate(url); }),
        decline: doNothing,
        prune: ObjectFreeze((callback) => {
            check(callback, "prune");
            push(hot.pruners, callback);
        }),
        on: doNothing,
        off: doNothing,
        send: doNothing,
    });
}
// modules/importing.js
const imports = makeSafeMap();
let ended = [];
let mainURL;
function begin(pending, entry) {
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
                if (pending.isRoot) noteRoot(entry.url, entry.type);
                pending.resolve(loader.getModuleNamespaceObject(entry.module));
            },
            (error) => { rejectImport(pending, error); },
        );
    }, (error) => { rejectImport(pending, error); });
}
function rejectImport(pending, error) {
    imports.delete(pending);
    pending.reject(error);
}
function startImport(
    specifier, referrer, type,
    isFromHost,
) {
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
            if (isOfModule) noteEdge(url, (referrer));
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
function importDynamically(
    specifier, referrer, options,
) {
    const promise = startImport(specifier, referrer, () => requestedType(options), false);
    ObjectDefineProperty(promise, "then", { __proto__: null, value: PromiseThen });
    return ObjectDefineProperty(promise, "constructor", { __proto__: null, value: Promise });
}
function importModule(specifier, referrer, type) {
    return startImport(specifier, referrer, () => type, true);
}
function checkNewModule(url) {
    if (findEntry(url, "javascript") !== undefined) throw new Error("the module \"" + url + "\" exists already");
}
function makeMeta(key) {
    const entry = entryOfKey(key);
    if (entry === undefined) return { __proto__: null };
    const { url, values } = entry;
    if (values !== undefined) return { __proto__: null, values };
    const resolve = (specifier) => ask(functions.resolve, `${specifier}`, url);
    const meta = { __proto__: null, url, main: url === mainURL, resolve };
    return isReloadable ? { ...meta, __proto__: null, hot: makeHot(entry) } : meta;
}
function endModules() {
    let count = 0;
    forgetLoads();
    forgetEvaluations();
    endCommons();
    endReload();
    unfinished.forEach((_, entry) => {
        if (entry.state >= evaluating) {
            endEvaluation(entry, endedError(entry.url));
            return;
        }
        if (entry.load !== 0) count += 1;
        dropEntry(entry);
    });
    unfinished.clear();
    imports.forEach((_, pending) => { push(ended, pending); });
    imports.clear();
    return count;
}
function rejectEndedImports() {
    rejectEndedReload();
    const list = ended;
    ended = [];
    for (let index = 0; index < list.length; index++) list[index].reject(endedError(list[index].url));
}
// modules/index.js
publishToHost({
    __proto__: null,
    checkNewModule, endModules, failLoad, finishLoad, importDynamically, importModule, makeMeta, problemOfSource,
    rejectEndedImports, reloadModules,
});
})
