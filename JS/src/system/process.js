// The module `bridge:process`.
import { openItems } from "./batches.js";
import { freezeWhole } from "../engine/freezing.js";
import { bytesOf } from "../bridge/bytes.js";
import { callSynchronously, callWithPromise } from "../bridge/calls.js";
import { makeError } from "../bridge/errors.js";
import { settle } from "../bridge/handlers.js";
import { textOf } from "../bridge/objects.js";
import { isObject } from "../engine/objects.js";
import {
    MathFloor, ObjectDefineProperty, ObjectFreeze, ObjectGetOwnPropertyDescriptor, ObjectHasOwn, Promise, PromiseReject, PromiseResolve,
    Proxy, SymbolAsyncIterator,
} from "../engine/primordials.js";

const streamPrefix = "_wvjb.process.";

function signalOf(/** @type {any} */ options) {
    return isObject(options) ? options.signal : undefined;
}

function checkStatus(/** @type {any} */ code) {
    if (typeof code === "number" && code >= 0 && code <= 255 && code === MathFloor(code)) return code;
    throw makeError("invalidArgument", "An exit status is an integer from 0 to 255; this is " + textOf(code) + ".");
}

// Returns an iterator over the bytes of standard input. Bytes are read when they are asked for, so that none are lost
// when a loop is left.
function readChunks(/** @type {any} */ signal) {
    let isOver = false;
    return freezeWhole({
        __proto__: null,
        next() {
            if (isOver) return PromiseResolve({ value: undefined, done: true });
            return new Promise((resolve, reject) => {
                const reading = callWithPromise(streamPrefix + "read", null, { __proto__: null, timeout: 0, signal });
                settle(reading, (/** @type {any} */ bytes) => {
                    isOver = isOver || bytes.byteLength === 0;
                    resolve(isOver ? { value: undefined, done: true } : { value: bytes, done: false });
                }, reject);
            });
        },
        return(/** @type {unknown} */ value) {
            isOver = true;
            return PromiseResolve({ value, done: true });
        },
        [SymbolAsyncIterator]() { return this; },
    });
}

const stdin = freezeWhole({
    __proto__: null,
    readLines(/** @type {any} */ options) { return openItems(streamPrefix + "readLines", null, signalOf(options)); },
    chunks(/** @type {any} */ options) { return readChunks(signalOf(options)); },
    [SymbolAsyncIterator]() { return readChunks(undefined); },
});

function makeOutput(/** @type {string} */ stream) {
    return freezeWhole({
        __proto__: null,
        write(/** @type {any} */ data, /** @type {any} */ options) {
            try {
                const bytes = isObject(data) ? bytesOf(data) : undefined;
                if (bytes === undefined && typeof data !== "string") {
                    throw makeError("invalidArgument", "A string or bytes can be written; this is " + textOf(data) + ".");
                }
                const request = bytes === undefined ? { stream, text: data } : { stream, bytes };
                return callWithPromise(streamPrefix + "write", request, { __proto__: null, timeout: 0, signal: signalOf(options) });
            } catch (error) {
                return PromiseReject(error);
            }
        },
    });
}

/** @type {any} */
let exitCode;

// Returns the variables that are allowed. Where the host is asked for others, reading one waits for its decision.
function environmentOf(/** @type {any} */ names, /** @type {any} */ values, /** @type {boolean} */ asks) {
    /** @type {any} */
    const env = { __proto__: null };
    for (let index = 0; index < names.length; index++) {
        // A name such as `__proto__` is a member as any other.
        ObjectDefineProperty(env, names[index], { __proto__: null, value: values[index], enumerable: true });
    }
    if (!asks) return ObjectFreeze(env);
    const isKnown = (/** @type {any} */ key) => typeof key === "symbol" || ObjectHasOwn(env, key);
    const read = (/** @type {any} */ key) => isKnown(key) ? env[key] : callSynchronously(streamPrefix + "variable", key);
    return new Proxy(env, ObjectFreeze({
        __proto__: null,
        get(/** @type {any} */ _, /** @type {any} */ key) { return read(key); },
        has(/** @type {any} */ _, /** @type {any} */ key) { return read(key) !== undefined; },
        getOwnPropertyDescriptor(/** @type {any} */ _, /** @type {any} */ key) {
            if (isKnown(key)) return ObjectGetOwnPropertyDescriptor(env, key);
            const value = read(key);
            // A proxy cannot say that a member which its target does not have is permanent.
            return value === undefined ? undefined : { __proto__: null, value, writable: false, enumerable: true, configurable: true };
        },
        set() { return false; },
        defineProperty() { return false; },
        deleteProperty() { return false; },
        setPrototypeOf() { return false; },
        preventExtensions() { return false; },
    }));
}

// Returns the exports, from what the host gives without a call.
export function makeProcess(/** @type {any} */ given) {
    const members = freezeWhole({
        __proto__: null,
        argv: ObjectFreeze(given.argv), env: environmentOf(given.names, given.values, given.asks), platform: given.platform,
        stdin, stdout: makeOutput("output"), stderr: makeOutput("errorOutput"),
        exit(/** @type {any} */ code) {
            const status = code === undefined ? exitCode ?? 0 : checkStatus(code);
            callSynchronously(streamPrefix + "exit", status);
            throw makeError("terminated", "The process has exited with status " + status + ".");
        },
    });
    /** @type {any} */
    const whole = { ...members };
    ObjectDefineProperty(whole, "exitCode", {
        __proto__: null, enumerable: true,
        get: () => exitCode,
        set: (/** @type {any} */ code) => {
            checkStatus(code);
            callSynchronously(streamPrefix + "setExitCode", code);
            exitCode = code;
        },
    });
    return ObjectFreeze({ ...members, default: freezeWhole(whole) });
}
