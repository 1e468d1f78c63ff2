// Made from JS/src/views by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    addToBridge,
} = bundles.bridge;
const {
    useData,
} = bundles.data;
const {
    useBundle,
} = bundles.engine;
// views/index.js
addToBridge("views", "collectionView", function collectionView(options) {
    useData();
    return useBundle("views_code").collectionView(options);
});
})
