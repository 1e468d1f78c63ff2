// The behavior of pipelining, which its first use loads.
import {
    awaitResults, keep, keepFailure, keepReply, keptCount, pipeline, releaseKept, resultOf, settledValue, valueAt,
} from "./pipelining.js";
import { loadedBundles } from "../engine/late_bundles.js";

loadedBundles.pipelining_code = {
    __proto__: null, awaitResults, keep, keepFailure, keepReply, keptCount, pipeline, releaseKept, resultOf,
    settledValue, valueAt,
};
