// Data sources of the host, as scripts use them: everything that implements the protocol of data sources.
import { callable, made, refuseScripts } from "./checks.js";
import { dataHost } from "../data/native.js";
import { rowsPerStep } from "./rows.js";
import { isObject, push } from "../engine/objects.js";
import { ObjectFreeze, makeSafeMap, SymbolIterator, TypeError } from "../engine/primordials.js";
import { reportError } from "../engine/uncaught.js";

let /** @type {any} */ holdsSource;
export const isHostSource = (/** @type {unknown} */ value) => holdsSource(value);

class HostSource {
    #handle;
    #name;
    #listeners = makeSafeMap();
    #nextListener = 1;

    static { holdsSource = (/** @type {any} */ value) => isObject(value) && #handle in value; }

    constructor(/** @type {any} */ key, /** @type {string} */ name, /** @type {any} */ handle) {
        refuseScripts(key);
        this.#name = name;
        this.#handle = handle;
    }

    get name() { return this.#name; }
    get version() { return dataHost.sourceVersion(this.#handle); }
    get numberOfSections() { return dataHost.sourceSections(this.#handle); }
    get count() {
        let count = 0;
        for (let section = this.numberOfSections - 1; section >= 0; section--) count += this.numberOfItems(section);
        return count;
    }
    numberOfItems(/** @type {number} */ section) { return dataHost.sourceItems(this.#handle, section); }
    item(
        /** @type {number} */ section, /** @type {any} */ item,
    ) { return dataHost.sourceItem(this.#handle, section, item); }
    window(section = 0, from = 0, to = Infinity) { return ObjectFreeze(dataHost.sourceWindow(this.#handle, section, from, to)); }
    indexOf(/** @type {any} */ id) { return dataHost.sourceIndexOf(this.#handle, isObject(id) ? id.$id ?? id.id : id); }
    after(
        /** @type {number} */ section, /** @type {any} */ item,
    ) { return dataHost.sourceAfter(this.#handle, section, item); }
    headerTitle(/** @type {number} */ section) { return dataHost.sourceTitle(this.#handle, section, 0); }
    footerTitle(/** @type {number} */ section) { return dataHost.sourceTitle(this.#handle, section, 1); }
    saveState(view = {}) { return dataHost.saveHostState(this.#handle, view); }
    restoreState(
        /** @type {any} */ archive, view = {},
    ) { return dataHost.restoreHostState(this.#handle, archive, view); }

    onChange(/** @type {(...values: any[]) => any} */ listener) {
        callable(listener, "a listener");
        if (this.#listeners.size === 0) dataHost.followSource(this.#handle, (/** @type {any} */ changes) => this.#notify(changes));
        const id = this.#nextListener++;
        this.#listeners.set(id, listener);
        return () => {
            if (this.#listeners.delete(id) && this.#listeners.size === 0) dataHost.followSource(this.#handle);
        };
    }

    #notify(/** @type {any} */ changes) {
        const end = this.#nextListener;
        const event = changes === "all" ? ObjectFreeze({ all: true, sections: [], items: [], objects: [] }) : split(changes);
        this.#listeners.forEach((/** @type {(...values: any[]) => any} */ listener, /** @type {any} */ id) => {
            if (id >= end) return;
            try { listener(event); } catch (error) { reportError(error); }
        });
    }

    *[SymbolIterator]() {
        for (let section = 0; section < this.numberOfSections; section++) {
            for (let from = 0; ; from += rowsPerStep) {
                const items = this.window(section, from, from + rowsPerStep);
                for (let index = 0; index < items.length; index++) yield items[index];
                if (items.length < rowsPerStep) break;
            }
        }
    }
}

ObjectFreeze(HostSource.prototype);

// Splits a change set into two arrays, each in the order in which the changes were announced.
function split(/** @type {any} */ changes) {
    const /** @type {any} */ sections = [], /** @type {any} */ items = [];
    for (let index = 0; index < changes.length; index++) {
        const { kind, ...change } = changes[index];
        push(kind === "section" ? sections : items, change);
    }
    return ObjectFreeze({ all: false, sections, items, objects: items });
}

export function openDataSource(/** @type {string} */ name) {
    if (typeof name !== "string") throw new TypeError("a data source's name must be a string");
    return new HostSource(made, name, dataHost.openSource(name));
}
