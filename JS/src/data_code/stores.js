// Stores of the host, as scripts use them.
import { callable, made, refuseScripts } from "./checks.js";
import { makeCompute, takeFunctions } from "./keys.js";
import { dataHost } from "../data/native.js";
import { Query } from "./queries.js";
import { identityOf } from "./rows.js";
import { isObject, push } from "../engine/objects.js";
import { ObjectFreeze, makeSafeMap, TypeError } from "../engine/primordials.js";

class Store {
    #name;

    constructor(/** @type {any} */ key, /** @type {string} */ name) {
        refuseScripts(key);
        this.#name = name;
    }

    get name() { return this.#name; }
    get entities() { return dataHost.entities(this.#name); }
    createEntity(
        /** @type {string} */ name, /** @type {any} */ attributes,
    ) { dataHost.createEntity(this.#name, name, attributes); }
    importCSV(/** @type {any[]} */ path, options = {}) { return dataHost.importCSV(this.#name, path, options); }
    insert(
        /** @type {string} */ entity, /** @type {any[]} */ values,
    ) { return dataHost.insert(this.#name, entity, values); }
    update(
        /** @type {string} */ entity, /** @type {number} */ row, /** @type {any[]} */ values,
    ) { return dataHost.update(this.#name, entity, identityOf(row, this.#name, entity), values); }
    upsert(
        /** @type {string} */ entity, /** @type {string} */ key, /** @type {any[]} */ values,
    ) { return dataHost.upsert(this.#name, entity, key, values); }
    delete(
        /** @type {string} */ entity, /** @type {number} */ row,
    ) { return dataHost.delete(this.#name, entity, identityOf(row, this.#name, entity)); }

    fetch(/** @type {string | undefined} */ entity, /** @type {any} */ options = {}) {
        const view = isObject(options) ? options.window : undefined;
        const { options: plain, functions } = takeFunctions(options);
        if (functions === undefined) {
            return new Query(made, this.#name, entity, dataHost.fetch(this.#name, entity, plain), view);
        }
        const compute = makeCompute(functions, dataHost.attributesOf(this.#name, entity), this.#name, entity);
        const { filter, keys } = functions;
        /** @type {any} */
        const identities = [];
        for (let index = 0; index < keys.length; index++) push(identities, keys[index].identity);
        const handle = dataHost.fetch(this.#name, entity, plain, compute, identities, filter === undefined ? 0 : 1);
        return new Query(made, this.#name, entity, handle, view);
    }

    transaction(/** @type {(...values: any[]) => any} */ body) {
        callable(body, "a transaction's body");
        let result, thrown, hasThrown = false;
        try {
            dataHost.transaction(this.#name, () => {
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
            // The error that the script threw itself, not a copy that has crossed Swift.
            throw hasThrown ? thrown : error;
        }
        return result;
    }
}

ObjectFreeze(Store.prototype);

const stores = makeSafeMap();

export function store(/** @type {string} */ name) {
    if (typeof name !== "string") throw new TypeError("a store's name must be a string");
    let store = stores.get(name);
    if (store === undefined) {
        dataHost.entities(name);
        store = new Store(made, name);
        stores.set(name, store);
    }
    return store;
}
