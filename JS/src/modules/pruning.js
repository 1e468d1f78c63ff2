// Removes the modules whose last import a reload has removed.
import { push } from "../engine/objects.js";
import { makeSafeMap } from "../engine/primordials.js";
import { forEachEdge, takeEdges } from "./edges.js";
import { dropEntry, evaluated, findEntry, forEachEntry } from "./entries.js";

const requestKey = (/** @type {any} */ request) => request.type + " " + request.url;

// Returns the numbers of the modules that import each module.
function countImporters() {
    const counts = makeSafeMap();
    forEachEntry((entry) => {
        const { requests } = entry;
        for (let index = 0; requests !== undefined && index < requests.length; index++) {
            // A module may import itself.
            if (requests[index].url === entry.url) continue;
            const key = requestKey(requests[index]);
            counts.set(key, (counts.get(key) ?? 0) + 1);
        }
    });
    return counts;
}

// Takes the modules out of the module map that old versions have imported and nothing imports any more, with those that
// only these import, and returns their entries. A module that was ever imported by `import()` or `require` remains: the
// new version of its importer may import it later.
export function prune(/** @type {any} */ reload, /** @type {any} */ roots) {
    const { edges, old } = reload;
    const counts = countImporters(), later = makeSafeMap();
    forEachEdge((url) => { later.set(url, true); });
    for (let index = 0; index < edges.length; index++) {
        edges[index].urls?.forEach((/** @type {boolean} */ _, /** @type {string} */ url) => { later.set(url, true); });
    }
    const isUsed = (/** @type {any} */ request) =>
        counts.get(requestKey(request)) > 0 || roots.has(request.url) || later.has(request.url);
    /** @type {any[]} */
    const pruned = [];
    /** @type {any[]} */
    const importers = [];
    for (let index = 0; index < old.length; index++) {
        push(importers, old[index]);
        // A version that was replaced by none.
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
