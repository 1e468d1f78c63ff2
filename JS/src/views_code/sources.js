// The sources of views: whatever has rows becomes one entry, which Swift reads like a registered data source.
import { changeHandle } from "../data_code/changes.js";
import { kindOf } from "../data_code/checks.js";
import { isHostSource } from "../data_code/host_sources.js";
import { isQuery } from "../data_code/queries.js";
import { Entry, registeredEntry } from "../data_code/sources.js";
import { isObject, push } from "../engine/objects.js";
import { ArrayIsArray, BigInt, String, TypeError } from "../engine/primordials.js";

// The number of changed rows above which all contents are made again: each would be looked up.
const maximumLookups = 1000;

// Returns the source of a view: its entry; whether its items are rows of a store, which are known by `$id`; whether it
// announces changes by itself; the script's array, if it is one; and a function that ends the subscription.
export function sourceOf(/** @type {any} */ source, /** @type {string} */ name, /** @type {(ids?: any) => void} */ forget) {
    if (isQuery(source)) return ofQuery(source, name, forget);
    if (isHostSource(source)) return ofHostSource(source, name, forget);
    const registered = registeredEntry(source);
    if (registered !== undefined) return ofRegistered(registered, forget);
    if (ArrayIsArray(source)) return ofArray(source, name);
    if (!isObject(source)) {
        throw new TypeError("the source of a view is an array, a query, a data source, or an object with numberOfItems and window or item, not " + kindOf(source));
    }
    return { entry: new Entry(name, source), isRows: false, announces: false, array: undefined, end() {} };
}

// The contents are forgotten before Swift, which follows later, reads the items again.
function ofRegistered(/** @type {any} */ entry, /** @type {(ids?: any) => void} */ forget) {
    let isFollowed = true;
    entry.follow((/** @type {any} */ changes) => {
        if (isFollowed && changes !== undefined) forget();
        return isFollowed;
    });
    return { entry, isRows: false, announces: true, array: undefined, end() { isFollowed = false; } };
}

function ofQuery(/** @type {any} */ query, /** @type {string} */ name, /** @type {(ids?: any) => void} */ forget) {
    const entry = new Entry(name, {
        __proto__: null,
        numberOfSections: () => query.numberOfSections,
        numberOfItems: (/** @type {number} */ section) => query.numberOfItems(section),
        window: (/** @type {number} */ section, /** @type {number} */ from, /** @type {number} */ to) => query.window(section, from, to),
        headerTitle: (/** @type {number} */ section) => query.section(section)?.name,
        indexOf: (/** @type {string} */ identity) => {
            const id = +identity;
            if (id !== id) return undefined;
            return query.indexOf(id >= -9007199254740991 && id <= 9007199254740991 ? id : BigInt(identity));
        },
    });
    const end = query.onChange((/** @type {any} */ changes) => {
        forget(changedIDs(changes));
        entry.notify(changeHandle(changes));
    });
    return { entry, isRows: true, announces: true, array: undefined, end };
}

// Returns the ids of all rows of a change set, undefined for too many. A row that has left the query may be changed before
// it returns. A small id in an array of large ones is a bigint there, and a number as the `$id` of its row.
function changedIDs(/** @type {any} */ changes) {
    const { ids } = changes;
    if (ids.length > maximumLookups) return undefined;
    /** @type {any} */
    const changed = [];
    for (let index = 0; index < ids.length; index++) {
        const id = ids[index];
        push(changed, typeof id === "bigint" && id >= -9007199254740991n && id <= 9007199254740991n ? +String(id) : id);
    }
    return changed;
}

function ofHostSource(/** @type {any} */ source, /** @type {string} */ name, /** @type {(ids?: any) => void} */ forget) {
    const entry = new Entry(name, {
        __proto__: null,
        numberOfSections: () => source.numberOfSections,
        numberOfItems: (/** @type {number} */ section) => source.numberOfItems(section),
        window: (/** @type {number} */ section, /** @type {number} */ from, /** @type {number} */ to) => source.window(section, from, to),
        headerTitle: (/** @type {number} */ section) => source.headerTitle(section),
        footerTitle: (/** @type {number} */ section) => source.footerTitle(section),
        indexOf: (/** @type {string} */ identity) => source.indexOf(identity),
    });
    const end = source.onChange((/** @type {any} */ changes) => {
        forget();
        entry.notify(changes.all ? "all" : announced(changes));
    });
    return { entry, isRows: false, announces: true, array: undefined, end };
}

function announced(/** @type {any} */ changes) {
    /** @type {any} */
    const list = [];
    for (let index = 0; index < changes.sections.length; index++) {
        const { type, from, to } = changes.sections[index];
        push(list, { __proto__: null, kind: "section", type, from, to });
    }
    for (let index = 0; index < changes.items.length; index++) push(list, changes.items[index]);
    return list;
}

function ofArray(/** @type {any} */ array, /** @type {string} */ name) {
    const entry = new Entry(name, {
        __proto__: null,
        numberOfItems: (/** @type {number} */ section) => section === 0 ? array.length : 0,
        numberOfSections: 1,
        item: (/** @type {number} */ section, /** @type {number} */ item) => array[item],
    });
    return { entry, isRows: false, announces: false, array, end() {} };
}
