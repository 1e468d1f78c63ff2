// Collection views of scripts: a shell, whose behavior is in views_code, which its first use loads together with the data
// API that it is made of (engine/late_bundles.js).
import { addToBridge } from "../bridge/api_objects.js";
import { useData } from "../data/index.js";
import { useBundle } from "../engine/late_bundles.js";

addToBridge("views", "collectionView", function collectionView(/** @type {any} */ options) {
    useData();
    return useBundle("views_code").collectionView(options);
});
