// `import.meta.hot`, with the names of Vite: what a module does about its own reload.
import { isObject, push } from "../engine/objects.js";
import { ObjectFreeze, TypeError, makeSafeMap } from "../engine/primordials.js";
import { invalidate } from "./reloading.js";

// The objects that remain over all versions of a module, by URL.
const data = makeSafeMap();

function check(/** @type {unknown} */ callback, /** @type {string} */ name) {
    if (typeof callback !== "function") throw new TypeError("the argument of import.meta.hot." + name + "() is not a function");
}

// Members of Vite without a meaning here: a reload is never of a whole page, and nothing sends events.
const doNothing = ObjectFreeze(() => {});

// Adds the members of a version to its entry, and returns the object that its script sees.
export function makeHot(/** @type {any} */ entry) {
    const { url } = entry;
    let own = data.get(url);
    if (own === undefined) data.set(url, own = {});
    const hot = { __proto__: null, data: own, accepts: false, acceptors: [], disposers: [], pruners: [] };
    entry.hot = hot;
    return ObjectFreeze({
        __proto__: null,
        data: own,
        accept: ObjectFreeze((/** @type {any} */ callback) => {
            if (typeof callback === "string" || isObject(callback) && typeof callback !== "function") {
                throw new TypeError("import.meta.hot.accept() takes no modules: a module can accept only its own changes");
            }
            if (callback !== undefined) {
                check(callback, "accept");
                push(hot.acceptors, callback);
            }
            hot.accepts = true;
        }),
        dispose: ObjectFreeze((/** @type {any} */ callback) => {
            check(callback, "dispose");
            push(hot.disposers, callback);
        }),
        // By the URL: the object of a script must not keep the entry of its version.
        invalidate: ObjectFreeze(() => { invalidate(url); }),
        decline: doNothing,
        prune: ObjectFreeze((/** @type {any} */ callback) => {
            check(callback, "prune");
            push(hot.pruners, callback);
        }),
        on: doNothing,
        off: doNothing,
        send: doNothing,
    });
}
