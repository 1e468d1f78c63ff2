// The behavior of collection views, which the first one loads.
import { collectionView } from "./view.js";
import { loadedBundles } from "../engine/late_bundles.js";

loadedBundles.views_code = { __proto__: null, collectionView };
