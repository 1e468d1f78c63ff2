// Made from JS/src/bridge by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    Array, ArrayBufferIsView, ArrayBufferPrototypeGetByteLength, ArrayBufferPrototypeGetDetached, ArrayIsArray,
    ArrayPrototypeSort, DataViewPrototypeGetBuffer, DataViewPrototypeGetByteLength, DataViewPrototypeGetByteOffset,
    Error, JSONParse, JSONStringify, MathFloor, MathMax, MathMin, ObjectDefineProperty, ObjectFreeze,
    ObjectGetPrototypeOf, ObjectHasOwn, ObjectKeys, ObjectPrototype, ObjectSetPrototypeOf, Promise, PromisePrototype,
    PromisePrototypeThen, PromiseReject, PromiseWithResolvers, Proxy, ReflectDeleteProperty, String,
    StringPrototypeCharCodeAt, StringPrototypeIncludes, StringPrototypeSlice, StringPrototypeStartsWith,
    StringPrototypeToLowerCase, SymbolAsyncIterator, TypeError, TypedArrayPrototypeGetBuffer,
    TypedArrayPrototypeGetByteLength, TypedArrayPrototypeGetByteOffset, TypedArrayPrototypeGetTag, Uint8Array,
    Uint8ArrayFromBase64, Uint8ArrayPrototypeToBase64, abortSignal, adopt, adoptError, callNative, clearTimer,
    currentTrace, describeInto, enterDeadline, enterOrigin, enterTrace, environment, exceptionOf, followableOf,
    global, hasOwner, inheritedDeadline, isObject, log, makeNameTable, makeSafeMap, makeSignal, native, noteOrigin,
    noteRegistration, originOf, publishToHost, push, queueJob, referenceHooks, replaceNoted, reportError, setTimer,
    thrownText, useBundle, withTrail,
} = bundles.engine;
// bridge/state.js
const isDirect = host.mode === "direct";
const reservedPrefix = "_wvjb.";
const disableName = "_disableJavascriptAlertBoxSafetyTimeout";
const accepts = { __proto__: null, errors: 1, streams: 2, progress: 4, binary: 8, references: 16, pipelining: 32 };
const keepsResult = 64;
const counts = {
    unknownResponses: 0, duplicateReplies: 0, droppedMessages: 0, lateCancellations: 0, unknownStreams: 0,
    unknownReferences: 0,
};
const state = {
    __proto__: null,
    operation: 0,
    isUsed: false,
    whenUsed: undefined,
    peerAccepts: host.peerAccepts === undefined ? 0 : host.peerAccepts,
    peerIsExtended: isDirect,
    peerListens: isDirect,
    post: undefined,
};
function noteUse() {
    state.isUsed = true;
    const { whenUsed } = state;
    if (whenUsed === undefined) return;
    state.whenUsed = undefined;
    queueJob(whenUsed);
}
// bridge/objects.js
function own(object, key) {
    return ObjectHasOwn(object, key) ? object[key] : undefined;
}
function read(object, key) {
    try { return object[key]; } catch { return undefined; }
}
function textOf(value) {
    try { return String(value); } catch { return "a value without a string form"; }
}
function beginning(text, length) {
    if (text.length <= length) return text;
    const unit = StringPrototypeCharCodeAt(text, length - 1);
    return StringPrototypeSlice(text, 0, unit >= 0xD800 && unit < 0xDC00 ? length - 1 : length);
}
function define(
    object, key, value,
    enumerable,
) {
    ObjectDefineProperty(object, key, {
        __proto__: null, value, enumerable, writable: true, configurable: true,
    });
}
// bridge/traces.js
const maximumTraceLength = 256;
const traces = host.tracesCalls === true;
let arrived;
function isText(value) {
    return typeof value === "string" && value !== "" && value.length <= maximumTraceLength;
}
function makeTrace(id, parent) {
    return ObjectFreeze({ __proto__: null, id, parent });
}
function randomId() {
    const digits = "0123456789abcdef";
    let text = "";
    for (let index = 0; index < 32; index++) text += digits[MathFloor(environment.random() * 16)];
    return text;
}
const noteTrace = (id, parent) => {
    arrived = isText(id) ? makeTrace(id, isText(parent) ? parent : undefined) : undefined;
};
const noteTraceOf = (record) => {
    if (isObject(record)) noteTrace(own(record, "id"), own(record, "parent"));
};
const takeTrace = () => {
    const trace = arrived;
    arrived = undefined;
    return trace;
};
const restoreTrace = (trace) => { arrived = trace; };
const enterTraceOfRequest = (trace, callId) => {
    enterTrace(callId === undefined ? trace : makeTrace(trace.id, String(callId)));
};
const traceOfNextCall = () => {
    const trace = currentTrace();
    return trace === undefined && traces ? makeTrace(randomId(), undefined) : trace;
};
// bridge/call_table.js
const ringLength = 256;
function makeCallTable() {
    const ring = ObjectSetPrototypeOf(new Array(ringLength).fill(undefined), null);
    const rest = makeSafeMap();
    let inRing = 0;
    const byOperation = makeSafeMap();
    function noteOperation(call) {
        const calls = byOperation.get(call.operation) ?? makeSafeMap();
        byOperation.set(call.operation, calls);
        calls.set(call.id, call);
    }
    function forgetOperation(call) {
        const calls = byOperation.get(call.operation);
        calls.delete(call.id);
        if (calls.size === 0) byOperation.delete(call.operation);
    }
    function add(call) {
        const { id } = call;
        if (call.operation !== 0) noteOperation(call);
        if (typeof id !== "number") {
            rest.set(id, call);
            return;
        }
        const place = id & (ringLength - 1);
        const other = ring[place];
        if (other === undefined) inRing++;
        else rest.set(other.id, other);
        ring[place] = call;
    }
    function get(id) {
        if (typeof id === "number") {
            const call = ring[id & (ringLength - 1)];
            if (call !== undefined && call.id === id) return call;
        }
        return rest.size === 0 ? undefined : rest.get(id);
    }
    function take(id) {
        if (typeof id === "number") {
            const place = id & (ringLength - 1);
            const call = ring[place];
            if (call !== undefined && call.id === id) {
                ring[place] = undefined;
                inRing--;
                if (call.operation !== 0) forgetOperation(call);
                return call;
            }
        }
        if (rest.size === 0) return undefined;
        const call = rest.get(id);
        if (call === undefined) return undefined;
        rest.delete(id);
        if (call.operation !== 0) forgetOperation(call);
        return call;
    }
    function forEach(body) {
        const calls = ObjectSetPrototypeOf([], null);
        let count = 0;
        rest.forEach((call) => { calls[count++] = call; });
        for (let index = 0; index < ringLength; index++) {
            if (ring[index] !== undefined) calls[count++] = ring[index];
        }
        if (inRing > 0) ArrayPrototypeSort(calls, (
            left, right,
        ) => left.id - right.id);
        for (let index = 0; index < count; index++) body(calls[index]);
    }
    function forEachOf(operation, body) {
        const calls = byOperation.get(operation);
        if (calls !== undefined) calls.forEach((call) => { body(call); });
    }
    return { add, get, take, forEachOf, forEach, get size() { return inRing + rest.size; } };
}
function makeEndedSet() {
    const ended = makeSafeMap(), notes = makeSafeMap();
    function note(table, operation) {
        notes.set(operation, (notes.get(operation) ?? 0) + 1);
        if (operation > 0 && table.forEachOf !== undefined) {
            table.forEachOf(operation, (item) => { ended.set(item, operation); });
            return;
        }
        table.forEach((item) => {
            if (operation === undefined || item.operation === operation) ended.set(item, operation);
        });
    }
    function take(
        table, operation, isOver,
        body,
    ) {
        if (isOver || !notes.has(operation)) note(table, operation);
        const count = notes.get(operation) - 1;
        if (isOver || count === 0) notes.delete(operation);
        else notes.set(operation, count);
        const items = ObjectSetPrototypeOf([], null);
        let length = 0;
        ended.forEach((
            noted, item,
        ) => { if (noted === operation) items[length++] = item; });
        for (let index = 0; index < length; index++) ended.delete(items[index]);
        for (let index = 0; index < length; index++) body(items[index]);
    }
    return { note, take };
}
// bridge/hooks.js
const hooks = ({
    __proto__: null,
    abandonIterable: undefined,
    expireCall: undefined,
    exportReference: undefined,
    exportedValue: undefined,
    heldValue: undefined,
    importReference: undefined,
    isReferred: undefined,
    keepFailure: undefined,
    keepReply: undefined,
    produce: undefined,
    releaseKept: undefined,
    resultOf: undefined,
    settledValue: undefined,
    takeBack: undefined,
    takePlainEvent: undefined,
    valueAt: undefined,
});
// bridge/deadlines.js
const longestTimeout = 2147483647;
function isDeadline(timeout) {
    return timeout > 0 && timeout <= longestTimeout;
}
function makeDeadlines() {
    return { __proto__: null, byTimeout: makeSafeMap(), byMoment: makeSafeMap() };
}
const commonDeadlines = makeDeadlines();
let deadlines = commonDeadlines;
const deadlinesOfOperations = makeSafeMap();
let lastList;
function enterDeadlines(operation) {
    lastList = undefined;
    if (operation === 0) deadlines = commonDeadlines;
    else {
        deadlines = deadlinesOfOperations.get(operation) ?? makeDeadlines();
        deadlinesOfOperations.set(operation, deadlines);
    }
}
function beginDeadline(call, timeout, moment) {
    if (setTimer === undefined) return;
    const lists = moment === undefined ? deadlines.byTimeout : deadlines.byMoment;
    const key = moment === undefined ? timeout : moment;
    let list = lastList !== undefined && lastList.key === key && lastList.lists === lists ? lastList : lists.get(key);
    if (list === undefined) {
        const made = { key, first: call, last: call, timer: undefined, isSwept: false, sweep: undefined, lists };
        made.sweep = () => { stopSweep(made); };
        list = made;
        startTimer(list, timeout);
        lists.set(key, list);
    } else {
        call.previous = list.last;
        if (list.first === null) list.first = call;
        else list.last.next = call;
        list.last = call;
        if (list.timer === undefined) startTimer(list, timeout);
    }
    lastList = list;
    call.due = moment === undefined ? environment.eventTime() + timeout : moment;
    call.timeout = timeout;
    call.deadlines = list;
}
function endDeadline(call) {
    const list = call.deadlines;
    if (list === null) return;
    call.deadlines = null;
    if (call.previous === null) list.first = call.next;
    else call.previous.next = call.next;
    if (call.next === null) list.last = call.previous;
    else call.next.previous = call.previous;
    call.previous = call.next = null;
}
function sweep(list) {
    if (list === null || list.first !== null || list.isSwept) return;
    list.isSwept = true;
    queueJob(list.sweep);
}
function stopSweep(list) {
    list.isSwept = false;
    if (list.first !== null) return;
    if (list.lists.get(list.key) === list) list.lists.delete(list.key);
    if (lastList === list) lastList = undefined;
    if (list.timer !== undefined) clearTimer(list.timer);
    list.timer = undefined;
}
function startTimer(list, milliseconds) {
    const id = setTimer(() => {
        if (list.timer === id) list.timer = undefined;
        expireFirst(list);
    }, milliseconds);
    list.timer = id;
}
function expireFirst(list) {
    const now = environment.eventTime();
    for (let call = list.first; call !== null && call.due - now < 0.001; call = list.first) {
        endDeadline(call);
        hooks.expireCall(call.id, call.timeout);
    }
    if (list.first === null) sweep(list);
    else if (list.timer === undefined) startTimer(list, list.first.due - now);
}
function sweepAgain(list) {
    list.isSwept = false;
    sweep(list);
}
function sweepAll({ byTimeout, byMoment }) {
    byTimeout.forEach(sweepAgain);
    byMoment.forEach(sweepAgain);
}
function sweepDeadlines() {
    sweepAll(deadlines);
}
function endDeadlines(operation, isOver) {
    const lists = deadlinesOfOperations.get(operation);
    if (lists === undefined) return;
    if (isOver) deadlinesOfOperations.delete(operation);
    else sweepAll(lists);
}
// bridge/errors.js
const { maximumCauses } = host;
const codes = makeSafeMap();
{
    const names = {
        handlerNotFound: 1, handlerFailed: 1, invalidArgument: 1, invalidMessage: 1, encodeFailed: 1,
        decodeFailed: 1, cancelled: 1, deadlineExceeded: 1, disconnected: 1, denied: 1, overloaded: 1,
        limitExceeded: 1, unsupported: 1, wouldDeadlock: 1, scriptFailed: 1, terminated: 1, internal: 1,
    };
    for (const name in names) if (ObjectHasOwn(names, name)) codes.set(name, true);
}
function warn(text) {
    if (host.warnHost === undefined) log("warn", "WebViewJavascriptBridge: WARNING: " + text);
    else host.warnHost(text);
}
class BridgeError extends Error {
    constructor(code, message, options) {
        super(message);
        define(this, "code", code === undefined ? "handlerFailed" : textOf(code), true);
        define(this, "data", isObject(options) ? options.data : undefined, true);
        if (isObject(options) && options.cause !== undefined) define(this, "cause", options.cause, false);
    }
}
define(BridgeError.prototype, "name", "BridgeError", false);
ObjectFreeze(BridgeError.prototype);
ObjectFreeze(BridgeError);
function makeError(code, message, cause) {
    return new BridgeError(code, message, { __proto__: null, cause });
}
function codeOf(thrown) {
    const exception = exceptionOf(thrown);
    if (exception === undefined) return read(thrown, "code");
    if (exception.name === "AbortError") return "cancelled";
    return exception.name === "TimeoutError" ? "deadlineExceeded" : undefined;
}
function recordOf(thrown, depth) {
    const record = { __proto__: null, code: "handlerFailed", msg: "" };
    if (!isObject(thrown)) {
        record.msg = thrownText(thrown);
        return record;
    }
    const code = codeOf(thrown);
    const hasCode = typeof code === "string" && (codes.has(code) || StringPrototypeIncludes(code, "."));
    if (hasCode) record.code = code;
    const message = read(thrown, "message");
    const name = read(thrown, "name");
    if (typeof message !== "string") record.msg = thrownText(thrown);
    else if (!hasCode && typeof name === "string" && name !== "Error") record.msg = name + ": " + message;
    else record.msg = message;
    const data = read(thrown, "data");
    if (data !== undefined && typeof data !== "function") record.data = data;
    record.stack = stackOf(thrown, depth);
    const cause = read(thrown, "cause");
    if (cause !== undefined) record.cause = depth < maximumCauses ? recordOf(cause, depth + 1) : causesCut;
    return record;
}
const causesCut = {
    __proto__: null, code: "limitExceeded",
    msg: "too many causes (limit " + maximumCauses + ")",
};
function stackOf(thrown, depth) {
    let stack = read(thrown, "stack");
    const made = originOf(thrown, stack);
    if (made !== undefined) stack = made.stack;
    if (depth === 0) stack = withTrail(stack);
    if (typeof stack !== "string" || stack === "") return undefined;
    return beginning(stack, 65536);
}
function bareRecord(record) {
    const bare = { __proto__: null, code: record.code, msg: record.msg };
    if (record.stack !== undefined) bare.stack = record.stack;
    if (record.cause !== undefined) bare.cause = bareRecord(record.cause);
    return bare;
}
function errorOf(record, depth, handle) {
    if (!isObject(record)) return makeError("handlerFailed", textOf(record));
    const code = own(record, "code");
    const message = own(record, "msg");
    const cause = own(record, "cause");
    const error = new BridgeError(
        typeof code === "string" && code !== "" ? code : "handlerFailed",
        typeof message === "string" ? message : "",
        {
            __proto__: null,
            data: own(record, "data"),
            cause: isObject(cause) && depth <= maximumCauses ? errorOf(cause, depth + 1) : undefined,
        },
    );
    const stack = own(record, "stack");
    if (typeof stack === "string" && stack !== "") define(error, "stack", stack, false);
    return handle === undefined ? error : adoptError(error, handle);
}
function encodingError(
    thrown, name, what = "payload for",
) {
    const code = isObject(thrown) ? read(thrown, "code") : undefined;
    const message = isObject(thrown) ? read(thrown, "message") : undefined;
    const reason = typeof message === "string" ? message : textOf(thrown);
    return makeError(
        typeof code === "string" && codes.has(code) ? code : "encodeFailed",
        "The " + what + " \"" + name + "\" cannot be sent: " + reason,
        thrown,
    );
}
// bridge/message_limits.js
function maximumDepth() {
    return host.maximumDepth === undefined ? 512 : host.maximumDepth;
}
function tooDeep() {
    return makeError("limitExceeded", "a payload may nest " + maximumDepth() + " levels deep, this one goes deeper");
}
const { charCodeAt } = (String.prototype);
if (!ObjectHasOwn(charCodeAt, "call")) {
    ObjectDefineProperty(charCodeAt, "call", { __proto__: null, value: Function.prototype.call });
}
function checkDepth(text, around) {
    const maximum = maximumDepth() + around, { length } = text;
    if (length <= 2 * maximum) return;
    for (let index = 0, depth = 0; index < length; index++) {
        const unit = charCodeAt.call(text, index);
        if (unit === 0x22) {
            for (let inside = 0; inside !== 0x22;) {
                inside = charCodeAt.call(text, ++index);
                if (inside === 0x5C) index++;
            }
        } else if (unit === 0x7B || unit === 0x5B) {
            if (++depth > maximum) throw tooDeep();
        } else if (unit === 0x7D || unit === 0x5D) depth--;
    }
}
function checkLength(text, name) {
    const maximum = host.maximumMessageLength;
    if (maximum === undefined || text.length <= maximum || name === "_wvjb.release") return;
    throw makeError("limitExceeded", "a message may have " + maximum + " units, this one has " + text.length);
}
// bridge/list.js
function makeList() {
    return { first: null, last: null };
}
function append(list, value) {
    const node = { value, next: null };
    if (list.last === null) list.first = node;
    else list.last.next = node;
    list.last = node;
}
function takeFirst(list) {
    const node = (list.first);
    list.first = node.next;
    if (node.next === null) list.last = null;
    return node.value;
}
// bridge/native_side.js
const nativeSide = ({
    __proto__: null, post: undefined, load: undefined, prompt: undefined, callMethod: undefined,
});
// bridge/dialect.js
function keys() {
    return {
        __proto__: null, handlerName: "handlerName", data: "data", callbackId: "callbackId", responseId: "responseId",
        responseData: "responseData", namespace: null, kind: null, nullIsNoIdentifier: false,
    };
}
const dialect = {
    __proto__: null, name: "WebViewJavascriptBridge 6", global: "WebViewJavascriptBridge", list: "WVJBCallbacks",
    entries: ["_handleMessageFromObjC", "_handleMessageFromNative"], objectEntries: [], face: "handlers",
    scriptKeys: keys(), nativeKeys: keys(), payloadIsText: false,
    signal: {
        __proto__: null, kind: "frame", schemes: ["https", "wvjbscheme"], queueHost: "__wvjb_queue_message__",
        loadHost: "__bridge_loaded__", returnsByURL: false,
    },
    hasDefaultHandler: false, waitsForInit: false, readyEvent: null,
};
if (isObject(host.dialect)) {
    for (const key in host.dialect) if (ObjectHasOwn(host.dialect, key)) dialect[key] = host.dialect[key];
}
function isPlain(spelled) {
    const plain = keys();
    for (const key in plain) if (spelled[key] !== plain[key]) return false;
    return true;
}
function joinName(namespace, method) {
    return typeof namespace === "string" && namespace !== "" && namespace !== "default" ? namespace + "." + method : method;
}
function payload(name, data) {
    if (!dialect.payloadIsText || typeof data !== "object" && typeof data !== "number" && typeof data !== "boolean"
        || data === null || StringPrototypeStartsWith(name, reservedPrefix)) return data;
    const text = JSONStringify(data);
    if (text !== undefined) checkDepth(text, 0);
    return text;
}
function writeName(written, spelled, name) {
    if (spelled.namespace === null) {
        if (name !== "" || !dialect.hasDefaultHandler) written[spelled.handlerName] = name;
        return;
    }
    let dot = name.length - 1;
    while (dot > 0 && name[dot] !== ".") dot--;
    written[spelled.namespace] = dot > 0 ? StringPrototypeSlice(name, 0, dot) : "default";
    written[spelled.handlerName] = dot > 0 ? StringPrototypeSlice(name, dot + 1) : name;
}
function writeSpelling(message) {
    const spelled = dialect.scriptKeys;
    const written = { __proto__: null };
    const name = message.handlerName === undefined ? "" : message.handlerName;
    if (spelled.kind !== null) {
        written[spelled.kind.key] = message.responseId === undefined ? spelled.kind.request : spelled.kind.response;
    }
    if (message.handlerName !== undefined) writeName(written, spelled, name);
    if (message.responseId === undefined) {
        written[spelled.data] = payload(name, message.data);
        const id = message.callbackId;
        written[spelled.callbackId] = id === undefined && spelled.nullIsNoIdentifier ? null : id;
    } else {
        written[spelled.responseId] = message.responseId;
        written[spelled.responseData] = payload(name, message.responseData);
    }
    if (message.x !== undefined) written.x = message.x;
    return written;
}
const earlyMessages = makeList();
let hasDefaultHandler = false;
function copyMember(
    to, key, from, name,
) {
    const value = own(from, name);
    if (value !== undefined) to[key] = value;
}
function readSpelling(message) {
    if (!isObject(message)) return message;
    const spelled = dialect.nativeKeys;
    const known = { __proto__: null };
    const isResponse = spelled.kind === null
        ? own(message, spelled.responseId) !== undefined
        : own(message, spelled.kind.key) === spelled.kind.response;
    if (isResponse) {
        copyMember(known, "responseId", message, spelled.responseId);
        copyMember(known, "responseData", message, spelled.responseData);
    } else {
        copyMember(known, "handlerName", message, spelled.handlerName);
        copyMember(known, "data", message, spelled.data);
        if (spelled.callbackId !== spelled.responseId) copyMember(known, "callbackId", message, spelled.callbackId);
        if (known.handlerName === undefined && dialect.hasDefaultHandler) known.handlerName = "";
        if (spelled.nullIsNoIdentifier && known.callbackId === null) known.callbackId = undefined;
        if (dialect.hasDefaultHandler && known.handlerName === "" && !hasDefaultHandler) {
            append(earlyMessages, message);
            return undefined;
        }
    }
    copyMember(known, "x", message, "x");
    return known;
}
const isOwnSpelling = !isPlain(dialect.scriptKeys) || !isPlain(dialect.nativeKeys) || dialect.payloadIsText
    || dialect.hasDefaultHandler;
const spellMessage = isOwnSpelling ? writeSpelling : undefined;
const readMessage = isOwnSpelling ? readSpelling : undefined;
if (dialect.signal.kind === "injectedObject" || dialect.signal.kind === "scriptMessageBody") {
    state.post = (message, isCopied) => {
        const text = JSONStringify(isOwnSpelling ? writeSpelling(message) : message);
        checkLength(text, message.handlerName);
        if (!isCopied) checkDepth(text, 1);
        nativeSide.post(text);
    };
}
const takeEarly = (receive) => {
    hasDefaultHandler = true;
    while (earlyMessages.first !== null) receive(takeFirst(earlyMessages));
};
// bridge/extension_values.js
let wire;
const useWire = () => wire ??= useBundle("wire_code");
const pack = (data, accepted, isLegacy) =>
    useWire().pack(data, accepted, isLegacy);
const describePayload = (x) => useWire().describePayload(x);
const unpack = (
    data, entries, list, results,
) => useWire().unpack(data, entries, list, results);
const importUnread = (list) => { useWire().importUnread(list); };
const snapshot = (value) => useWire().snapshot(value);
const canMark = !isDirect && !dialect.payloadIsText && dialect.face === "handlers";
const takesFunctions = () => {
    const needed = accepts.binary | accepts.references;
    return isDirect || canMark && (state.peerAccepts & needed) === needed;
};
const alwaysAccepted = canMark ? accepts.binary | accepts.references : 0;
// bridge/transport.js
const {
    sendRequest, sendResponse, sendStream, sendSynchronous, sendItem, sendControl, connect,
} = host.transport ?? (({ __proto__: null }));
// bridge/sending.js
const signalHost = isDirect ? host.signal : () => { callNative(host.signal); };
const queue = makeList();
const acceptedNames = { __proto__: null }, acceptedTexts = { __proto__: null };
function namesOf(bits) {
    if (acceptedNames[bits] !== undefined) return acceptedNames[bits];
    const names = [];
    const add = (name) => { push(names, name); };
    if (bits & accepts.errors) add("err");
    if (bits & accepts.streams) add("stream");
    if (bits & accepts.progress) add("progress");
    if (bits & accepts.binary) add("bin");
    if (bits & accepts.references) add("refs");
    if (bits & accepts.pipelining) add("pipe");
    return acceptedNames[bits] = ObjectSetPrototypeOf(names, null);
}
const makeAcceptedText = (bits) => acceptedTexts[bits] = ",\"x\":{\"acc\":" + JSONStringify(namesOf(bits));
const dataHolder = { __proto__: null, data: undefined };
const responseHolder = { __proto__: null, responseData: undefined };
let lastQuotedName, lastQuoted;
function quoted(name) {
    if (name !== lastQuotedName) {
        lastQuoted = JSONStringify(name);
        lastQuotedName = name;
    }
    return lastQuoted;
}
function member(holderText) {
    return holderText.length > 2 ? "," + StringPrototypeSlice(holderText, 1, holderText.length - 1) : "";
}
function copiedMember(start, payload) {
    const text = JSONStringify(payload);
    return text === undefined ? "" : start + text;
}
function dataMember(payload, isCopied) {
    if (isCopied && typeof payload !== "bigint") return copiedMember(",\"data\":", payload);
    dataHolder.data = payload;
    const text = JSONStringify(dataHolder);
    dataHolder.data = undefined;
    return member(text);
}
function responseMember(payload, isCopied) {
    if (isCopied && typeof payload !== "bigint") return copiedMember(",\"responseData\":", payload);
    responseHolder.responseData = payload;
    const text = JSONStringify(responseHolder);
    responseHolder.responseData = undefined;
    return member(text);
}
function enqueueRequest(
    name, data, isCopied, id,
    ttl, accepted, call,
) {
    const dataText = dataMember(data, isCopied);
    if (!isCopied) checkDepth(dataText, 0);
    if (call !== undefined && call.isCancelled) return;
    let text = (name === undefined ? "{" : "{\"handlerName\":" + quoted(name)) + dataText;
    if (name === undefined && text.length > 1) text = "{" + StringPrototypeSlice(text, 2);
    if (id !== undefined) text += (text === "{" ? "\"callbackId\":\"" : ",\"callbackId\":\"") + id + "\"";
    if (accepted !== 0) text += (acceptedTexts[accepted] ?? makeAcceptedText(accepted)) + (ttl > 0 ? ",\"ttl\":" + ttl + "}" : "}");
    send(text + "}", name);
}
function enqueueResponse(
    id, name, data, isCopied,
) {
    const dataText = responseMember(data, isCopied);
    if (!isCopied) checkDepth(dataText, 0);
    send("{\"handlerName\":" + quoted(name) + ",\"responseId\":" + JSONStringify(id) + dataText + "}", name);
}
function send(text, name) {
    checkLength(text, name);
    if (!state.isUsed) noteUse();
    append(queue, text);
    signalHost();
}
function enqueue(message, isCopied, call) {
    if (state.post !== undefined) {
        if (call !== undefined && call.isCancelled) return false;
        if (!state.isUsed) noteUse();
        state.post(message, isCopied);
        return true;
    }
    const text = JSONStringify(spellMessage === undefined ? message : spellMessage(message));
    if (!isCopied) checkDepth(text, 1);
    if (call !== undefined && call.isCancelled) return false;
    send(text, message.handlerName);
    return true;
}
function postTrace() {
    const { id, parent } = (traceOfNextCall());
    host.postTrace(id, parent);
}
function request(
    name, data, id, ttl,
    accepted, isLegacy, call,
) {
    let references;
    try {
        if (isDirect) {
            if (traces) postTrace();
            sendRequest(name, data, id, ttl, accepted, call);
            return;
        }
        const trace = isLegacy ? undefined : traceOfNextCall();
        const payload = pack(data, state.peerAccepts, isLegacy);
        const isCopied = !isLegacy || payload !== data;
        const keeps = (accepted & keepsResult) !== 0;
        if (keeps) accepted -= keepsResult;
        const ownExtension = trace === undefined && !keeps ? undefined : { __proto__: null, t: trace, keep: keeps ? true : undefined };
        const said = describePayload(ownExtension);
        if (said === undefined && state.post === undefined && spellMessage === undefined) {
            enqueueRequest(name, payload, isCopied, id, ttl, accepted, call);
            return;
        }
        references = said === undefined ? undefined : said.refs;
        const message = { __proto__: null, handlerName: name, data: payload, callbackId: id };
        if (accepted !== 0) {
            const x = { __proto__: null, acc: namesOf(accepted), ttl: ttl > 0 ? ttl : undefined };
            message.x = x;
            if (said !== undefined) {
                const { t, keep, b, refs, p } = said;
                message.x = { __proto__: null, acc: x.acc, ttl: x.ttl, t, keep, b, refs, p };
            }
        } else if (said !== undefined) message.x = said;
        if (enqueue(message, isCopied, call)) return;
        if (references !== undefined) hooks.takeBack(references);
    } catch (error) {
        if (references !== undefined) hooks.takeBack(references);
        throw encodingError(error, name);
    }
}
function respond(
    id, name, ok, data,
    handle, accepted, isLegacy,
) {
    try {
        if (isDirect) sendResponse(id, name, ok, data, handle, accepted);
        else if (ok) {
            const kept = hooks.keepReply(id, data);
            const responseData = pack(kept, accepted, isLegacy);
            const isCopied = !isLegacy || responseData !== kept;
            const x = describePayload(undefined);
            if (x === undefined && state.post === undefined && spellMessage === undefined) {
                enqueueResponse(id, name, responseData, isCopied);
                return;
            }
            enqueue({ __proto__: null, handlerName: name, responseId: id, responseData, x }, isCopied);
        }
        else {
            hooks.keepFailure(id, data);
            enqueue({ __proto__: null, handlerName: name, responseId: id, x: { __proto__: null, err: data } }, true);
        }
    } catch (error) {
        throw encodingError(error, name, "reply of");
    }
}
function respondWithStream(id, name, stream) {
    if (isDirect) sendStream(id, stream);
    else {
        hooks.keepFailure(id, { __proto__: null, code: "unsupported", msg: "The result of the call is a stream." });
        const x = { __proto__: null, st: { __proto__: null, sid: stream } };
        enqueue({ __proto__: null, handlerName: name, responseId: id, x }, true);
    }
}
const controls = {
    __proto__: null, cancel: 1, progress: 2, next: 3, end: 4, more: 5, stop: 6, subscribe: 7, unsubscribe: 8, event: 9,
    hello: 10, release: 11,
};
function sendExtension(name, data, value) {
    if (value !== undefined) data.v = pack(value, state.peerAccepts, false);
    enqueue({ __proto__: null, handlerName: "_wvjb." + name, data, x: describePayload({ __proto__: null }) }, true);
}
function control(
    kind, id, number, data,
) {
    try {
        if (isDirect) {
            sendControl(kind, id, number, data);
            return;
        }
        switch (kind) {
        case controls.cancel: return sendExtension("cancel", { __proto__: null, id, reason: data });
        case controls.progress: return sendExtension("progress", { __proto__: null, id }, data);
        case controls.next: return sendExtension("next", { __proto__: null, sid: id, n: number }, data);
        case controls.end: return sendExtension("end", { __proto__: null, sid: id, n: number, err: data });
        case controls.more: return sendExtension("more", { __proto__: null, sid: id, k: number });
        case controls.stop: return sendExtension("cancel", { __proto__: null, sid: id, reason: data });
        case controls.subscribe: return sendExtension("sub", { __proto__: null, topic: id });
        case controls.unsubscribe: return sendExtension("unsub", { __proto__: null, topic: id });
        case controls.event: return sendExtension("next", { __proto__: null, topic: id, n: number }, data);
        case controls.hello: return sendExtension("hello", { __proto__: null, v: 1, features: namesOf(63) });
        case controls.release: return sendExtension("release", data);
        }
    } catch (error) {
        throw encodingError(error, kind === controls.event ? id : kind === controls.progress ? "progress" : "a stream");
    }
}
function fetchQueue() {
    let text = "[";
    for (let node = queue.first; node !== null; node = node.next) {
        if (text.length > 1) text += ",";
        text += node.value;
    }
    queue.first = queue.last = null;
    return text + "]";
}
function queueLength() {
    let count = 0;
    for (let node = queue.first; node !== null; node = node.next) count++;
    return count;
}
// bridge/calls.js
const pending = makeCallTable(), endedCalls = makeEndedSet();
let lastCallNumber = 0;
let hasCallbacks = false;
function newCallId() {
    lastCallNumber++;
    if (isDirect) return lastCallNumber;
    const id = "cb_" + lastCallNumber + "_" + MathFloor(environment.now());
    return host.epoch ? id + "_" + host.epoch : id;
}
let lastCallName, lastLabel, lastNote;
function label(name) {
    if (name === lastCallName) return lastLabel;
    let shown = name.length > 200 ? beginning(name, 200) + "..." : name;
    if (StringPrototypeIncludes(shown, "\n")) shown = JSONStringify(shown);
    lastCallName = name;
    lastLabel = "callHandler \"" + shown + "\"";
    lastNote = "after " + lastLabel;
    return lastLabel;
}
function makeCall(
    id, name,
    callback,
    resolve,
    reject, origin,
) {
    return {
        id, name, callback, resolve, reject, deadlines: null, due: 0, timeout: 0, previous: null, next: null,
        signal: undefined, follower: undefined, origin, onStream: undefined, onProgress: undefined,
        isSent: false, isCancelled: false, operation: state.operation,
    };
}
function takeCall(id) {
    const call = pending.take(id);
    if (call === undefined) return undefined;
    const list = call.deadlines;
    releaseCall(call);
    sweep(list);
    return call;
}
function releaseCall(call) {
    endDeadline(call);
    if (call.signal !== undefined) call.signal.unfollow(call.follower);
}
function failCall(call, error) {
    if (call.reject !== undefined) call.reject(error);
    else {
        const summary = error.code + ": " + error.message;
        log("warn", "The call of \"" + call.name + "\" failed, its callback is not called. " + summary);
        reportError(error);
    }
}
function handleResponse(
    id, outcome, data, handle,
) {
    const call = pending.take(id);
    if (call === undefined) {
        counts.unknownResponses++;
        if (outcome === 2) control(controls.stop, data, 0, undefined);
        return;
    }
    const list = call.deadlines;
    releaseCall(call);
    settleCall(call, outcome, data, handle);
    sweep(list);
}
function settleCall(
    call, outcome, data, handle,
) {
    enterOrigin(call.origin);
    if (outcome === false) {
        const error = errorOf(data, 0, handle);
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
function withoutThen(data) {
    if (ObjectHasOwn(data, "then") && typeof data.then === "function") {
        delete data.then;
        log("warn", "A result has a function \"then\", which a promise cannot give: it is left out.");
    }
    return data;
}
function receiveProgress(id, data) {
    const call = pending.get(id);
    if (call === undefined || call.onProgress === undefined) return;
    enterOrigin(call.origin);
    const { onProgress } = call;
    try { onProgress(data); } catch (error) { reportError(error); }
}
function cancelRemotely(id, thrown) {
    if (!state.peerIsExtended) return;
    try {
        control(controls.cancel, id, 0, bareRecord(recordOf(thrown, 0)));
    } catch { }
}
function listen(call, id, signal) {
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
function reasonOf(signal, name) {
    const reason = signal.reason();
    return reason === undefined ? makeError("cancelled", "The call of \"" + name + "\" was cancelled.") : reason;
}
function timeoutOf(options) {
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
function foreignSignal(signal) {
    return {
        __proto__: null,
        isForeign: true,
        isAborted: () => signal.aborted,
        reason: () => read(signal, "reason"),
        follow: (run) => {
            signal.addEventListener("abort", run, { __proto__: null, once: true });
            return run;
        },
        unfollow: (run) => {
            try { signal.removeEventListener("abort", run); } catch { }
        },
    };
}
function signalOf(options) {
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
function progressOf(options) {
    const onProgress = isObject(options) ? options.onProgress : undefined;
    if (onProgress === undefined || onProgress === null) return undefined;
    if (typeof onProgress !== "function") {
        throw makeError("invalidArgument", "onProgress is a function; this is " + textOf(onProgress) + ".");
    }
    return onProgress;
}
function checkName(name, owner = "handler") {
    if (typeof name !== "string") {
        throw makeError("invalidArgument", "A " + owner + "'s name must be a string; this is " + textOf(name) + ".");
    }
}
const maximumStacks = 32;
function noteCall(name) {
    if (typeof name !== "string") return null;
    if (name !== lastCallName) label(name);
    return noteOrigin(lastNote, pending.size < maximumStacks);
}
function timeUntil(deadline) {
    const left = deadline - environment.eventTime();
    if (left <= 0) throw makeError("deadlineExceeded", "The call on whose behalf this one is made is over its time.");
    return left;
}
function begin(
    name, data, options,
    resolve, reject,
    origin, prepare,
) {
    checkName(name);
    let timeout = timeoutOf(options);
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
    if (signal !== undefined && signal.isAborted()) throw reasonOf(signal, name);
    pending.add(call);
    try {
        if (signal !== undefined) {
            listen(call, id, signal);
            if (call.isCancelled) return;
        }
        if (hasDeadline) beginDeadline(call, timeout, isInherited ? inherited : undefined);
        request(name, data, id, hasDeadline ? timeout : 0, accepted, false, signal === undefined ? undefined : call);
        call.isSent = true;
    } catch (error) {
        takeCall(id);
        throw error;
    }
}
const makePromise = PromiseWithResolvers ?? (() => {
    let resolve, reject;
    const promise = new Promise((fulfil, refuse) => {
        resolve = fulfil;
        reject = refuse;
    });
    return { promise, resolve, reject };
});
function callWithPromise(name, data, options) {
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
function acceptProgress(call, id, options) {
    call.onProgress = progressOf(options);
    return call.onProgress === undefined ? 0 : accepts.progress;
}
function expireCall(id, timeout) {
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
function callWithCallback(name, data, callback) {
    if (name !== undefined) checkName(name);
    else if (isDirect) {
        log("warn", "callHandler was called without a name; nothing is sent.");
        return;
    }
    let id;
    if (typeof callback === "function") {
        id = newCallId();
        const call = makeCall(id, name, callback, undefined, undefined, noteCall(name));
        pending.add(call);
        hasCallbacks = true;
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
function notify(name, data) {
    checkName(name);
    request(name, data, undefined, 0, 0);
}
function callSynchronously(name, data) {
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
function endCalls(operation, record) {
    endedCalls.take(pending, operation, record === undefined, (call) => {
        if (pending.take(call.id) === undefined) return;
        endDeadline(call);
        if (call.signal !== undefined && !(record === undefined && call.signal.isForeign)) call.signal.unfollow(call.follower);
        if (record !== undefined && call.reject !== undefined) {
            call.reject(adoptError(errorOf(record, 0), undefined, label(call.name), call.origin));
        }
    });
    endDeadlines(operation, record === undefined);
}
function failCalls(record) {
    let dropped = 0;
    endedCalls.take(pending, undefined, false, (call) => {
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
const noteEndedCalls = (operation) => { endedCalls.note(pending, operation); };
const forEachCall = (body) => { pending.forEach((call) => { body(call.id, call.name); }); };
const pendingCount = () => pending.size;
const isCallback = (id) => {
    if (!hasCallbacks) return false;
    const call = pending.get(id);
    return call !== undefined && call.callback !== undefined;
};
hooks.expireCall = expireCall;
// bridge/builtins.js
const AsyncIteratorPrototype = ObjectGetPrototypeOf(ObjectGetPrototypeOf((async function* () {}).prototype));
const GeneratorPrototype = ObjectGetPrototypeOf(ObjectGetPrototypeOf((function* () {})()));
const { asyncDispose: SymbolAsyncDispose, dispose: SymbolDispose } = (Symbol);
// bridge/handlers.js
const handlers = makeNameTable();
const incoming = makeSafeMap(), endedReplies = makeEndedSet();
function removeHandler(name) {
    const entry = handlers.get(name);
    if (entry === undefined || typeof name === "string" && isOwnName(name)) return false;
    handlers.delete(name);
    noteRegistration(nothing, () => { if (!handlers.has(name)) handlers.set(name, entry); });
    return true;
}
function registerHandler(
    name, handler,
    isLegacy, mark,
) {
    checkName(name);
    if (typeof handler !== "function") {
        const kind = handler === null ? "null" : typeof handler;
        throw new TypeError("The handler for \"" + name + "\" must be a function, not " + kind + ".");
    }
    if (StringPrototypeStartsWith(name, reservedPrefix)) {
        throw makeError(
            "invalidArgument",
            "\"" + name + "\" cannot be registered: names that begin with \"" + reservedPrefix + "\" are reserved.",
        );
    }
    if (!state.isUsed && !isOwnName(name)) noteUse();
    const length = isLegacy ? 2 : read(handler, "length");
    replaceNoted(handlers, name, { handler, isLegacy, takesCallback: length === 2, takesCall: length >= 3, mark }, nothing);
}
function isOwnName(name) {
    return name === disableName || StringPrototypeStartsWith(name, reservedPrefix);
}
const nothing = () => {};
function makeReply(
    name, id, accepted,
    isLegacy,
) {
    return {
        name, id, accepted, isLegacy, isDone: false, signal: undefined, reason: undefined, stream: undefined,
        operation: state.operation, until: null,
    };
}
class HandlerCall {
    #reply;
    #name;
    #until;
    #trace;
    constructor(
        key, name, reply, until,
        trace,
    ) {
        if (key !== handlers) throw new TypeError("Illegal constructor");
        this.#reply = reply;
        this.#name = name;
        this.#until = until;
        this.#trace = trace;
    }
    get name() { return this.#name; }
    get trace() { return this.#trace; }
    get signal() { return signalOfReply(this.#reply); }
    get timeRemaining() { return this.#until === Infinity ? Infinity : MathMax(0, this.#until - environment.eventTime()); }
    progress(value) {
        const reply = this.#reply;
        if (reply.isDone || (reply.accepted & accepts.progress) === 0) return false;
        control(controls.progress, reply.id, 0, value);
        return true;
    }
}
ObjectFreeze(HandlerCall.prototype);
ObjectFreeze(HandlerCall);
function signalOfReply(reply) {
    if (reply.signal === undefined) {
        reply.signal = makeSignal();
        if (reply.reason !== undefined) abortSignal(reply.signal, reply.reason);
    }
    return reply.signal;
}
function abort(reply, reason) {
    if (reply.reason !== undefined) return;
    reply.reason = reason;
    if (reply.signal !== undefined) abortSignal(reply.signal, reason);
    if (reply.stream !== undefined) reply.stream.stop();
}
const maximumEarly = 64;
let earlyCancels = makeSafeMap();
let earlier = makeSafeMap();
function cancellationOf(record) {
    const error = errorOf(isObject(record) ? record : { __proto__: null, code: "cancelled", msg: "" }, 0);
    return error.message === "" ? makeError("cancelled", "The caller gave up.") : error;
}
function receiveCancel(id, record) {
    const reply = incoming.get(id);
    if (reply !== undefined) {
        incoming.delete(id);
        abort(reply, cancellationOf(record));
        return;
    }
    counts.lateCancellations++;
    if (earlyCancels.size >= maximumEarly) {
        earlier = earlyCancels;
        earlyCancels = makeSafeMap();
    }
    earlyCancels.set(id, record);
}
function takeEarlyCancel(id) {
    if (earlyCancels.size + earlier.size === 0) return undefined;
    const record = earlyCancels.has(id) ? earlyCancels.get(id) : earlier.get(id);
    const isKnown = earlyCancels.has(id) || earlier.has(id);
    earlyCancels.delete(id);
    earlier.delete(id);
    return isKnown ? cancellationOf(record) : undefined;
}
function succeed(reply, value) {
    if (reply.isDone) {
        counts.duplicateReplies++;
        log("warn", "The handler \"" + reply.name + "\" replied twice to one call; the second reply is ignored.");
        return;
    }
    reply.isDone = true;
    try {
        respond(reply.id, reply.name, true, value, undefined, reply.accepted, reply.isLegacy);
    } catch (error) {
        reply.isDone = false;
        throw error;
    }
    if (incoming.size > 0) incoming.delete(reply.id);
    endTime(reply);
}
function endTime(reply) {
    if (reply.until !== null) reply.until.time = Infinity;
}
function failReply(reply, thrown) {
    if (reply === null || reply.isDone || (reply.accepted & accepts.errors) === 0) {
        reportError(thrown);
        return;
    }
    reply.isDone = true;
    incoming.delete(reply.id);
    endTime(reply);
    if (reply.name === host.watchedHandler) describeInto(thrown, native.noteFailure);
    const record = recordOf(thrown, 0);
    const made = originOf(thrown);
    const handle = made === undefined ? undefined : made.handle;
    try {
        respond(reply.id, reply.name, false, record, handle);
    } catch {
        try { respond(reply.id, reply.name, false, bareRecord(record), handle); } catch (error) { reportError(error); }
    }
}
function isGenerator(value) {
    const prototype = ObjectGetPrototypeOf(value);
    return prototype !== ObjectPrototype && prototype !== null && ObjectGetPrototypeOf(prototype) === GeneratorPrototype;
}
function answer(reply, value) {
    let isStream = false;
    try {
        if (isObject(value)) {
            const open = value[SymbolAsyncIterator];
            isStream = typeof open === "function" || open === undefined && isGenerator(value);
        }
    } catch (error) {
        failReply(reply, error);
        return;
    }
    if (isStream) {
        stream(reply, value);
        return;
    }
    try { succeed(reply, value); } catch (error) { failReply(reply, error); }
}
function stream(reply, iterable) {
    if (reply.isDone) return;
    if (reply.reason !== undefined) {
        hooks.abandonIterable(iterable);
        failReply(reply, reply.reason);
        return;
    }
    if ((reply.accepted & accepts.streams) === 0) {
        const hint = "\"" + reply.name + "\" answers with a stream, which its caller did not ask for: open it by openStream.";
        hooks.abandonIterable(iterable);
        failReply(reply, makeError("unsupported", hint));
        return;
    }
    reply.isDone = true;
    incoming.delete(reply.id);
    endTime(reply);
    const id = hooks.produce(iterable, reply);
    respondWithStream(reply.id, reply.name, id);
}
function noteIncoming(reply) {
    if (reply.accepted === 0 || reply.isDone || incoming.has(reply.id)) return;
    incoming.set(reply.id, reply);
    const reason = takeEarlyCancel(reply.id);
    if (reason === undefined) return;
    incoming.delete(reply.id);
    abort(reply, reason);
}
function handleRequest(
    name, data, id, ttl,
    accepted, text,
) {
    const trace = takeTrace();
    const entry = handlers.get(name);
    if (entry === undefined) {
        if (id === undefined && hooks.takePlainEvent(name, data)) return true;
        refuseUnknown(name, id, accepted, text);
        return false;
    }
    const reply = id === undefined ? null : makeReply(name, id, accepted, entry.isLegacy);
    if (reply !== null) {
        const reason = takeEarlyCancel(id);
        if (reason !== undefined) {
            failReply(reply, reason);
            return false;
        }
        if (entry.takesCallback || entry.takesCall) noteIncoming(reply);
    }
    const until = ttl > 0 ? environment.eventTime() + ttl : Infinity;
    if (ttl > 0) {
        const deadline = enterDeadline(until);
        if (reply !== null) reply.until = deadline;
    }
    if (trace !== undefined) enterTraceOfRequest(trace, id);
    const { handler } = entry;
    let result;
    try {
        if (entry.takesCallback) {
            result = reply === null ? handler(data, nothing) : handler(data, (value) => { succeed(reply, value); });
        } else if (entry.takesCall) {
            const known = reply === null ? makeReply(name, undefined, 0, false) : reply;
            result = handler(data, undefined, new HandlerCall(handlers, name, known, until, trace));
        } else {
            result = handler(data);
        }
    } catch (error) {
        failReply(reply, error);
        return true;
    }
    if (entry.isLegacy) return true;
    if (entry.takesCallback || reply === null) {
        settle(result, nothing, (error) => { failReply(reply, error); });
    } else if (isObject(result)) {
        noteIncoming(reply);
        settle(result, (value) => { answer(reply, value); }, (error) => { failReply(reply, error); });
    } else {
        try { succeed(reply, result); } catch (error) { failReply(reply, error); }
    }
    return isObject(result);
}
function settle(
    value, onValue,
    onError,
) {
    if (!isObject(value)) {
        onValue(value);
        return;
    }
    let isPromise = false;
    try {
        isPromise = ObjectGetPrototypeOf(value) === PromisePrototype;
        if (!isPromise && typeof value.then !== "function") {
            onValue(value);
            return;
        }
    } catch (error) {
        onError(error);
        return;
    }
    if (isPromise) {
        try {
            PromisePrototypeThen(value, onValue, onError);
            return;
        } catch { }
    }
    adopt(value, onValue, onError);
}
function warnUnknown(
    name, id, text,
    hint,
) {
    if (host.warnHost !== undefined) { warn("the script has no handler \"" + beginning(name, 200) + "\"." + hint); return; }
    const shown = text === undefined ? JSONStringify({ __proto__: null, handlerName: name, callbackId: id }) : text;
    warn("no handler for message from ObjC: " + cut(shown));
}
function refuseUnknown(
    name, id, accepted,
    text,
) {
    const isAnswered = id !== undefined && (accepted & accepts.errors) !== 0;
    if (!isAnswered && host.warnHost === undefined) { warnUnknown(name, id, text, ""); return; }
    const near = nearName(name);
    const hint = near === undefined ? "" : " Did you mean \"" + near + "\"?";
    warnUnknown(name, id, text, hint);
    if (!isAnswered) return;
    const error = makeError("handlerNotFound", "No handler is registered for \"" + name + "\"." + hint);
    try {
        respond(id, name, false, { __proto__: null, code: error.code, msg: error.message });
    } catch (failure) {
        reportError(failure);
    }
}
function cut(text) {
    return text.length > 500 ? beginning(text, 500) + " [...]" : text;
}
function nearName(name) {
    if (name.length === 0 || name.length > 64 || handlers.size > 1000) return undefined;
    const folded = StringPrototypeToLowerCase(name);
    let best, bestDistance = name.length < 6 ? 2 : 3;
    handlers.forEach((entry, candidate) => {
        if (candidate.length > 66 || isOwnName(candidate)) return;
        const other = StringPrototypeToLowerCase(candidate);
        const distance = other === folded ? 0 : editDistance(folded, other);
        if (distance < bestDistance) {
            best = candidate;
            bestDistance = distance;
        }
    });
    return best;
}
function editDistance(from, to) {
    const row = new Uint8Array(to.length + 1);
    for (let column = 0; column <= to.length; column++) row[column] = column;
    for (let line = 1; line <= from.length; line++) {
        let diagonal = row[0];
        row[0] = line;
        for (let column = 1; column <= to.length; column++) {
            const isSame = StringPrototypeCharCodeAt(from, line - 1) === StringPrototypeCharCodeAt(to, column - 1);
            const replaced = diagonal + (isSame ? 0 : 1);
            diagonal = row[column];
            row[column] = MathMin(replaced, row[column] + 1, row[column - 1] + 1);
        }
    }
    return row[to.length];
}
function abandonAll(record) {
    const reason = errorOf(record, 0);
    endedReplies.take(incoming, undefined, false, (reply) => { abort(reply, reason); });
}
function endIncoming(operation, record) {
    endedReplies.take(incoming, operation, record === undefined, (reply) => {
        incoming.delete(reply.id);
        if (record !== undefined) abort(reply, errorOf(record, 0));
    });
}
const noteEndedIncoming = (operation) => { endedReplies.note(incoming, operation); };
const forEachHandler = (body) => {
    handlers.forEach((
        entry, name,
    ) => { if (!isOwnName(name)) body(name, entry); });
};
const forEachIncoming = (body) => { incoming.forEach((
    reply, id,
) => { body(id, reply.name); }); };
const registerReserved = (name, handler) => {
    handlers.set(name, { handler, isLegacy: false, takesCallback: false, takesCall: false, mark: undefined });
};
const markOf = (name) => {
    const entry = handlers.get(name);
    return entry === undefined ? undefined : entry.mark;
};
const hasHandler = (name) => handlers.has(name);
// bridge/streams.js
let streams;
const useStreams = () => streams ??= useBundle("streams_code");
const producers = makeSafeMap(), consumers = makeSafeMap();
const openStream = (
    name, data, options,
) => useStreams().openStream(name, data, options);
const receiveNext = (id, number, value) => {
    useStreams().receiveNext(id, number, value);
};
const receiveEnd = (id, number, record) => {
    useStreams().receiveEnd(id, number, record);
};
const receiveMore = (id, credit) => { useStreams().receiveMore(id, credit); };
const receiveStop = (id) => { useStreams().receiveStop(id); };
hooks.abandonIterable = (iterable) => { useStreams().abandonIterable(iterable); };
hooks.produce = (iterable, reply) => useStreams().produce(iterable, reply);
const endedConsumers = makeEndedSet(), endedProducers = makeEndedSet();
const fail = (consumer, record) => {
    useStreams().failConsumer(consumer, errorOf(record, 0), false);
};
const stop = (producer) => { useStreams().stopProducing(producer); };
function failStreams(record) {
    endedConsumers.take(consumers, undefined, false, (consumer) => { fail(consumer, record); });
    endedProducers.take(producers, undefined, false, stop);
}
function endStreams(operation, record) {
    const isOver = record === undefined;
    endedConsumers.take(consumers, operation, isOver, (consumer) => {
        if (!isOver) fail(consumer, record);
        else {
            consumer.isOver = true;
            consumers.delete(consumer.id);
            if (consumer.signal !== undefined && !consumer.signal.isForeign) consumer.signal.unfollow(consumer.follower);
        }
    });
    endedProducers.take(producers, operation, isOver, (producer) => {
        if (!isOver) stop(producer);
        else {
            producer.isOver = true;
            producers.delete(producer.id);
        }
    });
}
const noteEndedStreams = (operation) => {
    endedConsumers.note(consumers, operation);
    endedProducers.note(producers, operation);
};
const forEachStream = (body) => {
    producers.forEach((
        producer, id,
    ) => { body(id, "producer", producer.name, producer.count); });
    consumers.forEach((
        consumer, id,
    ) => { body(id, "consumer", consumer.name, consumer.received); });
};
const streamCount = () => producers.size + consumers.size;
// bridge/topics.js
const topics = makeSafeMap();
const peerTopics = makeSafeMap();
function checkListener(listener) {
    if (typeof listener !== "function") {
        const kind = listener === null ? "null" : typeof listener;
        throw new TypeError("A listener is a function, not " + kind + ".");
    }
}
let lastListener = 0;
function on(
    name, listener, isOnce,
) {
    checkName(name, "topic");
    checkListener(listener);
    let topic = topics.get(name);
    if (topic === undefined) {
        topic = { first: null, last: null, nodes: makeSafeMap() };
        topics.set(name, topic);
        if (host.listening !== undefined) host.listening(1);
        if (state.peerIsExtended) control(controls.subscribe, name, 0, undefined);
    }
    const known = topic.nodes.get(listener);
    if (known !== undefined) {
        noteListener(name, topic, known, known.registration);
        return;
    }
    const node = {
        listener, isOnce, isGone: false, number: ++lastListener, previous: topic.last, next: null, registration: undefined,
    };
    noteListener(name, topic, node, undefined);
    if (topic.last === null) topic.first = node;
    else topic.last.next = node;
    topic.last = node;
    topic.nodes.set(listener, node);
}
function noteListener(
    name, topic, node, previous,
) {
    if (!hasOwner()) return;
    const registration = { __proto__: null };
    const end = () => { if (node.registration === registration && !node.isGone) remove(name, topic, node); };
    const undo = () => {
        if (previous === undefined) end();
        else if (node.registration === registration) node.registration = previous;
    };
    noteRegistration(end, undo);
    node.registration = registration;
}
function remove(name, topic, node) {
    node.isGone = true;
    topic.nodes.delete(node.listener);
    if (node.previous === null) topic.first = node.next;
    else node.previous.next = node.next;
    if (node.next === null) topic.last = node.previous;
    else node.next.previous = node.previous;
    if (topic.first !== null || topics.get(name) !== topic) return;
    topics.delete(name);
    if (host.listening !== undefined) host.listening(-1);
    if (state.peerIsExtended) control(controls.unsubscribe, name, 0, undefined);
}
function off(name, listener) {
    checkName(name, "topic");
    const topic = topics.get(name);
    if (topic === undefined) return;
    if (listener === undefined) {
        while (topic.first !== null) remove(name, topic, topic.first);
        return;
    }
    const node = topic.nodes.get(listener);
    if (node !== undefined) remove(name, topic, node);
}
function receiveEvent(name, data) {
    const topic = topics.get(name);
    if (topic === undefined) return;
    enterOrigin(null);
    const last = lastListener;
    for (let node = topic.first; node !== null && node.number <= last; node = node.next) {
        if (!node.isGone) {
            if (node.isOnce) remove(name, topic, node);
            const { listener } = node;
            try { listener(data); } catch (error) { reportError(error); }
        }
    }
}
function emit(name, data) {
    checkName(name, "topic");
    if (!state.peerListens) {
        if (state.peerIsExtended) greet();
        request(name, data, undefined, 0, 0);
        return true;
    }
    const count = peerTopics.get(name);
    if (count === undefined) return false;
    peerTopics.set(name, count + 1);
    control(controls.event, name, count, data);
    return true;
}
function takePlainEvent(name, data) {
    if (!topics.has(name)) return false;
    receiveEvent(name, data);
    return true;
}
function announce() {
    state.peerIsExtended = true;
    topics.forEach((
        topic, name,
    ) => { control(controls.subscribe, name, 0, undefined); });
}
let hasGreeted = isDirect;
function greet() {
    if (hasGreeted) return;
    hasGreeted = true;
    control(controls.hello, "", 0, undefined);
}
let hasWarned = false;
function receiveSubscribe(name) {
    if (peerTopics.has(name)) return;
    const maximum = host.maximumTopics;
    if (maximum === undefined || peerTopics.size < maximum) {
        peerTopics.set(name, 0);
        return;
    }
    counts.droppedMessages++;
    if (hasWarned) return;
    hasWarned = true;
    warn("the other side may listen to " + maximum
        + " topics; it gets no events of \"" + beginning(name, 200) + "\", nor of others beyond.");
}
function receiveUnsubscribe(name) {
    if (peerTopics.delete(name)) hasWarned = false;
}
const forEachTopic = (body) => { topics.forEach((
    topic, name,
) => { body(name); }); };
const topicCount = () => topics.size;
hooks.takePlainEvent = takePlainEvent;
// bridge/references.js
const callName = "_wvjb.call";
let references;
const useReferences = () => references ??= useBundle("references_code");
const reference = (value) => useReferences().reference(value);
const callReference = (
    value, values, options,
) => useReferences().callReference(value, values, options);
const exportReferenceNote = (value) => useReferences().exportReferenceNote(value);
const importReferenceNote = (note, methods) =>
    useReferences().importReferenceNote(note, methods);
const finalizeReference = (number) => { useReferences().finalizeReference(number); };
const receiveRelease = (list) => { useReferences().receiveRelease(list); };
const queueRelease = (id, count) => { useReferences().queueRelease(id, count); };
registerReserved(callName, (data) => useReferences().receiveCall(data));
const isReferred = (value) => references !== undefined && references.isReferred(value);
const referenceCounts = () => references === undefined ? { __proto__: null, exported: 0, held: 0 } : references.referenceCounts();
hooks.exportReference = (value) => useReferences().exportReference(value);
hooks.exportedValue = (id) => useReferences().exportedValue(id);
hooks.heldValue = (id) => useReferences().heldValue(id);
hooks.importReference = (id, kind, methods) => useReferences().importReference(id, kind, methods);
hooks.isReferred = isReferred;
hooks.takeBack = (entries) => { useReferences().takeBack(entries); };
referenceHooks.exportReference = exportReferenceNote;
referenceHooks.isReferred = isReferred;
referenceHooks.takeBackReference = (note) => { useReferences().takeBackReference(note); };
// bridge/pipelining.js
let pipelining;
const usePipelining = () => pipelining ??= useBundle("pipelining_code");
const pipeline = (
    name, data, options,
) => usePipelining().pipeline(name, data, options);
const keep = (id) => { usePipelining().keep(id); };
const awaitResults = (
    ids, ownId, done,
) => { usePipelining().awaitResults(ids, ownId, done); };
const resultOf = (value) => pipelining === undefined ? undefined : pipelining.resultOf(value);
const settledValue = (result) => usePipelining().settledValue(result);
const keptCount = () => pipelining === undefined ? 0 : pipelining.keptCount();
hooks.keepFailure = (id, record) => { if (pipelining !== undefined) pipelining.keepFailure(id, record); };
hooks.keepReply = (id, data) => pipelining === undefined ? data : pipelining.keepReply(id, data);
hooks.releaseKept = (id) => pipelining !== undefined && pipelining.releaseKept(id);
hooks.resultOf = resultOf;
hooks.settledValue = settledValue;
hooks.valueAt = (value, path, from) => usePipelining().valueAt(value, path, from);
referenceHooks.resultOf = resultOf;
referenceHooks.settledValue = settledValue;
// bridge/receiving.js
const inbox = makeList();
const turns = { __proto__: null, own: 0, missed: 1, other: 2 };
let isSynchronous = isDirect;
let isSettingUp = false;
function later(body) {
    if (setTimer !== undefined) setTimer(body, 0);
    else queueJob(body);
}
function receive(dispatch) {
    const message = { dispatch, operation: state.operation, turn: turns.own };
    if (!isSynchronous) startTurn(message);
    append(inbox, message);
    if (isSynchronous && !isSettingUp) dispatchAll();
}
function startTurn(message) {
    later(() => {
        if (isSettingUp) message.turn = turns.missed;
        else takeOwn()?.dispatch();
    });
}
function startTurns() {
    for (let node = inbox.first; node !== null; node = node.next) {
        const message = node.value;
        if (message.turn === turns.own) continue;
        if (message.operation === state.operation) {
            startTurn(message);
            message.turn = turns.own;
        } else if (message.turn === turns.missed) {
            startOtherTurn();
            message.turn = turns.other;
        }
    }
}
function startOtherTurn() {
    let isFired = false;
    later(() => {
        if (isFired || inbox.first === null) return;
        isFired = true;
        takeFirst(inbox).dispatch();
    });
}
function takeOwn() {
    let before = null, node = inbox.first;
    while (node !== null && node.value.operation !== state.operation) {
        before = node;
        node = node.next;
    }
    if (node === null) return undefined;
    if (before === null) return takeFirst(inbox);
    before.next = node.next;
    if (node.next === null) inbox.last = before;
    return node.value;
}
function endMessages(operation) {
    const { first } = inbox;
    inbox.first = inbox.last = null;
    for (let node = first; node !== null; node = node.next) {
        if (node.value.operation !== operation) append(inbox, node.value);
    }
}
function dispatchAll() {
    while (inbox.first !== null) takeFirst(inbox).dispatch();
}
function isClear() {
    return isSynchronous && !isSettingUp && inbox.first === null;
}
function receiveText(input) {
    if (isClear()) dispatchText(input);
    else receive(() => { dispatchText(input); });
}
function dispatchText(input) {
    enterOrigin(null);
    let message = input;
    if (typeof input === "string") {
        try {
            message = JSONParse(input);
        } catch (error) {
            drop("a message is not JSON. " + textOf(error));
            return;
        }
    }
    try {
        if (readMessage !== undefined) {
            message = readMessage(message);
            if (message === undefined) return;
        }
        dispatchMessage(message, typeof input === "string" ? input : undefined);
    } catch (error) {
        drop("a message cannot be read. " + textOf(error));
    }
}
function drop(reason) {
    counts.droppedMessages++;
    warn(reason);
}
function isId(value) {
    return typeof value === "string" && value !== "";
}
function isRecord(value) {
    return typeof value === "object" && value !== null && !ArrayIsArray(value);
}
function dispatchMessage(
    message, text, results,
    failure,
) {
    if (!isRecord(message)) {
        const kind = message === null ? "null" : ArrayIsArray(message) ? "an array" : typeof message;
        drop("a message must be an object; this is " + kind + ".");
        return;
    }
    const responseId = own(message, "responseId");
    const callbackId = own(message, "callbackId");
    const name = own(message, "handlerName");
    const extensions = own(message, "x");
    const isExtended = isRecord(extensions), x = isExtended ? extensions : { __proto__: null };
    if (responseId !== undefined ? !isId(responseId) : callbackId !== undefined && !isId(callbackId)) {
        drop("the id of a message must be a string that is not empty.");
        return;
    }
    const refusal = refusalOf(own(x, "must"));
    if (isExtended && !state.peerIsExtended) announce();
    const entries = own(x, "b"), references = own(x, "refs"), waits = own(x, "p");
    let payload = own(message, responseId !== undefined ? "responseData" : "data"), unreadable;
    const isRequest = responseId === undefined && typeof name === "string";
    const accepted = isRequest ? acceptedOf(own(x, "acc")) : 0;
    if (isRequest && results === undefined) {
        state.peerAccepts |= accepted;
        if (callbackId !== undefined && own(x, "keep") === true && accepted & accepts.errors) keep(callbackId);
        if (ArrayIsArray(waits)) {
            awaitResults(waits, callbackId, (
                found, record,
            ) => { dispatchMessage(message, text, found ?? null, record); });
            return;
        }
    }
    if (failure !== undefined) {
        unreadable = failure;
        importUnread(references);
    } else if (ArrayIsArray(entries) || ArrayIsArray(references) || results !== undefined) {
        try { payload = unpack(payload, entries, references, results ?? null); } catch (error) { unreadable = recordOf(error, 0); }
    }
    if (responseId !== undefined) {
        const error = own(x, "err"), opened = own(x, "st"), stream = isObject(opened) ? own(opened, "sid") : undefined;
        const record = refusal !== undefined ? refusal : unreadable !== undefined ? unreadable : error;
        if (isRecord(record)) {
            handleResponse(responseId, false, record);
            if (isId(stream)) control(controls.stop, stream, 0, undefined);
        } else if (isId(stream)) handleResponse(responseId, 2, stream);
        else handleResponse(responseId, true, payload);
        return;
    }
    if (typeof name !== "string") {
        drop("a message needs a handlerName or a responseId.");
        return;
    }
    if (refusal !== undefined || unreadable !== undefined) {
        const record = refusal !== undefined ? refusal : unreadable;
        if (callbackId !== undefined && accepted & accepts.errors) respond(callbackId, name, false, record);
        else drop(record.msg);
    } else if (!StringPrototypeStartsWith(name, reservedPrefix)) {
        const ttl = own(x, "ttl");
        const time = typeof ttl === "number" && ttl > 0 ? ttl : 0;
        noteTraceOf(own(x, "t"));
        handleRequest(name, payload, callbackId, time, accepted, text);
    } else if (callbackId === undefined) {
        receiveNotice(name, payload);
    } else {
        handleRequest(name, payload, callbackId, 0, accepted, text);
    }
}
function acceptedOf(names) {
    let accepted = 0;
    if (!ArrayIsArray(names)) return accepted;
    for (let index = 0; index < names.length && index < 64; index++) {
        switch (names[index]) {
        case "err": accepted |= accepts.errors; break;
        case "stream": accepted |= accepts.streams; break;
        case "progress": accepted |= accepts.progress; break;
        case "bin": accepted |= accepts.binary; break;
        case "refs": accepted |= accepts.references; break;
        case "pipe": if (!environment.isRecorded) accepted |= accepts.pipelining; break;
        }
    }
    return accepted;
}
function receiveNotice(name, data) {
    if (!isObject(data)) return;
    if (state.peerIsExtended) state.peerListens = true;
    const id = own(data, "id"), stream = own(data, "sid"), topic = own(data, "topic");
    switch (name) {
    case "_wvjb.cancel":
        if (isId(id)) return handleControl(controls.cancel, id, 0, own(data, "reason"));
        if (isId(stream)) return handleControl(controls.stop, stream, 0, own(data, "reason"));
        return;
    case "_wvjb.progress":
        if (isId(id)) handleControl(controls.progress, id, 0, own(data, "v"));
        return;
    case "_wvjb.next":
        if (isId(stream)) return handleControl(controls.next, stream, own(data, "n"), own(data, "v"));
        if (typeof topic === "string") handleControl(controls.event, topic, own(data, "n"), own(data, "v"));
        return;
    case "_wvjb.end":
        if (isId(stream)) handleControl(controls.end, stream, own(data, "n"), own(data, "err"));
        return;
    case "_wvjb.more":
        if (isId(stream)) handleControl(controls.more, stream, own(data, "k"), undefined);
        return;
    case "_wvjb.sub":
        if (typeof topic === "string") handleControl(controls.subscribe, topic, 0, undefined);
        return;
    case "_wvjb.unsub":
        if (typeof topic === "string") handleControl(controls.unsubscribe, topic, 0, undefined);
        return;
    case "_wvjb.release": return handleControl(controls.release, "", 0, data);
    case "_wvjb.hello":
        state.peerAccepts |= acceptedOf(own(data, "features"));
        handleControl(controls.hello, "", 0, undefined);
    }
}
function handleControl(
    kind, id, number, data,
) {
    switch (kind) {
    case controls.cancel: return receiveCancel(id, data);
    case controls.progress: return receiveProgress(id, data);
    case controls.next: return receiveNext(id, number, data);
    case controls.end: return receiveEnd(id, number, data);
    case controls.more: return receiveMore(id, number);
    case controls.stop: return receiveStop(id);
    case controls.subscribe: return receiveSubscribe(id);
    case controls.unsubscribe: return receiveUnsubscribe(id);
    case controls.event: return receiveEvent(id, data);
    case controls.release: return receiveRelease(data);
    case controls.hello: return state.peerIsExtended ? greet() : undefined;
    }
}
const knownExtensions = {
    __proto__: null, acc: 1, ttl: 1, err: 1, st: 1, b: 1, refs: 1, keep: 1, p: 1, t: 1,
};
function refusalOf(must) {
    if (must === undefined) return undefined;
    let unknown, isList = ArrayIsArray(must);
    for (let index = 0; isList && index < must.length; index++) {
        if (typeof must[index] !== "string") isList = false;
        else if (unknown === undefined && !ObjectHasOwn(knownExtensions, must[index])) unknown = must[index];
    }
    if (!isList) {
        return { __proto__: null, code: "invalidMessage", msg: "The member \"must\" of a message must be an array of strings." };
    }
    if (unknown === undefined) return undefined;
    const msg = "The message requires the extension \"" + unknown + "\", which is not known here.";
    return { __proto__: null, code: "unsupported", msg };
}
function receiveRequest(
    name, data, id, ttl,
    accepted,
) {
    enterOrigin(null);
    if (isClear()) return handleRequest(name, data, id, ttl, accepted, undefined);
    const trace = takeTrace();
    receive(() => {
        restoreTrace(trace);
        handleRequest(name, data, id, ttl, accepted, undefined);
    });
    return false;
}
function receiveResponse(
    id, outcome, data, handle,
) {
    if (isClear()) handleResponse(id, outcome, data, handle);
    else receive(() => { handleResponse(id, outcome, data, handle); });
}
function receiveControl(
    kind, id, number, data,
) {
    enterOrigin(null);
    if (isClear()) handleControl(kind, id, number, data);
    else receive(() => { handleControl(kind, id, number, data); });
}
const makeSynchronous = () => { isSynchronous = true; };
const beginSetUp = () => { isSettingUp = true; };
const endSetUp = () => {
    isSettingUp = false;
    if (isSynchronous) dispatchAll();
    else startTurns();
};
const resumeMessages = (isReady) => {
    if (isSettingUp) {
        if (isReady) endSetUp();
    } else if (isSynchronous) dispatchAll();
    else startTurns();
};
// bridge/tables.js
function table(forEach) {
    const rows = ObjectSetPrototypeOf([], null);
    let count = 0;
    forEach((row) => {
        ObjectDefineProperty(rows, count++, { __proto__: null, value: row, enumerable: true });
    });
    return rows;
}
const tables = () => ({
    __proto__: null,
    pending: table((add) => forEachCall((
        id, name,
    ) => add({ __proto__: null, id, handler: name }))),
    incoming: table((add) => forEachIncoming((
        id, name,
    ) => add({ __proto__: null, id, handler: name }))),
    handlers: table((add) => forEachHandler((name) => add(name))),
    streams: table((add) => forEachStream((
        id, role, name, count,
    ) => {
        add({ __proto__: null, id, role, handler: name, items: count });
    })),
    topics: table((add) => forEachTopic((name) => add(name))),
    queue: queueLength(),
});
// bridge/dialect_objects.js
const { Event } = (global);
let isInitialized = false;
function addDefaultHandler(members) {
    members.init = function init(handler) {
        if (isInitialized) throw new Error(dialect.global + ".init called twice");
        registerHandler("", typeof handler === "function" ? handler : () => {}, true);
        isInitialized = true;
        takeEarly(receiveText);
        if (dialect.waitsForInit) endSetUp();
    };
    members.send = function send(data, responseCallback) {
        callWithCallback("", data, responseCallback);
    };
}
function dispatchReady(face) {
    const document = read(global, "document");
    if (!isObject(document) || typeof read(document, "dispatchEvent") !== "function") return;
    try {
        let event;
        if (typeof read(document, "createEvent") === "function") {
            event = document.createEvent("Events");
            event.initEvent(dialect.readyEvent, false, false);
        } else {
            event = new Event(dialect.readyEvent);
        }
        event.bridge = face;
        document.dispatchEvent(event);
    } catch (error) {
        reportError(error);
    }
}
const useDialect = () => useBundle("dialect_code");
const makeModules = () => useDialect().makeModules();
const makeMethods = () => useDialect().makeMethods();
const receiveMethod = (info) => { useDialect().receiveMethod(info); };
if (dialect.face === "methods") state.post = (message, isCopied) => { useDialect().sendMethod(message, isCopied); };
// bridge/discovery.js
const describeName = reservedPrefix + "describe";
function insert(first, node) {
    if (first === null || node.value.name < first.value.name) {
        node.next = first;
        return node;
    }
    let before = first;
    while (before.next !== null && before.next.value.name < node.value.name) before = before.next;
    node.next = before.next;
    before.next = node;
    return first;
}
function describedHandlers() {
    let first = null;
    forEachHandler((name, entry) => {
        const takesCallback = entry.isLegacy || entry.takesCallback;
        first = insert(first, { value: { __proto__: null, name, takesCallback }, next: null });
    });
    const list = [];
    let count = 0;
    for (let node = (first); node !== null; node = node.next) {
        ObjectDefineProperty(list, count++, { __proto__: null, value: node.value, enumerable: true });
    }
    return ObjectSetPrototypeOf(list, null);
}
function describe(options) {
    const cannot = () => makeError("unsupported", "The other side does not support describe.");
    if (!state.peerIsExtended) return PromiseReject(cannot());
    return new Promise((resolve, reject) => {
        settle(callWithPromise(describeName, undefined, options), resolve, (error) => {
            reject(read(error, "code") === "handlerNotFound" ? cannot() : error);
        });
    });
}
registerReserved(describeName, describedHandlers);
// bridge/modules.js
const { apply, bind, call } = Function.prototype;
const { toStringTag } = Symbol;
function membersOf(prototype, others) {
    const {
        constructor, hasOwnProperty, isPrototypeOf, propertyIsEnumerable, toLocaleString, toString, valueOf,
    } = prototype;
    return ObjectFreeze({
        __proto__: null, then: undefined, toJSON: undefined, constructor, hasOwnProperty, isPrototypeOf,
        propertyIsEnumerable, toLocaleString, toString, valueOf, ...others,
    });
}
const moduleMembers = membersOf(ObjectPrototype);
const methodMembers = membersOf(Function.prototype, {
    apply, bind, call, arguments: undefined, caller: undefined, prototype: undefined,
});
function addMethods(target, prefix, members) {
    const methods = { __proto__: null };
    return new Proxy(ObjectFreeze(target), ObjectFreeze({
        __proto__: null,
        get(_, key) {
            if (typeof key === "symbol" || ObjectHasOwn(target, key)) return target[key];
            return key in members ? members[key] : methods[key] ??= makeMethod(prefix + key);
        },
    }));
}
function makeMethod(name) {
    const method = (data, options) => callWithPromise(name, data, options);
    const add = (
        key, way,
    ) => { define(method, key, ObjectFreeze(way), false); };
    ObjectDefineProperty(method, "name", { __proto__: null, value: name });
    add("callHandlerSync", (data) => callSynchronously(name, data));
    add("notify", (data) => { notify(name, data); });
    add("openStream", (data, options) => openStream(name, data, options));
    add("pipeline", (data, options) => pipeline(name, data, options));
    return addMethods(method, name + ".", methodMembers);
}
function makeModule(namespace) {
    if (typeof namespace !== "string") {
        throw makeError("invalidArgument", "A module's namespace must be a string; this is " + textOf(namespace) + ".");
    }
    const target = { __proto__: null };
    define(target, toStringTag, "BridgeModule", false);
    return addMethods(target, namespace === "" ? "" : namespace + ".", moduleMembers);
}
// bridge/api_objects.js
const { encodeURIComponent } = global;
function face(members) {
    for (const key in members) if (ObjectHasOwn(members, key)) ObjectFreeze(members[key]);
    return ObjectFreeze(members);
}
function nameOf(name) {
    return name === null || typeof name === "number" || typeof name === "boolean" ? String(name) : name;
}
function warnOfFunction(name, responseCallback) {
    const isLost = !takesFunctions();
    if (!isLost && typeof responseCallback === "function") return;
    const third = responseCallback === null ? "null" : typeof responseCallback;
    log("warn", "callHandler(\"" + textOf(name) + "\", function, " + third + ") "
        + (isLost ? "loses the function" : "sends the function as data") + ": with a third argument the second is data.");
}
const handlersFace = {
    registerHandler(name, handler) {
        registerHandler(nameOf(name), handler, true);
    },
    callHandler(handlerName, data, responseCallback) {
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
const takeQueue = () => handlersFace._fetchQueue();
const takeMessage = receiveText;
function returnQueue() {
    const text = fetchQueue();
    if (text !== "[]") nativeSide.load(dialect.signal.schemes[0] + "://return/_fetchQueue/" + encodeURIComponent(text));
}
function addEntries(members) {
    for (let index = 0; index < dialect.entries.length; index++) {
        define(members, dialect.entries[index], (message) => { receiveText(message); }, true);
    }
    return members;
}
function makeFace() {
    switch (dialect.face) {
    case "modules": return addEntries(makeModules());
    case "methods":
        for (let index = 0; index < dialect.entries.length; index++) publish(dialect.entries[index], receiveMethod);
        return makeMethods();
    }
    addEntries(handlersFace);
    if (dialect.hasDefaultHandler) addDefaultHandler(handlersFace);
    return handlersFace;
}
let legacy;
const promising = {
    registerHandler(name, handler) {
        registerHandler(name, handler, false);
    },
    callHandler(name, data, options) {
        return callWithPromise(name, data, options);
    },
    callHandlerSync(name, data) {
        return callSynchronously(name, data);
    },
    notify(name, data) {
        notify(name, data);
    },
    removeHandler(name) {
        return removeHandler(nameOf(name));
    },
    openStream(name, data, options) {
        return openStream(name, data, options);
    },
    on(topic, listener) {
        on(topic, listener, false);
    },
    once(topic, listener) {
        on(topic, listener, true);
    },
    off(topic, listener) {
        off(topic, listener);
    },
    emit(topic, data) {
        return emit(topic, data);
    },
    describe(options) {
        return describe(options);
    },
    pipeline(name, data, options) {
        return pipeline(name, data, options);
    },
    module(namespace) {
        return makeModule(namespace);
    },
    reference(value) {
        return reference(value);
    },
    callReference(value, values, options) {
        return callReference(value, values, options);
    },
};
const parts = { __proto__: null };
function addToBridge(part, name, member) {
    define(promising, name, member, true);
    parts[name] = part;
}
function partOf(part) {
    const exports = { __proto__: null };
    const names = ObjectKeys(promising);
    let count = 0;
    for (let index = 0; index < names.length; index++) {
        const name = names[index];
        if ((parts[name] ?? "core") !== part) continue;
        exports[name] = (promising)[name];
        count += 1;
    }
    if (count === 0) return undefined;
    if (part === "core") exports.BridgeError = BridgeError;
    exports.default = promising;
    return exports;
}
function handlersOf(group, names) {
    const module = makeModule(group);
    const exports = { __proto__: null };
    for (let index = 0; index < names.length; index++) exports[names[index]] = module[names[index]];
    exports.default = module;
    return exports;
}
let isInstalled = false;
function publish(name, value) {
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
let keptList, begunCount = 0, isRunningList = false, interruptionCount = 0;
const maximumInterruptions = 10;
const maximumLateCallbacks = 10000;
function runSetUp() {
    if (isRunningList && ++interruptionCount <= maximumInterruptions) runCallbacks();
    const callbacks = setUpList();
    if (callbacks === undefined) return;
    noteUse();
    if (callbacks !== keptList) begunCount = 0;
    keptList = callbacks;
    isRunningList = true;
    interruptionCount = 0;
    if (!ReflectDeleteProperty(global, dialect.list)) {
        try { global[dialect.list] = undefined; } catch { }
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
let isReadyFired = false;
function fireReady() {
    if (dialect.readyEvent === null || isReadyFired) return;
    isReadyFired = true;
    dispatchReady(legacy);
}
function finishSetUp() {
    if (host.awaitsUse !== true) fireReady();
    runSetUp();
    if (!dialect.waitsForInit) awaitUse();
    if (dialect.face === "methods") nativeSide.callMethod("_dsb.dsinit", "{\"data\":null}");
}
let awaitsUse = false;
function awaitUse() {
    awaitsUse = true;
    if (state.isUsed || host.awaitsUse !== true) endSetUp();
    else state.whenUsed = () => { queueJob(endSetUp); };
}
function watchWindow() {
    const window = read(global, "window");
    if (!isObject(window) || read(window, "onerror")) return;
    try {
        window.onerror = (message, url, line) => {
            const place = textOf(url) + ":" + textOf(line);
            log("log", dialect.global + ": ERROR:" + textOf(message) + "@" + place);
        };
    } catch { }
}
function installBridge() {
    if (isInstalled) {
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
    if (!isDirect && state.post === undefined) host.signal();
    if (!isDirect || setUpList() !== undefined) {
        beginSetUp();
        later(finishSetUp);
    }
}
function noteEnded(operation) {
    noteEndedCalls(operation);
    noteEndedStreams(operation);
    noteEndedIncoming(operation);
}
const resume = () => { resumeMessages(awaitsUse && state.isUsed); };
function disconnect(record) {
    failCalls(record);
    failStreams(record);
    abandonAll(record);
}
function enterOperation(number) {
    state.operation = number;
    enterDeadlines(number);
}
function endOperation(number, record) {
    endCalls(number, record);
    endStreams(number, record);
    endIncoming(number, record);
    if (record === undefined) endMessages(number);
}
const countsNow = () => ({ ...counts });
// bridge/index.js
if (connect !== undefined) connect({ receiveRequest, receiveResponse, receiveControl, isCallback });
publishToHost({
    __proto__: null,
    installBridge, noteUse, noteEnded, resume, disconnect, enterOperation, endOperation, hasHandler, isReferred,
    takeQueue, takeMessage, tables, pendingCount, streamCount, topicCount, referenceCounts, keptCount,
    deliverTrace: noteTrace, exportReference: exportReferenceNote, importReference: importReferenceNote,
    finalizeReference, counts: countsNow, partOf, handlersOf,
});
// bridge/bytes.js
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
function encodeBytes(bytes) {
    if (Uint8ArrayPrototypeToBase64 !== undefined) return Uint8ArrayPrototypeToBase64(bytes);
    const count = TypedArrayPrototypeGetByteLength(bytes);
    let text = "";
    for (let index = 0; index < count; index += 3) {
        const left = count - index;
        const bits = bytes[index] << 16 | (left > 1 ? bytes[index + 1] << 8 : 0) | (left > 2 ? bytes[index + 2] : 0);
        text += digits[bits >> 18] + digits[bits >> 12 & 63];
        text += (left > 1 ? digits[bits >> 6 & 63] : "=") + (left > 2 ? digits[bits & 63] : "=");
    }
    return text;
}
function digitOf(text, index) {
    const unit = StringPrototypeCharCodeAt(text, index);
    if (unit >= 65 && unit <= 90) return unit - 65;
    if (unit >= 97 && unit <= 122) return unit - 71;
    if (unit >= 48 && unit <= 57) return unit + 4;
    return unit === 43 ? 62 : unit === 47 ? 63 : -1;
}
function decodeBytes(text) {
    if (typeof text !== "string" || text.length % 4 !== 0) return undefined;
    if (Uint8ArrayFromBase64 !== undefined) {
        try { return Uint8ArrayFromBase64(text); } catch { return undefined; }
    }
    let length = text.length;
    if (length > 0 && text[length - 1] === "=") length -= text[length - 2] === "=" ? 2 : 1;
    const bytes = new Uint8Array(length * 3 >> 2);
    let bits = 0, place = 0;
    for (let index = 0; index < length; index++) {
        const digit = digitOf(text, index);
        if (digit < 0) return undefined;
        bits = bits << 6 | digit;
        if (index % 4 > 0) bytes[place++] = bits >> (6 - index % 4 * 2) & 255;
    }
    return bytes;
}
function isDetached(buffer) {
    try { return ArrayBufferPrototypeGetDetached !== undefined && ArrayBufferPrototypeGetDetached(buffer); } catch { return false; }
}
function bytesOf(value) {
    let buffer = value, offset = 0, count;
    if (ArrayBufferIsView(value)) {
        const isTyped = TypedArrayPrototypeGetTag(value) !== undefined;
        buffer = isTyped ? TypedArrayPrototypeGetBuffer(value) : DataViewPrototypeGetBuffer(value);
        if (!isDetached(buffer)) {
            offset = isTyped ? TypedArrayPrototypeGetByteOffset(value) : DataViewPrototypeGetByteOffset(value);
            count = isTyped ? TypedArrayPrototypeGetByteLength(value) : DataViewPrototypeGetByteLength(value);
        }
    } else {
        try { count = ArrayBufferPrototypeGetByteLength(value); } catch { return undefined; }
    }
    if (isDetached(buffer)) throw makeError("encodeFailed", "its bytes are gone: the buffer is detached");
    return new Uint8Array(buffer, offset, count);
}
bundles.bridge = {
    __proto__: null,
    AsyncIteratorPrototype, SymbolAsyncDispose, SymbolDispose, accepts, addToBridge, append, bareRecord, begin,
    bytesOf, callName, callSynchronously, callWithCallback, callWithPromise, canMark, cancelRemotely, checkDepth,
    checkLength, checkName, consumers, control, controls, counts, decodeBytes, define, dialect, disableName,
    encodeBytes, encodingError, errorOf, hasHandler, hooks, isDirect, joinName, keepsResult, makeError, makeList,
    markOf, maximumDepth, nativeSide, noteCall, noteUse, openStream, own, producers, queueRelease, read, receiveText,
    recordOf, registerHandler, reservedPrefix, sendItem, settle, signalOf, snapshot, state, takeCall, takeFirst,
    textOf, tooDeep,
};
})
