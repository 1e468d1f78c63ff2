// The behavior of the data API, which its first use loads.
import { openDataSource } from "./host_sources.js";
import { difference, order } from "./keys.js";
import { bindMethod, dataSource, dataSourceNames, registerDataSource } from "./sources.js";
import { store } from "./stores.js";
import { loadedBundles } from "../engine/late_bundles.js";

loadedBundles.data_code = {
    __proto__: null, bindMethod, dataSource, dataSourceNames, difference, openDataSource, order, registerDataSource,
    store,
};
