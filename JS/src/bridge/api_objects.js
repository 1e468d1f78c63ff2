// The API objects of the bridge that scripts see: the global of WebViewJavascriptBridge, the promise API beside it, and
// their installation.
import {
    callSynchronously, callWithCallback, callWithPromise, endCalls, failCalls, noteEndedCalls, notify,
} from "./calls.js";
import { enterDeadlines } from "./deadlines.js";
import { dialect } from "./dialect.js";
import { addDefaultHandler, dispatchReady, makeMethods, makeModules, receiveMethod } from "./dialect_objects.js";
import { describe } from "./discovery.js";
import { BridgeError } from "./errors.js";
import { takesFunctions } from "./extension_values.js";
import { abandonAll, endIncoming, noteEndedIncoming, registerHandler, removeHandler } from "./handlers.js";
import { makeModule } from "./modules.js";
import { nativeSide } from "./native_side.js";
import { define, read, textOf } from "./objects.js";
import { pipeline } from "./pipelining.js";
import {
    beginSetUp, endMessages, endSetUp, later, makeSynchronous, receiveText, resumeMessages,
} from "./receiving.js";
import { callReference, reference } from "./references.js";
import { fetchQueue } from "./sending.js";
import { counts, disableName, isDirect, noteUse, state } from "./state.js";
import { endStreams, failStreams, noteEndedStreams, openStream } from "./streams.js";
import { emit, off, on } from "./topics.js";
import { log } from "../engine/console.js";
import { isObject } from "../engine/objects.js";
import {
    ObjectDefineProperty, ObjectFreeze, ObjectHasOwn, ObjectKeys, ReflectDeleteProperty, String, global, queueJob,
} from "../engine/primordials.js";
import { reportError } from "../engine/uncaught.js";

const { encodeURIComponent } = global;

// Freezes an API object and its functions, so that no script can replace them.
function face(/** @type {any} */ members) {
    for (const key in members) if (ObjectHasOwn(members, key)) ObjectFreeze(members[key]);
    return ObjectFreeze(members);
}

// WebViewJavascriptBridge stores handlers under property names, for which 5 and "5" are the same, as are null and
// "null".
function nameOf(/** @type {string} */ name) {
    return name === null || typeof name === "number" || typeof name === "boolean" ? String(name) : name;
}

// Warns of a function as the second argument. The behavior is kept, since a peer may rely on it, but it is hardly
// ever intended: with a third argument, whatever it is, the second is data (P12).
function warnOfFunction(/** @type {string} */ name, /** @type {any} */ responseCallback) {
    const isLost = !takesFunctions();
    if (!isLost && typeof responseCallback === "function") return;
    const third = responseCallback === null ? "null" : typeof responseCallback;
    log("warn", "callHandler(\"" + textOf(name) + "\", function, " + third + ") "
        + (isLost ? "loses the function" : "sends the function as data") + ": with a third argument the second is data.");
}

const handlersFace = {
    registerHandler(/** @type {string} */ name, /** @type {(...values: any[]) => any} */ handler) {
        registerHandler(nameOf(name), handler, true);
    },
    callHandler(/** @type {string} */ handlerName, /** @type {unknown} */ data, /** @type {any} */ responseCallback) {
        const name = nameOf(handlerName);
        if (arguments.length === 2 && typeof data === "function") {
            callWithCallback(name, null, data);
            return;
        }
        if (typeof data === "function") warnOfFunction(name, responseCallback);
        callWithCallback(name, data, responseCallback);
    },
    disableJavscriptAlertBoxSafetyTimeout() {
        makeSynchronous();
    },
    _fetchQueue() {
        return dialect.signal.returnsByURL ? returnQueue() : fetchQueue();
    },
};

// The host uses these, since frozen API objects cannot be found by their names.
export const takeQueue = () => handlersFace._fetchQueue();
export const takeMessage = receiveText;

// Returns the queue in the URL of a frame, for native sides that cannot read a function's result.
function returnQueue() {
    const text = fetchQueue();
    if (text !== "[]") nativeSide.load(dialect.signal.schemes[0] + "://return/_fetchQueue/" + encodeURIComponent(text));
}

function addEntries(/** @type {any} */ members) {
    for (let index = 0; index < dialect.entries.length; index++) {
        define(members, dialect.entries[index], (/** @type {string} */ message) => { receiveText(message); }, true);
    }
    return members;
}

function makeFace() {
    switch (dialect.face) {
    case "modules": return addEntries(makeModules());
    case "methods":
        // The entry of this dialect is a global of its own.
        for (let index = 0; index < dialect.entries.length; index++) publish(dialect.entries[index], receiveMethod);
        return makeMethods();
    }
    addEntries(handlersFace);
    if (dialect.hasDefaultHandler) addDefaultHandler(handlersFace);
    return handlersFace;
}

/** @type {any} */
let legacy;

const promising = {
    registerHandler(/** @type {string} */ name, /** @type {(...values: any[]) => any} */ handler) {
        registerHandler(name, handler, false);
    },
    callHandler(/** @type {string} */ name, /** @type {unknown} */ data, /** @type {any} */ options) {
        return callWithPromise(name, data, options);
    },
    callHandlerSync(/** @type {string} */ name, /** @type {unknown} */ data) {
        return callSynchronously(name, data);
    },
    notify(/** @type {string} */ name, /** @type {unknown} */ data) {
        notify(name, data);
    },
    removeHandler(/** @type {string} */ name) {
        return removeHandler(nameOf(name));
    },
    openStream(/** @type {string} */ name, /** @type {unknown} */ data, /** @type {any} */ options) {
        return openStream(name, data, options);
    },
    on(/** @type {string} */ topic, /** @type {(...values: any[]) => any} */ listener) {
        on(topic, listener, false);
    },
    once(/** @type {string} */ topic, /** @type {(...values: any[]) => any} */ listener) {
        on(topic, listener, true);
    },
    off(/** @type {string} */ topic, /** @type {(...values: any[]) => any} */ listener) {
        off(topic, listener);
    },
    emit(/** @type {string} */ topic, /** @type {unknown} */ data) {
        return emit(topic, data);
    },
    describe(/** @type {any} */ options) {
        return describe(options);
    },
    pipeline(/** @type {string} */ name, /** @type {unknown} */ data, /** @type {any} */ options) {
        return pipeline(name, data, options);
    },
    module(/** @type {string} */ namespace) {
        return makeModule(namespace);
    },
    reference(/** @type {unknown} */ value) {
        return reference(value);
    },
    callReference(/** @type {unknown} */ value, /** @type {any[]} */ values, /** @type {any} */ options) {
        return callReference(value, values, options);
    },
};

// The part of `bridge` that a member belongs to, which is a built-in module; `core` has the members that are missing here.
/** @type {any} */
const parts = { __proto__: null };

// For the later parts, until the globals are published.
export function addToBridge(/** @type {string} */ part, /** @type {string} */ name, /** @type {any} */ member) {
    define(promising, name, member, true);
    parts[name] = part;
}

// Returns the exports of a built-in module; `undefined` if the host has no such part.
export function partOf(/** @type {string} */ part) {
    /** @type {any} */
    const exports = { __proto__: null };
    const names = ObjectKeys(promising);
    let count = 0;
    for (let index = 0; index < names.length; index++) {
        const name = names[index];
        if ((parts[name] ?? "core") !== part) continue;
        exports[name] = /** @type {any} */ (promising)[name];
        count += 1;
    }
    if (count === 0) return undefined;
    if (part === "core") exports.BridgeError = BridgeError;
    exports.default = promising;
    return exports;
}

// Returns the exports of the handlers of a group, by their names. A handler that replaces another is called from then on,
// since each export calls by name.
export function handlersOf(/** @type {string} */ group, /** @type {string[]} */ names) {
    const module = makeModule(group);
    /** @type {any} */
    const exports = { __proto__: null };
    for (let index = 0; index < names.length; index++) exports[names[index]] = module[names[index]];
    exports.default = module;
    return exports;
}

// ---------------------------------------------------------------- set-up

let isInstalled = false;

function publish(/** @type {string} */ name, /** @type {unknown} */ value) {
    try {
        ObjectDefineProperty(global, name, {
            __proto__: null, value, enumerable: true, writable: false, configurable: false,
        });
    } catch (error) {
        log("error", "The global \"" + name + "\" cannot be set: " + textOf(error));
    }
}

function setUpList() {
    return dialect.list === null ? undefined : read(global, dialect.list);
}

// The set-up list whose callbacks run, or that could not be removed, and the number of its callbacks that have begun.
let /** @type {any} */ keptList, begunCount = 0, isRunningList = false, interruptionCount = 0;
// The number of terminations after which the rest of a list still runs: its length may be anything.
const maximumInterruptions = 10;
// The number of callbacks that may be added while others run: one that pushes itself would run forever.
const maximumLateCallbacks = 10000;

// Runs the set-up callbacks. The list is removed first, each callback runs separately, and a value that is not a
// list is ignored (P5-P7). As in the original library's loop, callbacks that others push to the list run after the
// rest.
function runSetUp() {
    // A termination has interrupted it.
    if (isRunningList && ++interruptionCount <= maximumInterruptions) runCallbacks();
    const callbacks = setUpList();
    if (callbacks === undefined) return;
    noteUse();
    if (callbacks !== keptList) begunCount = 0;
    keptList = callbacks;
    isRunningList = true;
    interruptionCount = 0;
    if (!ReflectDeleteProperty(global, dialect.list)) {
        // Declared with `var`, so it cannot be deleted.
        try { global[dialect.list] = undefined; } catch { /* nor written */ }
    }
    runCallbacks();
}

function runCallbacks() {
    const callbacks = keptList;
    const length = () => isObject(callbacks) ? read(callbacks, "length") : 0;
    const count = length();
    for (let index = begunCount; index < length(); index++) {
        if (index >= count + maximumLateCallbacks) {
            log("warn", "Of the set-up callbacks that others push, " + maximumLateCallbacks + " are run; the rest is not.");
            break;
        }
        begunCount = index + 1;
        try {
            const callback = callbacks[index];
            callback(legacy);
        } catch (error) {
            reportError(error);
        }
    }
    isRunningList = false;
    if (setUpList() !== callbacks) keptList = undefined;
}

// Dispatches the ready event once. If scripts are loaded later, it is dispatched after the first of them or after
// the whole page: some do nothing but listen for it.
let isReadyFired = false;
function fireReady() {
    if (dialect.readyEvent === null || isReadyFired) return;
    isReadyFired = true;
    dispatchReady(legacy);
}

function finishSetUp() {
    if (host.awaitsUse !== true) fireReady();
    runSetUp();
    // Otherwise `init` does this.
    if (!dialect.waitsForInit) awaitUse();
    if (dialect.face === "methods") nativeSide.callMethod("_dsb.dsinit", "{\"data\":null}");
}

// Whether messages wait only for a script that uses the bridge.
let awaitsUse = false;

// If the host says so, messages wait until a script has used the bridge. Otherwise messages that arrive while
// unrelated scripts load would find no handlers.
function awaitUse() {
    awaitsUse = true;
    if (state.isUsed || host.awaitsUse !== true) endSetUp();
    // After the script has registered its other handlers.
    else state.whenUsed = () => { queueJob(endSetUp); };
}

// Sets `window.onerror`, unless the page has a handler of its own (P9).
function watchWindow() {
    const window = read(global, "window");
    if (!isObject(window) || read(window, "onerror")) return;
    try {
        window.onerror = (/** @type {string} */ message, /** @type {string} */ url, /** @type {any} */ line) => {
            const place = textOf(url) + ":" + textOf(line);
            log("log", dialect.global + ": ERROR:" + textOf(message) + "@" + place);
        };
    } catch { /* a window of its own kind */ }
}

export function installBridge() {
    if (isInstalled) {
        // Nothing is created again, but a list that was filled since is run (P2, P3).
        if (setUpList() !== undefined) later(runSetUp);
        if (dialect.readyEvent !== null && !isReadyFired && read(read(global, "document"), "readyState") === "complete") {
            later(fireReady);
        }
        return;
    }
    isInstalled = true;
    registerHandler(disableName, makeSynchronous, true);
    legacy = face(makeFace());
    publish(dialect.global, legacy);
    publish("bridge", face(promising));
    publish("BridgeError", BridgeError);
    watchWindow();
    // The original library signals immediately, with an empty queue (P4).
    if (!isDirect && state.post === undefined) host.signal();
    if (!isDirect || setUpList() !== undefined) {
        beginSetUp();
        later(finishSetUp);
    }
}

// Records that a turn was terminated, of an operation or of none. The host reports later what it has ended. This
// runs before any other code in the next turn.
export function noteEnded(/** @type {number} */ operation) {
    noteEndedCalls(operation);
    noteEndedStreams(operation);
    noteEndedIncoming(operation);
}

// Continues what a terminated turn has left undone.
export const resume = () => { resumeMessages(awaitsUse && state.isUsed); };

export function disconnect(/** @type {BridgeErrorRecord} */ record) {
    failCalls(record);
    failStreams(record);
    abandonAll(record);
}

// Sets the operation of the turn that begins.
export function enterOperation(/** @type {number} */ number) {
    state.operation = number;
    enterDeadlines(number);
}

// Ends the state of an operation: a turn of it was terminated, or, without a record, the operation has ended.
export function endOperation(/** @type {number} */ number, /** @type {BridgeErrorRecord} */ record) {
    endCalls(number, record);
    endStreams(number, record);
    endIncoming(number, record);
    if (record === undefined) endMessages(number);
}

export const countsNow = () => ({ ...counts });
