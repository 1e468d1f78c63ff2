// Pipelining: a request may refer to the result of an earlier call that is still pending. The side that replies puts
// the result in its place before it dispatches the request, which saves a round trip.
import { begin, checkName, noteCall } from "../bridge/calls.js";
import { makeError } from "../bridge/errors.js";
import { snapshot } from "../bridge/extension_values.js";
import { append, makeList, takeFirst } from "../bridge/list.js";
import { own } from "../bridge/objects.js";
import { queueRelease } from "../bridge/references.js";
import { accepts, isDirect, keepsResult, state } from "../bridge/state.js";
import { log } from "../engine/console.js";
import { isObject } from "../engine/objects.js";
import {
    ObjectDefineProperty, ObjectFreeze, ObjectSetPrototypeOf, Promise, PromisePrototypeThen, PromiseResolve,
    ReflectApply, makeSafeMap, TypeError, queueJob,
} from "../engine/primordials.js";

// The limits on retained results, on requests that wait for them, on results that one request may wait for, and on
// the steps of a path.
const maximumKept = 1024;
const maximumWaiting = 1024;
const maximumFanOut = 64;
const maximumPath = 64;

// ---------------------------------------------------------------- replying

// The outcomes of the other side's calls to which it may refer, by the calls' ids, until it releases them.
const kept = makeSafeMap();
let waitingCount = 0;

export function keep(/** @type {any} */ id) {
    if (kept.has(id)) return;
    if (kept.size >= maximumKept) {
        log("warn", "A result is not retained for pipelining: too many (limit " + maximumKept + ").");
        return;
    }
    kept.set(id, { isSettled: false, isReleased: false, value: undefined, record: undefined, waiting: makeList() });
}

function settleKept(/** @type {any} */ id, /** @type {boolean} */ ok, /** @type {unknown} */ value) {
    const entry = kept.get(id);
    if (entry === undefined || entry.isSettled) return;
    entry.isSettled = true;
    if (ok) entry.value = value;
    else entry.record = value;
    if (entry.isReleased) kept.delete(id);
    // After the reply, which must precede those of the requests that wait for it.
    if (entry.waiting.first !== null) queueJob(() => {
        while (entry.waiting.first !== null) takeFirst(entry.waiting)();
    });
}

// Releases a result: the caller has received it and sends the value itself from now on.
export function releaseKept(/** @type {any} */ id) {
    const entry = kept.get(id);
    if (entry === undefined) return false;
    entry.isReleased = true;
    if (entry.isSettled) kept.delete(id);
    return true;
}

// Calls `done` with the results by their ids, or with the record of the error. All of them are looked up now,
// because one that settles early may be released before the others settle.
export function awaitResults(
    /** @type {any} */ ids, /** @type {any} */ ownId, /** @type {(...values: any[]) => any} */ done,
) {
    const results = makeSafeMap();
    if (ids.length > maximumFanOut) {
        done(undefined, refused("limitExceeded", "The request refers to too many results: " + ids.length + " (limit " + maximumFanOut + ")."));
        return;
    }
    // A script's own array may change meanwhile.
    const found = ObjectSetPrototypeOf([], null);
    for (let index = 0; index < ids.length; index++) {
        const id = ids[index], entry = id === ownId ? undefined : kept.get(id);
        if (entry === undefined) {
            done(undefined, refused("invalidArgument", "The request refers to a call whose result is not retained here."));
            return;
        }
        found[index] = { __proto__: null, id, entry };
    }
    let isWaiting = false;
    const step = (/** @type {number} */ index) => {
        for (; index < found.length; index++) {
            const { id, entry } = found[index];
            if (!entry.isSettled) {
                if (!isWaiting && waitingCount >= maximumWaiting) {
                    return end(undefined, refused("overloaded", "Too many pipelined requests (limit " + maximumWaiting + ")."));
                }
                if (!isWaiting) waitingCount++;
                isWaiting = true;
                append(entry.waiting, () => { step(index); });
                return undefined;
            }
            if (entry.record !== undefined) return end(undefined, entry.record);
            results.set(id, entry.value);
        }
        return end(results, undefined);
    };
    const end = (/** @type {any} */ taken, /** @type {any} */ record) => {
        if (isWaiting) waitingCount--;
        done(taken, record);
    };
    step(0);
}

function refused(/** @type {string} */ code, /** @type {any} */ msg) {
    return { __proto__: null, code, msg };
}

// Returns the value of a marker. Only own properties are read, as the caller would see them in the result.
export function valueAt(/** @type {any} */ value, /** @type {any[]} */ path, /** @type {number} */ from) {
    if (path.length - from > maximumPath) throw makeError("limitExceeded", "A path into a result has " + maximumPath + " steps at most.");
    for (let index = from; index < path.length; index++) {
        const key = path[index];
        if (typeof key !== "string" && typeof key !== "number") throw makeError("decodeFailed", "A step of a path into a result must be a string or a number.");
        value = isObject(value) ? own(value, key) : undefined;
    }
    return value;
}

// ---------------------------------------------------------------- calling

const takesResults = () => !isDirect && (state.peerAccepts & accepts.pipelining) !== 0;

// A result that may be pending: awaited like a promise, or passed in a payload.
class BridgeResult {
    #call;
    #path;
    constructor(/** @type {string} */ key, /** @type {any} */ call, /** @type {any[]} */ path) {
        if (key !== kept) throw new TypeError("Illegal constructor: bridge.pipeline makes results");
        this.#call = call;
        this.#path = path;
    }
    // Returns the call and the path for the encoding of a payload; undefined for other values.
    static of(/** @type {any} */ value) {
        if (!(#call in value)) return undefined;
        passOn(value.#call);
        return { call: value.#call, path: value.#path };
    }
    get(/** @type {any[]} */ ...steps) {
        const path = ObjectSetPrototypeOf([], null);
        let count = 0;
        for (let index = 0; index < this.#path.length; index++) path[count++] = this.#path[index];
        for (let index = 0; index < steps.length; index++) path[count++] = steps[index];
        return new BridgeResult(kept, this.#call, path);
    }
    call(/** @type {any[]} */ ...values) {
        const call = this.#call;
        if (takesResults() || call.isSettled) return pipeline("_wvjb.call", { __proto__: null, id: this, args: values }, undefined);
        return pipelined(this.then((/** @type {any} */ target) => ReflectApply(target, undefined, values)));
    }
    then(
        /** @type {((...values: any[]) => any) | undefined} */ onValue,
        /** @type {(...values: any[]) => any} */ onError,
    ) {
        const path = this.#path;
        const value = path.length === 0 ? this.#call.promise
            : PromisePrototypeThen(this.#call.promise, (/** @type {any} */ result) => valueAt(result, path, 0));
        return PromisePrototypeThen(value, onValue, onError);
    }
    catch(/** @type {(...values: any[]) => any} */ onError) { return this.then(undefined, onError); }
    finally(/** @type {any} */ onEnd) {
        const run = (/** @type {any} */ next) => PromisePrototypeThen(PromiseResolve(typeof onEnd === "function" ? onEnd() : undefined), next);
        return this.then((/** @type {unknown} */ value) => run(() => value), (/** @type {unknown} */ error) => run(() => { throw error; }));
    }
}
ObjectFreeze(BridgeResult.prototype);
ObjectFreeze(BridgeResult);

export function pipeline(/** @type {string} */ name, /** @type {unknown} */ data, /** @type {any} */ options) {
    checkName(name);
    const origin = noteCall(name);
    /** @type {any} */
    const call = makePipelinedCall();
    const keeps = takesResults();
    const settled = () => {
        call.isSettled = true;
        if (keeps) queueRelease(call.id, 1);
    };
    call.promise = new Promise((resolve, reject) => {
        const onValue = (/** @type {unknown} */ value) => {
            call.value = value;
            settled();
            resolve(value);
        };
        const onError = (/** @type {unknown} */ error) => {
            call.error = error;
            settled();
            reject(error);
        };
        try {
            begin(name, data, options, onValue, onError, origin, (/** @type {any} */ _, /** @type {any} */ id) => {
                call.id = id;
                return keeps ? keepsResult : 0;
            });
        } catch (error) {
            call.isSettled = true;
            call.error = error;
            reject(error);
        }
    });
    return makeResult(call);
}

// Creates a result for a peer that cannot refer to pending results.
function pipelined(/** @type {any} */ promise) {
    /** @type {any} */
    const call = makePipelinedCall();
    call.promise = PromisePrototypeThen(promise, (/** @type {unknown} */ value) => {
        call.value = value;
        call.isSettled = true;
        return value;
    }, (/** @type {unknown} */ error) => {
        call.error = error;
        call.isSettled = true;
        throw error;
    });
    return makeResult(call);
}

function makePipelinedCall() {
    return { id: undefined, isSettled: false, isPassedOn: false, value: undefined, error: undefined, promise: undefined };
}

function makeResult(/** @type {any} */ call) {
    // Without a constructor it reads no species.
    ObjectDefineProperty(call.promise, "constructor", { __proto__: null, value: undefined });
    return new BridgeResult(kept, call, ObjectSetPrototypeOf([], null));
}

// Handles the rejection of a result that is passed on: the calls that use it fail with its error. A failed result
// that is neither awaited nor passed on is an unhandled rejection, as for any call.
function passOn(/** @type {any} */ call) {
    if (call.isPassedOn) return;
    call.isPassedOn = true;
    PromisePrototypeThen(call.promise, undefined, () => {});
}

// Returns the value of a settled result, for encodings without markers.
export function settledValue(/** @type {{ call: any, path: any[] }} */ { call, path }) {
    if (!call.isSettled) {
        throw makeError("unsupported", "it holds the result of a call that has not come yet, which the other side does not take: await it");
    }
    if (call.error !== undefined) throw call.error;
    return valueAt(call.value, path, 0);
}

// A reply is sent as it was retained, so that each of its getters runs once.
export const keepReply = (/** @type {any} */ id, /** @type {unknown} */ data) => {
    if (kept.size === 0 || !kept.has(id)) return data;
    const taken = snapshot(data);
    settleKept(id, true, taken);
    return taken;
};
export const keepFailure = (
    /** @type {any} */ id, /** @type {BridgeErrorRecord} */ record,
) => { if (kept.size > 0) settleKept(id, false, record); };
export const resultOf = BridgeResult.of;
export const keptCount = () => kept.size + waitingCount;
