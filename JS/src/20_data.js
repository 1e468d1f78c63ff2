// Stores, live queries, change sets and data sources for scripts. The native half is Sources/DataBridging.
(function (internal) {
    "use strict";

    const { data: native, addToBridge, reportError, primordials } = internal;
    const { SafeMap, ObjectDefineProperty, ObjectFreeze, TypeError, Error, uncurryThis, ArrayIsArray } = primordials;
    const NativeInt32Array = Int32Array;
    const viewBuffer = uncurryThis(Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), "buffer").get);
    const SymbolIterator = Symbol.iterator;

    // Known to this file alone: the classes are reached by `constructor`, and make nothing for a script.
    const made = {};

    function append(list, value) {
        ObjectDefineProperty(list, list.length, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
    }

    function isObject(value) {
        return (typeof value === "object" && value !== null) || typeof value === "function";
    }

    function callable(value, what) {
        if (typeof value !== "function") throw new TypeError(what + " is a function, not " + (value === null ? "null" : typeof value));
        return value;
    }

    function refuseScripts(key) {
        if (key !== made) throw new TypeError("Illegal constructor");
    }

    // ---------------------------------------------------------------- change sets

    // The native object of a change set. A member of the class would give it to scripts.
    let handleOf;

    class ChangeSet {
        #handle;
        #summary;
        #lists;

        static {
            handleOf = (changes) => isObject(changes) && #handle in changes ? changes.#handle : undefined;
        }

        constructor(key, handle) {
            refuseScripts(key);
            this.#handle = handle;
        }

        get #all() { return this.#summary ??= native.changeSummary(this.#handle); }
        get all() { return false; }
        get version() { return this.#all.version; }
        get milliseconds() { return this.#all.milliseconds; }
        get counts() { return { sections: this.#all.sections, rows: this.#all.rows }; }
        get sections() { return (this.#lists ??= unpack(native.changePaths(this.#handle))).sections; }
        get items() { return (this.#lists ??= unpack(native.changePaths(this.#handle))).items; }
        get objects() { return this.items; }
        inverse() { return new ChangeSet(made, native.inverse(this.#handle)); }

        toString() {
            const text = (counts) => counts.inserted + " inserted, " + counts.deleted + " deleted, "
                + counts.moved + " moved, " + counts.updated + " updated";
            return "sections: " + text(this.#all.sections) + "; rows: " + text(this.#all.rows);
        }
    }

    // Seven counts, then for each kind its paths, as Difference.packed writes them.
    function unpack(bytes) {
        const numbers = new NativeInt32Array(viewBuffer(bytes));
        let next = 7;
        const sections = [], items = [];
        const section = () => numbers[next++];
        const path = () => ({ section: numbers[next++], item: numbers[next++] });
        for (let index = 0; index < numbers[0]; index++) append(sections, { type: "delete", from: section() });
        for (let index = 0; index < numbers[1]; index++) append(sections, { type: "insert", to: section() });
        for (let index = 0; index < numbers[2]; index++) append(sections, { type: "move", from: section(), to: section() });
        for (let index = 0; index < numbers[3]; index++) append(items, { type: "delete", from: path() });
        for (let index = 0; index < numbers[4]; index++) append(items, { type: "insert", to: path() });
        for (let index = 0; index < numbers[5]; index++) append(items, { type: "move", from: path(), to: path() });
        for (let index = 0; index < numbers[6]; index++) append(items, { type: "update", from: path(), to: path() });
        return { sections, items };
    }

    class Snapshot {
        #handle;
        #sections;

        constructor(key, handle) {
            refuseScripts(key);
            this.#handle = handle;
        }

        get sections() { return this.#sections ??= native.snapshotSections(this.#handle); }

        applying(changes) {
            return new Snapshot(made, native.apply(this.#handle, handleOf(changes)));
        }

        equals(other) {
            return isObject(other) && #handle in other && native.snapshotsEqual(this.#handle, other.#handle);
        }
    }

    // ---------------------------------------------------------------- live queries

    // What is delivered to a listener is of one version; until it is, counts and rows are of the version before.
    class Query {
        #handle;
        #store;
        #entity;
        #listeners = new SafeMap();
        #nextListener = 1;
        // The change set that is being delivered, and to whom it was; it stays where a time limit stops a listener.
        #delivery;
        #isReferenced = true;
        #isClosed = false;

        constructor(key, store, entity, handle) {
            refuseScripts(key);
            this.#store = store;
            this.#entity = entity;
            this.#handle = handle;
        }

        get #open() {
            if (this.#isClosed) throw new Error("the query was closed");
            return this.#handle;
        }

        get count() { return native.count(this.#open); }
        get version() { return native.version(this.#open); }
        get numberOfSections() { return native.numberOfSections(this.#open); }
        numberOfItems(section) { return native.numberOfItems(this.#open, section); }
        section(index) { return native.section(this.#open, index); }
        window(section, from = 0, to = Infinity) { return native.window(this.#open, section, from, to); }
        item(section, item) { return native.window(this.#open, section, item, item + 1)[0]; }
        indexOf(id) { return native.indexOf(this.#open, isObject(id) ? id.rowID ?? id.id : id); }
        snapshot() { return new Snapshot(made, native.snapshot(this.#open)); }
        saveState(view = {}) { return native.saveState(this.#open, view); }
        restoreState(archive, view = {}) { return native.restoreState(this.#open, archive, view); }

        insert(values) { return native.insert(this.#store, this.#entity, values); }
        update(id, values) { return native.update(this.#store, this.#entity, id, values); }
        delete(id) { return native.delete(this.#store, this.#entity, id); }

        *[SymbolIterator]() {
            for (let section = 0; section < this.numberOfSections; section++) {
                for (let from = 0; ; from += 256) {
                    const rows = this.window(section, from, from + 256);
                    for (let index = 0; index < rows.length; index++) yield rows[index];
                    if (rows.length < 256) break;
                }
            }
        }

        onChange(listener) {
            callable(listener, "a listener");
            const handle = this.#open;
            const id = this.#nextListener++;
            if (this.#listeners.size === 0) {
                native.listen(handle, (changes) => this.#deliver(changes));
                native.reference(handle, this.#isReferenced ? 1 : 0);
            }
            this.#listeners.set(id, listener);
            return () => { this.#stop(id); };
        }

        #stop(id) {
            if (this.#listeners.delete(id) && this.#listeners.size === 0) this.#unlisten();
        }

        #unlisten() {
            this.#delivery = undefined;
            native.unlisten(this.#handle);
        }

        // The host delivers again what a time limit has stopped: it goes on after the listener that was stopped.
        #deliver(handle) {
            const delivery = this.#delivery ??= { changes: new ChangeSet(made, handle), last: 0, end: this.#nextListener };
            this.#listeners.forEach((listener, id) => {
                // Who began to listen meanwhile is told from the next change set on: it sees this one already.
                if (id <= delivery.last || id >= delivery.end) return;
                delivery.last = id;
                try { listener(delivery.changes); } catch (error) { reportError(error); }
            });
            this.#delivery = undefined;
        }

        ref() { this.#setReferenced(true); return this; }
        unref() { this.#setReferenced(false); return this; }

        #setReferenced(isReferenced) {
            this.#isReferenced = isReferenced;
            if (this.#listeners.size > 0) native.reference(this.#handle, isReferenced ? 1 : 0);
        }

        close() {
            if (this.#isClosed) return;
            this.#isClosed = true;
            // Emptied, not replaced: a delivery that is going on finds nobody more.
            this.#listeners.clear();
            this.#unlisten();
        }
    }

    // ---------------------------------------------------------------- stores

    class Store {
        #name;

        constructor(key, name) {
            refuseScripts(key);
            this.#name = name;
        }

        get name() { return this.#name; }
        get entities() { return native.entities(this.#name); }
        createEntity(name, attributes) { native.createEntity(this.#name, name, attributes); }
        importCSV(path, options = {}) { return native.importCSV(this.#name, path, options); }
        insert(entity, values) { return native.insert(this.#name, entity, values); }
        update(entity, id, values) { return native.update(this.#name, entity, id, values); }
        upsert(entity, key, values) { return native.upsert(this.#name, entity, key, values); }
        delete(entity, id) { return native.delete(this.#name, entity, id); }
        fetch(entity, options = {}) { return new Query(made, this.#name, entity, native.fetch(this.#name, entity, options)); }

        transaction(body) {
            callable(body, "a transaction's body");
            let result, thrown, hasThrown = false;
            try {
                native.transaction(this.#name, () => {
                    try {
                        result = body();
                        if (isObject(result) && typeof result.then === "function") {
                            throw new TypeError("a transaction cannot wait: its body returned a promise");
                        }
                    } catch (error) {
                        hasThrown = true;
                        thrown = error;
                        throw error;
                    }
                });
            } catch (error) {
                // The error that the script threw itself, not a copy that has been through Swift.
                throw hasThrown ? thrown : error;
            }
            return result;
        }
    }

    const stores = new SafeMap();

    addToBridge("store", function store(name = "default") {
        if (typeof name !== "string") throw new TypeError("a store's name is a text");
        let store = stores.get(name);
        if (store === undefined) {
            native.entities(name);
            store = new Store(made, name);
            stores.set(name, store);
        }
        return store;
    });

    // ---------------------------------------------------------------- data sources written in JavaScript

    const sources = new SafeMap();

    addToBridge("registerDataSource", function registerDataSource(name, source) {
        if (typeof name !== "string") throw new TypeError("a data source's name is a text");
        if (!isObject(source)) throw new TypeError("a data source is an object with numberOfItems and window or item");
        const entry = { source, followers: new SafeMap(), nextFollower: 1, pruneAt: 8 };
        sources.set(name, entry);
        return ObjectFreeze({
            name,
            reload(changes = "all") {
                if (changes !== "all" && !ArrayIsArray(changes)) throw new TypeError("changes are 'all' or a list");
                const end = entry.nextFollower;
                entry.followers.forEach((follow, id) => {
                    if (id < end && !follow(changes)) entry.followers.delete(id);
                });
            },
            remove() { if (sources.get(name) === entry) sources.delete(name); },
        });
    });

    internal.dataSource = (name) => sources.get(name)?.source;
    internal.dataSourceNames = () => {
        const names = [];
        sources.forEach((entry, name) => { append(names, name); });
        return names;
    };
    // `follow(changes)` announces a change, `follow()` only asks; both say whether anybody is there.
    internal.followDataSource = (name, follow) => {
        const entry = sources.get(name);
        if (entry === undefined) return;
        // A source that nobody holds any more answers no; looked for when the list has doubled, so at no cost on average.
        if (entry.followers.size >= entry.pruneAt) {
            entry.followers.forEach((other, id) => { if (!other()) entry.followers.delete(id); });
            entry.pruneAt = entry.followers.size < 4 ? 8 : entry.followers.size * 2;
        }
        entry.followers.set(entry.nextFollower++, follow);
    };
})
