// Traces of calls: `x.t` comes with a request and goes with the calls that its handler makes. A new trace begins if the
// host traces calls.
import { own } from "./objects.js";
import { environment } from "../engine/environment.js";
import { currentTrace, enterTrace } from "../engine/errors.js";
import { isObject } from "../engine/objects.js";
import { MathFloor, ObjectFreeze, String } from "../engine/primordials.js";

const maximumTraceLength = 256;
export const traces = host.tracesCalls === true;
// The trace of the request that is dispatched next.
/** @type {any} */
let arrived;

function isText(/** @type {unknown} */ value) {
    return typeof value === "string" && value !== "" && value.length <= maximumTraceLength;
}

function makeTrace(/** @type {any} */ id, /** @type {any} */ parent) {
    return ObjectFreeze({ __proto__: null, id, parent });
}

// Returns an id, which need not be secret: it only has to differ from those of other traces.
function randomId() {
    const digits = "0123456789abcdef";
    let text = "";
    for (let index = 0; index < 32; index++) text += digits[MathFloor(environment.random() * 16)];
    return text;
}

export const noteTrace = (/** @type {any} */ id, /** @type {any} */ parent) => {
    arrived = isText(id) ? makeTrace(id, isText(parent) ? parent : undefined) : undefined;
};
// Records the trace of a message, whose record may be any value.
export const noteTraceOf = (/** @type {BridgeErrorRecord} */ record) => {
    if (isObject(record)) noteTrace(own(record, "id"), own(record, "parent"));
};
export const takeTrace = () => {
    const trace = arrived;
    arrived = undefined;
    return trace;
};
export const restoreTrace = (/** @type {BridgeTrace | undefined} */ trace) => { arrived = trace; };
// Enters the trace of a call for the code that runs for it.
export const enterTraceOfRequest = (/** @type {any} */ trace, /** @type {any} */ callId) => {
    enterTrace(callId === undefined ? trace : makeTrace(trace.id, String(callId)));
};
// Returns the trace of the next call, if it has one.
export const traceOfNextCall = () => {
    const trace = currentTrace();
    return trace === undefined && traces ? makeTrace(randomId(), undefined) : trace;
};
