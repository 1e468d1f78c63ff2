// Made from JS/src/pipelining_code by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    accepts, append, begin, checkName, isDirect, keepsResult, makeError, makeList, noteCall, own, queueRelease,
    snapshot, state, takeFirst,
} = bundles.bridge;
const {
    ObjectDefineProperty, ObjectFreeze, ObjectSetPrototypeOf, Promise, PromisePrototypeThen, PromiseResolve,
    ReflectApply, TypeError, isObject, loadedBundles, log, makeSafeMap, queueJob,
} = bundles.engine;
// pipelining_code/pipelining.js
const maximumKept = 1024;
const maximumWaiting = 1024;
const maximumFanOut = 64;
const maximumPath = 64;
const kept = makeSafeMap();
let waitingCount = 0;
function keep(id) {
    if (kept.has(id)) return;
    if (kept.size >= maximumKept) {
        log("warn", "A result is not retained for pipelining: too many (limit " + maximumKept + ").");
        return;
    }
    kept.set(id, { isSettled: false, isReleased: false, value: undefined, record: undefined, waiting: makeList() });
}
function settleKept(id, ok, value) {
    const entry = kept.get(id);
    if (entry === undefined || entry.isSettled) return;
    entry.isSettled = true;
    if (ok) entry.value = value;
    else entry.record = value;
    if (entry.isReleased) kept.delete(id);
    if (entry.waiting.first !== null) queueJob(() => {
        while (entry.waiting.first !== null) takeFirst(entry.waiting)();
    });
}
function releaseKept(id) {
    const entry = kept.get(id);
    if (entry === undefined) return false;
    entry.isReleased = true;
    if (entry.isSettled) kept.delete(id);
    return true;
}
function awaitResults(
    ids, ownId, done,
) {
    const results = makeSafeMap();
    if (ids.length > maximumFanOut) {
        done(undefined, refused("limitExceeded", "The request refers to too many results: " + ids.length + " (limit " + maximumFanOut + ")."));
        return;
    }
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
    const step = (index) => {
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
    const end = (taken, record) => {
        if (isWaiting) waitingCount--;
        done(taken, record);
    };
    step(0);
}
function refused(code, msg) {
    return { __proto__: null, code, msg };
}
function valueAt(value, path, from) {
    if (path.length - from > maximumPath) throw makeError("limitExceeded", "A path into a result has " + maximumPath + " steps at most.");
    for (let index = from; index < path.length; index++) {
        const key = path[index];
        if (typeof key !== "string" && typeof key !== "number") throw makeError("decodeFailed", "A step of a path into a result must be a string or a number.");
        value = isObject(value) ? own(value, key) : undefined;
    }
    return value;
}
const takesResults = () => !isDirect && (state.peerAccepts & accepts.pipelining) !== 0;
class BridgeResult {
    #call;
    #path;
    constructor(key, call, path) {
        if (key !== kept) throw new TypeError("Illegal constructor: bridge.pipeline makes results");
        this.#call = call;
        this.#path = path;
    }
    static of(value) {
        if (!(#call in value)) return undefined;
        passOn(value.#call);
        return { call: value.#call, path: value.#path };
    }
    get(...steps) {
        const path = ObjectSetPrototypeOf([], null);
        let count = 0;
        for (let index = 0; index < this.#path.length; index++) path[count++] = this.#path[index];
        for (let index = 0; index < steps.length; index++) path[count++] = steps[index];
        return new BridgeResult(kept, this.#call, path);
    }
    call(...values) {
        const call = this.#call;
        if (takesResults() || call.isSettled) return pipeline("_wvjb.call", { __proto__: null, id: this, args: values }, undefined);
        return pipelined(this.then((target) => ReflectApply(target, undefined, values)));
    }
    then(
        onValue,
        onError,
    ) {
        const path = this.#path;
        const value = path.length === 0 ? this.#call.promise
            : PromisePrototypeThen(this.#call.promise, (result) => valueAt(result, path, 0));
        return PromisePrototypeThen(value, onValue, onError);
    }
    catch(onError) { return this.then(undefined, onError); }
    finally(onEnd) {
        const run = (next) => PromisePrototypeThen(PromiseResolve(typeof onEnd === "function" ? onEnd() : undefined), next);
        return this.then((value) => run(() => value), (error) => run(() => { throw error; }));
    }
}
ObjectFreeze(BridgeResult.prototype);
ObjectFreeze(BridgeResult);
function pipeline(name, data, options) {
    checkName(name);
    const origin = noteCall(name);
    const call = makePipelinedCall();
    const keeps = takesResults();
    const settled = () => {
        call.isSettled = true;
        if (keeps) queueRelease(call.id, 1);
    };
    call.promise = new Promise((resolve, reject) => {
        const onValue = (value) => {
            call.value = value;
            settled();
            resolve(value);
        };
        const onError = (error) => {
            call.error = error;
            settled();
            reject(error);
        };
        try {
            begin(name, data, options, onValue, onError, origin, (_, id) => {
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
function pipelined(promise) {
    const call = makePipelinedCall();
    call.promise = PromisePrototypeThen(promise, (value) => {
        call.value = value;
        call.isSettled = true;
        return value;
    }, (error) => {
        call.error = error;
        call.isSettled = true;
        throw error;
    });
    return makeResult(call);
}
function makePipelinedCall() {
    return { id: undefined, isSettled: false, isPassedOn: false, value: undefined, error: undefined, promise: undefined };
}
function makeResult(call) {
    ObjectDefineProperty(call.promise, "constructor", { __proto__: null, value: undefined });
    return new BridgeResult(kept, call, ObjectSetPrototypeOf([], null));
}
function passOn(call) {
    if (call.isPassedOn) return;
    call.isPassedOn = true;
    PromisePrototypeThen(call.promise, undefined, () => {});
}
function settledValue({ call, path }) {
    if (!call.isSettled) {
        throw makeError("unsupported", "it holds the result of a call that has not come yet, which the other side does not take: await it");
    }
    if (call.error !== undefined) throw call.error;
    return valueAt(call.value, path, 0);
}
const keepReply = (id, data) => {
    if (kept.size === 0 || !kept.has(id)) return data;
    const taken = snapshot(data);
    settleKept(id, true, taken);
    return taken;
};
const keepFailure = (
    id, record,
) => { if (kept.size > 0) settleKept(id, false, record); };
const resultOf = BridgeResult.of;
const keptCount = () => kept.size + waitingCount;
// pipelining_code/index.js
loadedBundles.pipelining_code = {
    __proto__: null, awaitResults, keep, keepFailure, keepReply, keptCount, pipeline, releaseKept, resultOf,
    settledValue, valueAt,
};
})
