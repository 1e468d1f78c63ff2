// The calls of this side: their ids, deadlines, signals and outcomes.
import { makeCallTable, makeEndedSet } from "./call_table.js";
import { beginDeadline, endDeadline, endDeadlines, isDeadline, sweep, sweepDeadlines } from "./deadlines.js";
import { bareRecord, encodingError, errorOf, makeError, recordOf } from "./errors.js";
import { alwaysAccepted } from "./extension_values.js";
import { hooks } from "./hooks.js";
import { beginning, read, textOf } from "./objects.js";
import { control, controls, request } from "./sending.js";
import { accepts, counts, isDirect, state } from "./state.js";
import { sendSynchronous } from "./transport.js";
import { log } from "../engine/console.js";
import { environment } from "../engine/environment.js";
import { adoptError, enterOrigin, inheritedDeadline, noteOrigin } from "../engine/errors.js";
import { followableOf } from "../engine/events.js";
import { isObject } from "../engine/objects.js";
import {
    JSONStringify, MathFloor, ObjectHasOwn, Promise, PromiseWithResolvers, StringPrototypeIncludes,
} from "../engine/primordials.js";
import { reportError } from "../engine/uncaught.js";

const pending = makeCallTable(), endedCalls = makeEndedSet();
let lastCallNumber = 0;
// Whether any call was made through the legacy API.
let hasCallbacks = false;

// Returns the id of a call (P20 on a wire). In process no script sees an id, so a number is enough.
function newCallId() {
    lastCallNumber++;
    if (isDirect) return lastCallNumber;
    const id = "cb_" + lastCallNumber + "_" + MathFloor(environment.now());
    return host.epoch ? id + "_" + host.epoch : id;
}

// The line of a call in traces. It is cached, because a caller mostly calls the same name again.
let /** @type {any} */ lastCallName, /** @type {any} */ lastLabel, /** @type {any} */ lastNote;
function label(/** @type {string} */ name) {
    if (name === lastCallName) return lastLabel;
    let shown = name.length > 200 ? beginning(name, 200) + "..." : name;
    if (StringPrototypeIncludes(shown, "\n")) shown = JSONStringify(shown);
    lastCallName = name;
    lastLabel = "callHandler \"" + shown + "\"";
    lastNote = "after " + lastLabel;
    return lastLabel;
}

// `resolve` and `reject` receive the outcome of a call that supports errors, `callback` that of the legacy API.
function makeCall(
    /** @type {any} */ id, /** @type {string} */ name,
    /** @type {((...values: any[]) => any) | undefined} */ callback,
    /** @type {((...values: any[]) => any) | undefined} */ resolve,
    /** @type {((...values: any[]) => any) | undefined} */ reject, /** @type {any} */ origin,
) {
    return {
        id, name, callback, resolve, reject, deadlines: null, due: 0, timeout: 0, previous: null, next: null,
        signal: undefined, follower: undefined, origin, onStream: undefined, onProgress: undefined,
        isSent: false, isCancelled: false, operation: state.operation,
    };
}

// Removes a call, so that it is settled only once (P45), and returns it.
export function takeCall(/** @type {any} */ id) {
    const call = pending.take(id);
    if (call === undefined) return undefined;
    const list = call.deadlines;
    releaseCall(call);
    sweep(list);
    return call;
}

function releaseCall(/** @type {any} */ call) {
    endDeadline(call);
    if (call.signal !== undefined) call.signal.unfollow(call.follower);
}

function failCall(/** @type {any} */ call, /** @type {any} */ error) {
    if (call.reject !== undefined) call.reject(error);
    else {
        // A callback of the legacy API never receives an error, so it is reported to the host (W3).
        const summary = error.code + ": " + error.message;
        log("warn", "The call of \"" + call.name + "\" failed, its callback is not called. " + summary);
        reportError(error);
    }
}

// `outcome` is true for a result, false for an error, 2 for a stream, whose id then is the data.
export function handleResponse(
    /** @type {any} */ id, /** @type {any} */ outcome, /** @type {unknown} */ data, /** @type {any} */ handle,
) {
    const call = pending.take(id);
    if (call === undefined) {
        counts.unknownResponses++;
        // A stream without a reader would never be stopped.
        if (outcome === 2) control(controls.stop, data, 0, undefined);
        return;
    }
    const list = call.deadlines;
    releaseCall(call);
    settleCall(call, outcome, data, handle);
    sweep(list);
}

function settleCall(
    /** @type {any} */ call, /** @type {any} */ outcome, /** @type {unknown} */ data, /** @type {any} */ handle,
) {
    // Code that waits for the reply runs under the origin of the call.
    enterOrigin(call.origin);
    if (outcome === false) {
        const error = errorOf(data, 0, handle);
        // The stack shows where the call was made, even if no handler ran.
        failCall(call, adoptError(error, undefined, label(call.name), call.origin));
    } else if (outcome === 2) {
        if (call.onStream !== undefined) call.onStream(data);
        else {
            control(controls.stop, data, 0, undefined);
            failCall(call, makeError("unsupported", "\"" + call.name + "\" answers with a stream: open it by openStream."));
        }
    } else if (call.resolve !== undefined) {
        call.resolve(typeof data === "object" && data !== null ? withoutThen(data) : data);
    } else {
        const { callback } = call;
        try { callback(data); } catch (error) { reportError(error); }
    }
}

// Removes a function `then` from a result. A promise would treat the result as another promise and wait for it.
function withoutThen(/** @type {any} */ data) {
    if (ObjectHasOwn(data, "then") && typeof data.then === "function") {
        delete data.then;
        log("warn", "A result has a function \"then\", which a promise cannot give: it is left out.");
    }
    return data;
}

export function receiveProgress(/** @type {any} */ id, /** @type {unknown} */ data) {
    const call = pending.get(id);
    if (call === undefined || call.onProgress === undefined) return;
    enterOrigin(call.origin);
    const { onProgress } = call;
    try { onProgress(data); } catch (error) { reportError(error); }
}

// Notifies the other side that the call is cancelled. An error here has no effect on the caller.
export function cancelRemotely(/** @type {any} */ id, /** @type {unknown} */ thrown) {
    if (!state.peerIsExtended) return;
    try {
        control(controls.cancel, id, 0, bareRecord(recordOf(thrown, 0)));
    } catch { /* the call has ended in any case */ }
}

// Follows a signal. As in all functions that take a signal, the promise is rejected with its reason.
function listen(/** @type {any} */ call, /** @type {any} */ id, /** @type {any} */ signal) {
    const follower = signal.follow(() => {
        const cancelled = takeCall(id);
        if (cancelled === undefined) return;
        const reason = reasonOf(signal, cancelled.name);
        cancelled.isCancelled = true;
        if (cancelled.isSent) cancelRemotely(id, reason);
        cancelled.reject(reason);
    });
    if (call.isCancelled) signal.unfollow(follower);
    else {
        call.signal = signal;
        call.follower = follower;
    }
}

function reasonOf(/** @type {any} */ signal, /** @type {string} */ name) {
    const reason = signal.reason();
    return reason === undefined ? makeError("cancelled", "The call of \"" + name + "\" was cancelled.") : reason;
}

function timeoutOf(/** @type {any} */ options) {
    const timeout = isObject(options) ? options.timeout : undefined;
    if (timeout === undefined || timeout === null) return host.defaultTimeout;
    if (typeof timeout !== "number" || !(timeout >= 0)) {
        throw makeError(
            "invalidArgument",
            "A timeout is a number of milliseconds, 0 for none; this is " + textOf(timeout) + ".",
        );
    }
    return timeout;
}

// Adapts a signal of a script's own class.
function foreignSignal(/** @type {any} */ signal) {
    return {
        __proto__: null,
        isForeign: true,
        isAborted: () => signal.aborted,
        reason: () => read(signal, "reason"),
        follow: (/** @type {(...values: any[]) => any} */ run) => {
            signal.addEventListener("abort", run, { __proto__: null, once: true });
            return run;
        },
        unfollow: (/** @type {(...values: any[]) => any} */ run) => {
            try { signal.removeEventListener("abort", run); } catch { /* not an error of the bridge */ }
        },
    };
}

export function signalOf(/** @type {any} */ options) {
    const signal = isObject(options) ? options.signal : undefined;
    if (signal === undefined || signal === null) return undefined;
    const known = followableOf(signal);
    if (known !== undefined) return known;
    const isSignal = isObject(signal)
        && typeof signal.aborted === "boolean" && typeof signal.addEventListener === "function";
    if (!isSignal) {
        throw makeError("invalidArgument", "A signal is an AbortSignal; this is " + textOf(signal) + ".");
    }
    return foreignSignal(signal);
}

function progressOf(/** @type {any} */ options) {
    const onProgress = isObject(options) ? options.onProgress : undefined;
    if (onProgress === undefined || onProgress === null) return undefined;
    if (typeof onProgress !== "function") {
        throw makeError("invalidArgument", "onProgress is a function; this is " + textOf(onProgress) + ".");
    }
    return onProgress;
}

export function checkName(/** @type {string | undefined} */ name, owner = "handler") {
    if (typeof name !== "string") {
        throw makeError("invalidArgument", "A " + owner + "'s name must be a string; this is " + textOf(name) + ".");
    }
}

// A stack costs as much as half of a call. Beyond this number of pending calls none is recorded: they are usually
// made in one place.
const maximumStacks = 32;

export function noteCall(/** @type {string} */ name) {
    if (typeof name !== "string") return null;
    if (name !== lastCallName) label(name);
    return noteOrigin(lastNote, pending.size < maximumStacks);
}

function timeUntil(/** @type {any} */ deadline) {
    const left = deadline - environment.eventTime();
    if (left <= 0) throw makeError("deadlineExceeded", "The call on whose behalf this one is made is over its time.");
    return left;
}

// Begins a call. `prepare(call, id)` adds the parts that are special to a kind of call before it is sent, and
// returns the capabilities that the call announces.
export function begin(
    /** @type {string} */ name, /** @type {unknown} */ data, /** @type {any} */ options,
    /** @type {(...values: any[]) => any} */ resolve, /** @type {(...values: any[]) => any} */ reject,
    /** @type {any} */ origin, /** @type {(...values: any[]) => any} */ prepare,
) {
    checkName(name);
    let timeout = timeoutOf(options);
    // A call that is made for another one inherits its deadline.
    const inherited = inheritedDeadline();
    const left = inherited === Infinity ? Infinity : timeUntil(inherited);
    const isInherited = left !== Infinity && !(timeout > 0 && timeout < left);
    if (isInherited) timeout = left;
    const signal = signalOf(options);
    if (signal !== undefined && signal.isAborted()) throw reasonOf(signal, name);
    const hasDeadline = isDeadline(timeout);
    const id = newCallId();
    const call = makeCall(id, name, undefined, resolve, reject, origin);
    const accepted = accepts.errors | alwaysAccepted | prepare(call, id, options);
    // Reading the options may have aborted it.
    if (signal !== undefined && signal.isAborted()) throw reasonOf(signal, name);
    pending.add(call);
    try {
        if (signal !== undefined) {
            listen(call, id, signal);
            // A signal of another class may abort during registration.
            if (call.isCancelled) return;
        }
        if (hasDeadline) beginDeadline(call, timeout, isInherited ? inherited : undefined);
        // Encoding the data may run a script that cancels this call: then it has settled, and nothing is sent.
        request(name, data, id, hasDeadline ? timeout : 0, accepted, false, signal === undefined ? undefined : call);
        call.isSent = true;
    } catch (error) {
        takeCall(id);
        throw error;
    }
}

// Takes half the time of a constructor with its own function (measured); an older host of the tests lacks it.
const makePromise = PromiseWithResolvers ?? (() => {
    let resolve, reject;
    const promise = new Promise((fulfil, refuse) => {
        resolve = fulfil;
        reject = refuse;
    });
    return { promise, resolve, reject };
});

export function callWithPromise(/** @type {string} */ name, /** @type {unknown} */ data, /** @type {any} */ options) {
    // Outside the promise's constructor, which is not a caller.
    const origin = noteCall(name);
    const { promise, resolve, reject } = makePromise();
    try {
        begin(name, data, options, resolve, reject, origin, options === undefined ? acceptNothing : acceptProgress);
    } catch (error) {
        reject(error);
    }
    return promise;
}

function acceptNothing() {
    return 0;
}

function acceptProgress(/** @type {any} */ call, /** @type {any} */ id, /** @type {any} */ options) {
    call.onProgress = progressOf(options);
    return call.onProgress === undefined ? 0 : accepts.progress;
}

function expireCall(/** @type {any} */ id, /** @type {number} */ timeout) {
    const call = pending.get(id);
    if (call === undefined) return;
    takeCall(id);
    const message = "The call of \"" + call.name + "\" had no reply after " + timeout + " ms.";
    enterOrigin(call.origin);
    const error = makeError("deadlineExceeded", message);
    if (call.reject === undefined) {
        failCall(call, error);
        return;
    }
    cancelRemotely(id, error);
    adoptError(error, undefined, label(call.name), call.origin);
    call.reject(error);
}

export function callWithCallback(/** @type {string} */ name, /** @type {unknown} */ data, /** @type {any} */ callback) {
    if (name !== undefined) checkName(name);
    else if (isDirect) {
        // On a wire this is the message `{}` (P11), which every receiver drops (P60).
        log("warn", "callHandler was called without a name; nothing is sent.");
        return;
    }
    let id;
    if (typeof callback === "function") {
        id = newCallId();
        const call = makeCall(id, name, callback, undefined, undefined, noteCall(name));
        pending.add(call);
        hasCallbacks = true;
        // The deadline is known on this side only (W2): without it, a reply that never comes would retain the
        // callback forever.
        const timeout = host.defaultTimeout;
        if (isDeadline(timeout)) beginDeadline(call, timeout, undefined);
    } else if (callback) {
        log("warn", "The callback of the call of \"" + name + "\" is not a function; no reply is requested.");
    }
    try {
        request(name, data, id, 0, 0, true);
    } catch (error) {
        if (id !== undefined) takeCall(id);
        throw error;
    }
}

export function notify(/** @type {string} */ name, /** @type {unknown} */ data) {
    checkName(name);
    request(name, data, undefined, 0, 0);
}

// Calls a synchronous handler and returns its result in the same turn. The call overtakes messages that were sent
// before and still wait.
export function callSynchronously(/** @type {string} */ name, /** @type {unknown} */ data) {
    checkName(name);
    if (!isDirect) {
        throw makeError("unsupported", "\"" + name + "\" cannot be called synchronously: its answer comes as a message.");
    }
    let isDone = false, isResult = false, result;
    try {
        sendSynchronous(name, data, (ok, value) => {
            isDone = true;
            isResult = ok;
            result = value;
        });
    } catch (error) {
        throw encodingError(error, name);
    }
    if (isResult) return result;
    const error = errorOf(result, 0, host.takeSynchronousError());
    throw adoptError(error, undefined, label(name), noteCall(name));
}

// Ends the calls of an operation, one of whose turns was terminated. Without a record the operation has ended: its
// calls are released, and no code that waits for them runs.
export function endCalls(/** @type {number} */ operation, /** @type {BridgeErrorRecord} */ record) {
    endedCalls.take(pending, operation, record === undefined, (/** @type {any} */ call) => {
        if (pending.take(call.id) === undefined) return;
        endDeadline(call);
        if (call.signal !== undefined && !(record === undefined && call.signal.isForeign)) call.signal.unfollow(call.follower);
        if (record !== undefined && call.reject !== undefined) {
            call.reject(adoptError(errorOf(record, 0), undefined, label(call.name), call.origin));
        }
    });
    endDeadlines(operation, record === undefined);
}

// Ends all existing calls: the host has terminated the script, or is gone.
export function failCalls(/** @type {BridgeErrorRecord} */ record) {
    let dropped = 0;
    endedCalls.take(pending, undefined, false, (/** @type {any} */ call) => {
        if (pending.take(call.id) === undefined) return;
        releaseCall(call);
        if (call.reject === undefined) dropped++;
        else call.reject(adoptError(errorOf(record, 0), undefined, label(call.name), call.origin));
    });
    sweepDeadlines();
    if (dropped > 0) {
        log("warn", dropped + " calls with a callback get no reply. " + errorOf(record, 0).message);
    }
}

export const noteEndedCalls = (/** @type {number} */ operation) => { endedCalls.note(pending, operation); };
export const forEachCall = (/** @type {(...values: any[]) => any} */ body) => { pending.forEach((/** @type {any} */ call) => { body(call.id, call.name); }); };
export const pendingCount = () => pending.size;
// Returns whether a callback waits for the reply; callbacks run before any promise reaction.
export const isCallback = (/** @type {any} */ id) => {
    if (!hasCallbacks) return false;
    const call = pending.get(id);
    return call !== undefined && call.callback !== undefined;
};
hooks.expireCall = expireCall;
