// Traces of calls: `x.t` comes with a request and goes with the calls that its handler makes. A new trace begins if the
// host traces calls.
(function (/** @type {BridgeInternal} */ internal) {
    "use strict";

    const { MathFloor, MathRandom, ObjectFreeze, String } = internal.primordials;
    const { bridge, currentTrace } = internal;
    const { isObject, own } = bridge;

    const maximumLength = 256;
    const traces = internal.tracesCalls === true;
    // The trace of the request that is dispatched next.
    let arrived;

    function isText(value) {
        return typeof value === "string" && value !== "" && value.length <= maximumLength;
    }

    function makeTrace(id, parent) {
        return ObjectFreeze({ __proto__: null, id, parent });
    }

    // Returns an id, which need not be secret: it only has to differ from those of other traces.
    function randomId() {
        const digits = "0123456789abcdef";
        let text = "";
        for (let index = 0; index < 32; index++) text += digits[MathFloor(MathRandom() * 16)];
        return text;
    }

    bridge.noteTrace = (id, parent) => {
        arrived = isText(id) ? makeTrace(id, isText(parent) ? parent : undefined) : undefined;
    };
    // Records the trace of a message, whose record may be any value.
    bridge.noteTraceOf = (record) => {
        if (isObject(record)) bridge.noteTrace(own(record, "id"), own(record, "parent"));
    };
    bridge.takeTrace = () => {
        const trace = arrived;
        arrived = undefined;
        return trace;
    };
    bridge.restoreTrace = (trace) => { arrived = trace; };
    // Enters the trace of a call for the code that runs for it.
    bridge.enterTrace = (trace, callId) => {
        internal.enterTrace(callId === undefined ? trace : makeTrace(trace.id, String(callId)));
    };
    // Returns the trace of the next call, if it has one.
    bridge.traceOfNextCall = () => {
        const trace = currentTrace();
        return trace === undefined && traces ? makeTrace(randomId(), undefined) : trace;
    };
    bridge.traces = traces;
    internal.deliverTrace = bridge.noteTrace;
})
