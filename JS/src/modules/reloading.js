// Reloads modules whose sources have changed, with the modules that import them. The new versions are loaded and linked
// before anything of them runs. If they fail, the old ones remain in the module map with all that they have registered.
import { push } from "../engine/objects.js";
import {
    ArrayPrototypeSort, Error, Promise, PromisePrototypeThen, ReflectApply, makeSafeMap, queueJob,
} from "../engine/primordials.js";
import { reportError } from "../engine/uncaught.js";
import { copyCommons, dropCommon, hasCommon, restoreCommons } from "./commonjs.js";
import { forEachEdge, restoreEdges, takeEdges } from "./edges.js";
import {
    copyEntries, dropEntry, evaluated, findEntry, forEachEntry, loading, registerEntry, restoreEntries, unfinished,
} from "./entries.js";
import { endedError } from "./errors.js";
import { endReplaced, evaluate, failCreated } from "./evaluation.js";
import { link } from "./linking.js";
import { loadGraph } from "./loading.js";
import { loader } from "./native.js";
import { prune } from "./pruning.js";

// The modules that native code and scripts that are not modules have imported: their types, by URL.
const roots = makeSafeMap();
// The URLs whose changes no reload has applied yet.
const unapplied = makeSafeMap();
// The reload that is not over.
/** @type {any} */
let current;
// The reload that a termination has ended, until it is rejected.
/** @type {any} */
let endedReload;

// The modules whose importers are to be loaded again, until a reload does that.
const invalidated = makeSafeMap();

// Loads the importers of a module again, in a reload of its own, after the one that runs.
export function invalidate(/** @type {string} */ url) {
    if (invalidated.has(url)) return;
    invalidated.set(url, true);
    if (current === undefined) queueJob(reloadInvalidated);
}

function reloadInvalidated() {
    if (current !== undefined || invalidated.size === 0) return;
    PromisePrototypeThen(reloadModules([], undefined), undefined, reportError);
}

export function noteRoot(/** @type {string} */ url, /** @type {string} */ type) { roots.set(url, type); }

// Replaces modules, and returns the promise of the URLs of all that were replaced. A pending reload fails, and its changes
// are part of this one. Calls `whenWaiting` if top-level awaits keep the new versions from ending.
export function reloadModules(/** @type {string[]} */ urls, /** @type {(() => void) | undefined} */ whenWaiting) {
    if (current !== undefined) fail(current, new Error("a later reload has replaced this one"));
    for (let index = 0; index < urls.length; index++) unapplied.set(urls[index], true);
    /** @type {any} */
    const reload = {
        __proto__: null, affected: undefined, entrances: undefined, whenWaiting, resolve: undefined, reject: undefined,
        isOver: false, graphs: 0, pending: 0, entries: [], old: [], oldRecords: [], copy: undefined, commons: undefined,
        edges: [],
    };
    const promise = new Promise((resolve, reject) => {
        reload.resolve = resolve;
        reload.reject = reject;
    });
    // Not in the function above, which would be a frame in the stacks of errors.
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

// ---------------------------------------------------------------- what is affected

function isFailed(/** @type {any} */ entry) { return entry.error !== undefined || entry.failure !== undefined; }

// Returns whether a module takes its own changes. One that is not evaluated has importers that wait for it.
function takesOwnChanges(/** @type {string} */ url) {
    const entry = findEntry(url, "javascript");
    return entry !== undefined && entry.hot?.accepts === true && entry.state === evaluated && !isFailed(entry);
}

// Returns the URLs to replace, and those to import again with their types.
function findAffected() {
    const importers = makeSafeMap();
    const add = (/** @type {string} */ url, /** @type {string} */ importer) => {
        const list = importers.get(url);
        if (list === undefined) importers.set(url, [importer]);
        else push(list, importer);
    };
    const affected = makeSafeMap(), entrances = makeSafeMap();
    /** @type {string[]} */
    const rest = [];
    forEachEntry((entry) => {
        if (isFailed(entry)) push(rest, entry.url);
        const { requests } = entry;
        if (requests === undefined) return;
        for (let index = 0; index < requests.length; index++) add(requests[index].url, entry.url);
    });
    forEachEdge(add);
    const types = ["javascript", "json", "text", "bytes"];
    const isLoaded = (/** @type {string} */ url) => {
        for (let index = 0; index < types.length; index++) if (findEntry(url, types[index]) !== undefined) return true;
        return hasCommon(url);
    };
    unapplied.forEach((/** @type {boolean} */ _, /** @type {string} */ url) => {
        if (isLoaded(url) || importers.has(url)) push(rest, url);
    });
    invalidated.forEach((/** @type {boolean} */ _, /** @type {string} */ url) => {
        const list = importers.get(url);
        for (let index = 0; list !== undefined && index < list.length; index++) {
            // One that is not evaluated waits for the module.
            if (findEntry(list[index], "javascript")?.state === evaluated) push(rest, list[index]);
        }
    });
    invalidated.clear();
    roots.forEach((/** @type {string} */ type, /** @type {string} */ url) => {
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

// ---------------------------------------------------------------- the new versions

// Takes the old versions out of the module map.
function removeOld(/** @type {any} */ reload) {
    const { affected, edges, old, oldRecords } = reload;
    reload.copy = copyEntries();
    reload.commons = copyCommons();
    forEachEntry((entry) => { if (affected.has(entry.url)) push(old, entry); });
    affected.forEach((/** @type {boolean} */ _, /** @type {string} */ url) => {
        const record = dropCommon(url);
        if (record !== undefined) push(oldRecords, record);
        push(edges, { __proto__: null, url, urls: takeEdges(url) });
    });
    for (let index = 0; index < old.length; index++) {
        const isUnfinished = unfinished.has(old[index]);
        dropEntry(old[index]);
        // An evaluation that is pending continues, in case the new version fails.
        if (isUnfinished) unfinished.set(old[index], true);
    }
}

function loadVersions(/** @type {any} */ reload) {
    reload.entrances.forEach((/** @type {string} */ type, /** @type {string} */ url) => {
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

// Links the new versions, disposes of the old ones, and evaluates the new ones.
function startVersions(/** @type {any} */ reload) {
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

// Calls the functions for the end of the old versions, those of the dependants first.
function dispose(/** @type {any[]} */ old) {
    const list = ArrayPrototypeSort(old, (/** @type {any} */ left, /** @type {any} */ right) => right.sequence - left.sequence);
    for (let index = 0; index < list.length; index++) {
        const { hot } = list[index];
        if (hot === undefined) continue;
        const { disposers } = hot;
        hot.disposers = [];
        call(disposers, hot.data);
    }
}

function call(/** @type {any[]} */ callbacks, /** @type {unknown} */ value) {
    for (let index = 0; index < callbacks.length; index++) {
        try { ReflectApply(callbacks[index], undefined, [value]); } catch (error) { reportError(error); }
    }
}

// ---------------------------------------------------------------- the end

// Returns the registrations of some versions, the last first.
function registrationsOf(/** @type {any[]} */ owners) {
    /** @type {any[]} */
    const list = [];
    for (let index = 0; index < owners.length; index++) {
        const { registrations } = owners[index];
        owners[index].registrations = undefined;
        if (registrations === undefined) continue;
        for (let next = 0; next < registrations.length; next++) push(list, registrations[next]);
    }
    return ArrayPrototypeSort(list, (/** @type {any} */ left, /** @type {any} */ right) => right.number - left.number);
}

function commit(/** @type {any} */ reload) {
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
    /** @type {string[]} */
    const urls = [];
    reload.affected.forEach((/** @type {boolean} */ _, /** @type {string} */ url) => { push(urls, url); });
    reload.resolve(urls);
    if (invalidated.size !== 0) queueJob(reloadInvalidated);
}

// Puts the old versions back into the module map. Returns what the new ones have registered.
function restore(/** @type {any} */ reload, /** @type {unknown} */ error) {
    reload.isOver = true;
    current = undefined;
    /** @type {any[]} */
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
        // Other imports may wait for one that is being loaded.
        if (created[index].state !== loading) unfinished.delete(created[index]);
    }
    return { __proto__: null, reload, error, created, registrations: registrationsOf(owners) };
}

function undo(/** @type {any} */ failure) {
    const { created, error, registrations, reload } = failure;
    for (let index = 0; index < registrations.length; index++) registrations[index].undo();
    for (let index = 0; index < created.length; index++) {
        if (created[index].state > loading) failCreated(created[index], error);
    }
    reload.reject(error);
}

function fail(/** @type {any} */ reload, /** @type {unknown} */ error) {
    if (!reload.isOver) undo(restore(reload, error));
    // Those of the versions that were undone.
    invalidated.clear();
}

// Ends the reload that a termination has ended; settles no promise, and calls nothing of the host.
export function endReload() {
    if (current !== undefined) endedReload = restore(current, endedError("a reload"));
}

export function rejectEndedReload() {
    const failure = endedReload;
    endedReload = undefined;
    if (failure !== undefined) undo(failure);
}
