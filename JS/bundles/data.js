// Made from JS/src/data by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    addToBridge,
} = bundles.bridge;
const {
    loadedBundles, publishToHost, useBundle,
} = bundles.engine;
// data/index.js
const useData = () => useBundle("data_code");
addToBridge("data", "order", function (
    objects, key, options,
) { return useData().order(objects, key, options); });
addToBridge("data", "difference", function (
    before, after,
) { return useData().difference(before, after); });
addToBridge("data", "store", function store(name = "default") { return useData().store(name); });
addToBridge("data", "registerDataSource", function registerDataSource(
    name, source,
) { return useData().registerDataSource(name, source); });
addToBridge("data", "dataSource", function dataSource(name) { return useData().openDataSource(name); });
const isLoaded = () => loadedBundles.data_code !== undefined;
publishToHost({
    __proto__: null,
    dataSource: (name) => isLoaded() ? useData().dataSource(name) : undefined,
    bindMethod: (entry, name) => useData().bindMethod(entry, name),
    dataSourceNames: () => isLoaded() ? useData().dataSourceNames() : [],
});
// data/native.js
const dataHost = host.data;
// data/builtins.js
const NativeInt32Array = Int32Array, NativeFloat64Array = Float64Array, NativeBigInt64Array = BigInt64Array;
const NativeNumber = Number;
const substring = String.prototype.substring;
bundles.data = {
    __proto__: null,
    NativeBigInt64Array, NativeFloat64Array, NativeInt32Array, NativeNumber, dataHost, substring, useData,
};
})
