// The data API of scripts. This folder has shells alone, whose behavior is in data_code, which the first use of any of them
// loads (engine/late_bundles.js).
import { addToBridge } from "../bridge/api_objects.js";
import { loadedBundles, useBundle } from "../engine/late_bundles.js";
import { publishToHost } from "../engine/publish.js";

export const useData = () => useBundle("data_code");

addToBridge("data", "order", function (
    /** @type {any} */ objects, /** @type {string} */ key, /** @type {any} */ options,
) { return useData().order(objects, key, options); });
addToBridge("data", "difference", function (
    /** @type {any} */ before, /** @type {any} */ after,
) { return useData().difference(before, after); });
addToBridge("data", "store", function store(name = "default") { return useData().store(name); });
addToBridge("data", "registerDataSource", function registerDataSource(
    /** @type {string} */ name, /** @type {any} */ source,
) { return useData().registerDataSource(name, source); });
addToBridge("data", "dataSource", function dataSource(/** @type {string} */ name) { return useData().openDataSource(name); });

// Without the bundle, scripts have registered no data source.
const isLoaded = () => loadedBundles.data_code !== undefined;
publishToHost({
    __proto__: null,
    dataSource: (name) => isLoaded() ? useData().dataSource(name) : undefined,
    bindMethod: (entry, name) => useData().bindMethod(entry, name),
    dataSourceNames: () => isLoaded() ? useData().dataSourceNames() : [],
});
