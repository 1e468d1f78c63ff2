// Live queries: fetch requests that are updated while the store changes.
import { Listeners, Snapshot } from "./changes.js";
import { callable, made, refuseScripts } from "./checks.js";
import { SymbolDispose } from "../bridge/builtins.js";
import { dataHost } from "../data/native.js";
import { identityOf, makeRows, rowTraps, rowsPerStep } from "./rows.js";
import { failed } from "../engine/functions.js";
import { callNative, takeFailure } from "../engine/native.js";
import { isObject } from "../engine/objects.js";
import { Error, ObjectDefineProperty, ObjectFreeze, SymbolIterator, TypeError } from "../engine/primordials.js";
import { reportError } from "../engine/uncaught.js";

// The number of windows that a query caches, so that drawing again does not read again.
const keptWindows = 4;

let /** @type {any} */ holdsQuery;
export const isQuery = (/** @type {unknown} */ value) => holdsQuery(value);

// A change set leads to one version; until it is delivered, counts and rows are those of the version before.
export class Query {
    #handle;
    #store;
    #entity;
    #shape;
    #listeners = new Listeners(reportError);
    #isReferenced = true;
    #isClosed = false;
    // The windows that were read last, of one state of the query.
    /** @type {any} */ #stamp;
    /** @type {any} */ #windows = [];
    #nextWindow = 0;
    // The range that the script shows, if it has set one.
    /** @type {any} */ #view;

    static { holdsQuery = (/** @type {any} */ value) => isObject(value) && #handle in value; }

    constructor(
        /** @type {any} */ key, /** @type {string} */ store, /** @type {string | undefined} */ entity,
        /** @type {any} */ handle, /** @type {any} */ view,
    ) {
        refuseScripts(key);
        this.#store = store;
        this.#entity = entity;
        this.#handle = handle;
        this.#shape = rowTraps(dataHost.attributes(handle), store, entity);
        if (view !== undefined) this.setWindow(view);
    }

    get #open() {
        if (this.#isClosed) throw new Error("the query was closed");
        return this.#handle;
    }

    get count() { return dataHost.count(this.#open); }
    get version() { return dataHost.version(this.#open); }
    get numberOfSections() { return dataHost.numberOfSections(this.#open); }
    numberOfItems(/** @type {number} */ section) { return dataHost.numberOfItems(this.#open, section); }
    section(/** @type {number} */ index) { return dataHost.section(this.#open, index); }

    window(section = 0, from = 0, to = Infinity) {
        const handle = this.#open;
        const stamp = callNative(dataHost.stamp, handle);
        if (stamp === failed) throw takeFailure();
        // Inside a transaction the stamp is NaN, so that its writes are visible immediately.
        if (stamp !== this.#stamp) {
            this.#stamp = stamp;
            for (let index = 0; index < this.#windows.length; index++) this.#windows[index].rows = undefined;
        }
        const windows = this.#windows;
        for (let index = 0; index < windows.length; index++) {
            const kept = windows[index];
            if (kept.rows !== undefined && kept.section === section && kept.from === from && kept.to === to) return kept.rows;
        }
        const rows = makeRows(this.#shape, dataHost.window(handle, section, from, to));
        if (stamp === stamp) this.#keep({ __proto__: null, section, from, to, rows });
        return rows;
    }

    #keep(/** @type {any} */ window) {
        const place = this.#nextWindow;
        this.#nextWindow = (place + 1) % keptWindows;
        ObjectDefineProperty(this.#windows, place, {
            __proto__: null, value: window, writable: true, enumerable: true, configurable: true,
        });
    }

    /** @returns {any} */
    item(/** @type {any} */ section, /** @type {any} */ item) {
        // A path has the same form as its own members.
        if (isObject(section)) return this.item(section.section, section.item);
        if (typeof item !== "number" || item % 1 !== 0 || item < 0) return undefined;
        return makeRows(this.#shape, dataHost.window(this.#open, section, item, item + 1))[0];
    }

    indexOf(/** @type {number} */ row) { return dataHost.indexOf(this.#open, this.#idOf(row)); }
    snapshot() { return new Snapshot(made, dataHost.snapshot(this.#open)); }
    saveState(view = {}) { return dataHost.saveState(this.#open, view); }
    restoreState(/** @type {any} */ archive, view = {}) { return dataHost.restoreState(this.#open, archive, view); }

    setWindow(/** @type {any} */ view) {
        if (!isObject(view)) throw new TypeError("a window is { section, from, to }");
        const { section = 0, from = 0, to = Infinity } = view;
        if (typeof section !== "number" || typeof from !== "number" || typeof to !== "number") {
            throw new TypeError("a window's section, from and to are numbers");
        }
        this.#view = { __proto__: null, section, from, to };
        return this;
    }

    get rows() {
        const view = this.#view;
        return view === undefined ? this.window() : this.window(view.section, view.from, view.to);
    }

    insert(/** @type {any[]} */ values) { return dataHost.insert(this.#store, this.#entity, values); }
    update(
        /** @type {number} */ row, /** @type {any[]} */ values,
    ) { return dataHost.update(this.#store, this.#entity, this.#idOf(row), values); }
    delete(/** @type {number} */ row) { return dataHost.delete(this.#store, this.#entity, this.#idOf(row)); }

    // Reads rows in chunks. If the query has changed meanwhile, the loop continues after the last returned row that
    // is still in its section: its body may delete or insert rows, or wait.
    *[SymbolIterator]() {
        for (let section = 0; section < this.numberOfSections; section++) {
            let from = 0, before, stamp = dataHost.stamp(this.#open);
            for (;;) {
                const rows = makeRows(this.#shape, dataHost.window(this.#open, section, from, from + rowsPerStep));
                for (let index = 0; index < rows.length; index++) yield rows[index];
                if (rows.length === 0) break;
                const present = dataHost.stamp(this.#open);
                if (present === stamp) {
                    if (rows.length < rowsPerStep) break;
                    from += rows.length;
                } else {
                    from = this.#placeBehind(rows, before, section);
                    stamp = present;
                }
                before = { __proto__: null, id: this.#idOf(rows[rows.length - 1]), before };
            }
        }
    }

    #idOf(/** @type {number} */ row) { return identityOf(row, this.#store, this.#entity); }

    // Returns the index after the last of the given rows, or of earlier last rows, that still exists.
    #placeBehind(/** @type {any} */ rows, /** @type {any} */ before, /** @type {number} */ section) {
        const placeOf = (/** @type {any} */ id) => {
            const place = this.indexOf(id);
            return isObject(place) && place.section === section ? place.item + 1 : 0;
        };
        let place = 0;
        for (let index = rows.length - 1; index >= 0 && place === 0; index--) place = placeOf(this.#idOf(rows[index]));
        for (let last = before; last !== undefined && place === 0; last = last.before) place = placeOf(last.id);
        return place;
    }

    onChange(/** @type {(...values: any[]) => any} */ listener) {
        callable(listener, "a listener");
        const handle = this.#open;
        if (this.#listeners.isEmpty) {
            const origin = dataHost.listen(handle, (/** @type {any[]} */ ...crossed) => this.#listeners.deliver(crossed, origin));
            dataHost.reference(handle, this.#isReferenced ? 1 : 0);
        }
        const id = this.#listeners.add(listener);
        return () => { this.#stop(id); };
    }

    #stop(/** @type {any} */ id) {
        if (this.#listeners.remove(id) && this.#listeners.isEmpty) this.#unlisten();
    }

    #unlisten() {
        this.#listeners.forgetDelivery();
        dataHost.unlisten(this.#handle);
    }

    ref() { this.#setReferenced(true); return this; }
    unref() { this.#setReferenced(false); return this; }

    #setReferenced(/** @type {boolean} */ isReferenced) {
        this.#isReferenced = isReferenced;
        if (!this.#listeners.isEmpty) dataHost.reference(this.#handle, isReferenced ? 1 : 0);
    }

    close() {
        if (this.#isClosed) return;
        this.#isClosed = true;
        this.#listeners.clear();
        this.#unlisten();
        dataHost.close(this.#handle);
        this.#windows = [];
    }

    dispose() { this.close(); }
}
// For `using query = store.fetch(...)`, if the engine supports it.
if (SymbolDispose !== undefined) {
    ObjectDefineProperty(Query.prototype, SymbolDispose, {
        __proto__: null, value: Query.prototype.dispose, writable: true, configurable: true,
    });
}
ObjectFreeze(Query.prototype);
