// The behavior of structuredClone, which its first use loads.
import { loadedBundles } from "../engine/late_bundles.js";
import { makeCloning } from "./cloning.js";

loadedBundles.clone_code = makeCloning();
