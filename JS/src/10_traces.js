// Which calls are made for which: what `x.t` says comes with a request, goes with the calls that its handler makes, and is
// begun anew where the host traces calls.
(function (/** @type {BridgeInternal} */ internal) {
    "use strict";

    const { MathFloor, MathRandom, ObjectFreeze, String } = internal.primordials;
    const { bridge, currentTrace } = internal;
    const { isObject, own } = bridge;

    const maximumLength = 256;
    const traces = internal.tracesCalls === true;
    // What came with the request that is dispatched next.
    let arrived;

    function isText(value) {
        return typeof value === "string" && value !== "" && value.length <= maximumLength;
    }

    function makeTrace(id, parent) {
        return ObjectFreeze({ __proto__: null, id, parent });
    }

    // No secret: only other traces have to be other ones.
    function randomId() {
        const digits = "0123456789abcdef";
        let text = "";
        for (let index = 0; index < 32; index++) text += digits[MathFloor(MathRandom() * 16)];
        return text;
    }

    bridge.noteTrace = (id, parent) => {
        arrived = isText(id) ? makeTrace(id, isText(parent) ? parent : undefined) : undefined;
    };
    // Of a message, whatever stands there.
    bridge.noteTraceOf = (record) => {
        if (isObject(record)) bridge.noteTrace(own(record, "id"), own(record, "parent"));
    };
    bridge.takeTrace = () => {
        const trace = arrived;
        arrived = undefined;
        return trace;
    };
    bridge.restoreTrace = (trace) => { arrived = trace; };
    // What is done for a call belongs to its trace.
    bridge.enterTrace = (trace, callId) => {
        internal.enterTrace(callId === undefined ? trace : makeTrace(trace.id, String(callId)));
    };
    // The trace of a call that is made now, if it has one.
    bridge.traceOfNextCall = () => {
        const trace = currentTrace();
        return trace === undefined && traces ? makeTrace(randomId(), undefined) : trace;
    };
    bridge.traces = traces;
    internal.deliverTrace = bridge.noteTrace;
})
