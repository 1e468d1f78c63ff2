// Pipelining: a request may refer to the result of an earlier call that is still pending. The side that replies puts
// the result in its place before it dispatches the request, which saves a round trip. The behavior is in pipelining_code,
// which the first such call of either side loads.
import { hooks } from "./hooks.js";
import { useBundle } from "../engine/late_bundles.js";
import { referenceHooks } from "../engine/values.js";

/** @type {any} */
let pipelining;
const usePipelining = () => pipelining ??= useBundle("pipelining_code");

export const pipeline = (
    /** @type {string} */ name, /** @type {unknown} */ data, /** @type {any} */ options,
) => usePipelining().pipeline(name, data, options);
export const keep = (/** @type {any} */ id) => { usePipelining().keep(id); };
export const awaitResults = (
    /** @type {any} */ ids, /** @type {any} */ ownId, /** @type {(...values: any[]) => any} */ done,
) => { usePipelining().awaitResults(ids, ownId, done); };

// Without the bundle no result is retained, and no value is a result.
const resultOf = (/** @type {any} */ value) => pipelining === undefined ? undefined : pipelining.resultOf(value);
const settledValue = (/** @type {any} */ result) => usePipelining().settledValue(result);
export const keptCount = () => pipelining === undefined ? 0 : pipelining.keptCount();

hooks.keepFailure = (id, record) => { if (pipelining !== undefined) pipelining.keepFailure(id, record); };
hooks.keepReply = (id, data) => pipelining === undefined ? data : pipelining.keepReply(id, data);
hooks.releaseKept = (id) => pipelining !== undefined && pipelining.releaseKept(id);
hooks.resultOf = resultOf;
hooks.settledValue = settledValue;
hooks.valueAt = (value, path, from) => usePipelining().valueAt(value, path, from);
referenceHooks.resultOf = resultOf;
referenceHooks.settledValue = settledValue;
