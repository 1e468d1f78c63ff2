// The API objects of other dialects, which a context of such a dialect loads.
import { makeMethods, makeModules, receiveMethod, sendMethod } from "./dialect_objects.js";
import { loadedBundles } from "../engine/late_bundles.js";

loadedBundles.dialect_code = { __proto__: null, makeMethods, makeModules, receiveMethod, sendMethod };
