// Data sources of the host, as scripts use them: everything that implements the protocol of data sources.
(function (internal) {
    "use strict";

    const { data: native, dataParts, addToBridge, reportError, primordials } = internal;
    const { made, append, isObject, callable, refuseScripts } = dataParts;
    const { ObjectFreeze, SafeMap, TypeError } = primordials;
    const SymbolIterator = Symbol.iterator;

    const rowsPerStep = 256;

    class HostSource {
        #handle;
        #name;
        #listeners = new SafeMap();
        #nextListener = 1;

        constructor(key, name, handle) {
            refuseScripts(key);
            this.#name = name;
            this.#handle = handle;
        }

        get name() { return this.#name; }
        get version() { return native.sourceVersion(this.#handle); }
        get numberOfSections() { return native.sourceSections(this.#handle); }
        get count() {
            let count = 0;
            for (let section = this.numberOfSections - 1; section >= 0; section--) count += this.numberOfItems(section);
            return count;
        }
        numberOfItems(section) { return native.sourceItems(this.#handle, section); }
        item(section, item) { return native.sourceItem(this.#handle, section, item); }
        window(section = 0, from = 0, to = Infinity) { return ObjectFreeze(native.sourceWindow(this.#handle, section, from, to)); }
        indexOf(id) { return native.sourceIndexOf(this.#handle, isObject(id) ? id.$id ?? id.id : id); }
        after(section, item) { return native.sourceAfter(this.#handle, section, item); }
        headerTitle(section) { return native.sourceTitle(this.#handle, section, 0); }
        footerTitle(section) { return native.sourceTitle(this.#handle, section, 1); }
        saveState(view = {}) { return native.saveHostState(this.#handle, view); }
        restoreState(archive, view = {}) { return native.restoreHostState(this.#handle, archive, view); }

        onChange(listener) {
            callable(listener, "a listener");
            if (this.#listeners.size === 0) native.followSource(this.#handle, (changes) => this.#tell(changes));
            const id = this.#nextListener++;
            this.#listeners.set(id, listener);
            return () => {
                if (this.#listeners.delete(id) && this.#listeners.size === 0) native.followSource(this.#handle);
            };
        }

        #tell(changes) {
            const end = this.#nextListener;
            const told = changes === "all" ? ObjectFreeze({ all: true, sections: [], items: [], objects: [] }) : split(changes);
            this.#listeners.forEach((listener, id) => {
                if (id >= end) return;
                try { listener(told); } catch (error) { reportError(error); }
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
    function split(changes) {
        const sections = [], items = [];
        for (let index = 0; index < changes.length; index++) {
            const { kind, ...change } = changes[index];
            append(kind === "section" ? sections : items, change);
        }
        return ObjectFreeze({ all: false, sections, items, objects: items });
    }

    addToBridge("dataSource", function dataSource(name) {
        if (typeof name !== "string") throw new TypeError("a data source's name must be a string");
        return new HostSource(made, name, native.openSource(name));
    });
})
