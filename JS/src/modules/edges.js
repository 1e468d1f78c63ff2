// The modules that others import by `import()` and `require`, for reloads: by the URL of the importer.
import { makeSafeMap } from "../engine/primordials.js";

export const { isReloadable } = host.modules;

const edges = makeSafeMap();

export function noteEdge(/** @type {string} */ url, /** @type {string} */ importer) {
    if (!isReloadable) return;
    let urls = edges.get(importer);
    if (urls === undefined) edges.set(importer, urls = makeSafeMap());
    urls.set(url, true);
}

export function forEachEdge(/** @type {(url: string, importer: string) => void} */ body) {
    edges.forEach((/** @type {any} */ urls, /** @type {string} */ importer) => {
        urls.forEach((/** @type {boolean} */ _, /** @type {string} */ url) => { body(url, importer); });
    });
}

// Forgets what a module has imported, and returns it.
export function takeEdges(/** @type {string} */ importer) {
    const urls = edges.get(importer);
    edges.delete(importer);
    return urls;
}

export function restoreEdges(/** @type {string} */ importer, /** @type {any} */ urls) {
    if (urls === undefined) edges.delete(importer);
    else edges.set(importer, urls);
}
