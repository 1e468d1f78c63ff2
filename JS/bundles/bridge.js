// Made from JS/src/bridge by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    Array, ArrayBufferIsView, ArrayBufferPrototypeGetByteLength, ArrayBufferPrototypeGetDetached, ArrayIsArray,
    ArrayPrototypeSort, BigInt, BigIntPrototypeToString, DataViewPrototypeGetBuffer, DataViewPrototypeGetByteLength,
    DataViewPrototypeGetByteOffset, Date, DatePrototypeGetTime, Error, FinalizationRegistry,
    FinalizationRegistryPrototypeRegister, JSONParse, JSONStringify, Map, MapPrototypeForEach, MapPrototypeSet,
    MathFloor, MathMax, MathMin, ObjectDefineProperty, ObjectFreeze, ObjectGetPrototypeOf, ObjectHasOwn, ObjectKeys,
    ObjectPrototype, ObjectPrototypeToString, ObjectSetPrototypeOf, Promise, PromisePrototype, PromisePrototypeThen,
    PromiseReject, PromiseResolve, PromiseWithResolvers, Proxy, ReflectApply, ReflectDeleteProperty, ReflectOwnKeys,
    Set, SetPrototypeAdd, SetPrototypeForEach, String, StringPrototypeCharCodeAt, StringPrototypeIncludes,
    StringPrototypeIsWellFormed, StringPrototypeSlice, StringPrototypeStartsWith, StringPrototypeToLowerCase,
    SymbolAsyncIterator, TypeError, TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteLength,
    TypedArrayPrototypeGetByteOffset, TypedArrayPrototypeGetTag, TypedArrayPrototypeSet, Uint8Array,
    Uint8ArrayFromBase64, Uint8ArrayPrototypeToBase64, WeakMap, WeakMapPrototypeGet, WeakMapPrototypeSet, WeakRef,
    WeakRefPrototypeDeref, abortSignal, adopt, adoptError, callNative, clearTimer, currentTrace, describeInto,
    enterDeadline, enterOrigin, enterTrace, environment, exceptionOf, followableOf, global, hasOwner,
    inheritedDeadline, isObject, log, makeNameTable, makeSafeMap, makeSignal, native, noteOrigin, noteRegistration,
    originOf, publishToHost, push, queueJob, referenceHooks, replaceNoted, reportError, setTimer, thrownText, unbox,
    withTrail,
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
    const ring = ObjectSetPrototypeOf([], null);
    for (let index = 0; index < ringLength; index++) ring[index] = undefined;
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
        list.timer = setTimer(() => { expireFirst(list); }, timeout);
        lists.set(key, list);
    } else {
        call.previous = list.last;
        if (list.first === null) list.first = call;
        else list.last.next = call;
        list.last = call;
        if (list.timer === undefined) list.timer = setTimer(() => { expireFirst(list); }, timeout);
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
function expireFirst(list) {
    list.timer = undefined;
    const now = environment.eventTime();
    for (let call = list.first; call !== null && call.due - now < 0.001; call = list.first) {
        endDeadline(call);
        hooks.expireCall(call.id, call.timeout);
    }
    if (list.first === null) sweep(list);
    else if (list.timer === undefined) list.timer = setTimer(() => { expireFirst(list); }, list.first.due - now);
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
function encodingError(thrown, name) {
    const code = isObject(thrown) ? read(thrown, "code") : undefined;
    const message = isObject(thrown) ? read(thrown, "message") : undefined;
    const reason = typeof message === "string" ? message : textOf(thrown);
    return makeError(
        typeof code === "string" && codes.has(code) ? code : "encodeFailed",
        "The payload for \"" + name + "\" cannot be sent: " + reason,
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
const chunkLength = 49152;
function makeBareArray() {
    return ObjectSetPrototypeOf([], null);
}
function add(places, entry) {
    const index = places.entries.length;
    places.entries[index] = entry;
    return { __proto__: null, $b: index };
}
function encodedLength(count) {
    return MathFloor((count + 2) / 3) * 4;
}
function addBytes(places, bytes) {
    const n = TypedArrayPrototypeGetByteLength(bytes);
    spend(encodedLength(n));
    const buffer = TypedArrayPrototypeGetBuffer(bytes), start = TypedArrayPrototypeGetByteOffset(bytes);
    const c = makeBareArray();
    for (let offset = 0; offset < n; offset += chunkLength) {
        const length = n - offset < chunkLength ? n - offset : chunkLength;
        c[c.length] = encodeBytes(new Uint8Array(buffer, start + offset, length));
    }
    return add(places, { __proto__: null, k: "bytes", n, c });
}
function plainBytes(bytes) {
    switch (host.binaryPolicy) {
    case "fail":
        throw makeError("encodeFailed", "it has bytes, which JSON and the other side do not support");
    case "numbers": {
        const list = makeBareArray();
        spend(TypedArrayPrototypeGetByteLength(bytes) * 2);
        for (let index = 0, count = TypedArrayPrototypeGetByteLength(bytes); index < count; index++) list[index] = bytes[index];
        return list;
    }
    default:
        spend(encodedLength(TypedArrayPrototypeGetByteLength(bytes)));
        return encodeBytes(bytes);
    }
}
function isMark(key) {
    const last = key.length - 1;
    if (last < 1 || key[0] !== "$" || key[last] !== "b" && key[last] !== "r" && key[last] !== "p") return false;
    for (let index = 1; index < last; index++) if (key[index] !== "$") return false;
    return true;
}
function addReference(places, value) {
    const entry = hooks.exportReference(value);
    places.references[places.references.length] = entry;
    return { __proto__: null, $r: entry.id };
}
function addResult(
    places, result, key, parent,
    depth,
) {
    const { call, path } = result;
    if (call.isSettled || places === null || places.results === null) {
        return copyValue(hooks.settledValue(result), key, places, parent, depth);
    }
    let isKnown = false;
    for (let index = 0; index < places.results.length; index++) isKnown ||= places.results[index] === call.id;
    if (!isKnown) places.results[places.results.length] = call.id;
    const mark = makeBareArray();
    mark[0] = call.id;
    for (let index = 0; index < path.length; index++) mark[index + 1] = path[index];
    return { __proto__: null, $p: mark };
}
function snapshot(value) {
    const places = { entries: makeBareArray(), references: makeBareArray(), results: null, isNeeded: false };
    try {
        const packed = copyAll(value, places);
        const references = makeSafeMap();
        for (let index = 0; index < places.references.length; index++) {
            const { id, k } = places.references[index];
            references.set(id, k === "yours" ? hooks.heldValue(id) : hooks.exportedValue(id));
        }
        return packed === undefined ? undefined
            : fill(packed, places.entries, { __proto__: null, references, results: null }, places.entries.length);
    } finally {
        hooks.takeBack(places.references);
    }
}
const takesReferences = (places) => places !== null && places.references !== null;
let room = Infinity;
function spend(units) {
    room -= units;
    if (room >= 0) return;
    throw makeError("limitExceeded", "a message may have " + maximumUnits() + " units, the strings and data of this one have more");
}
function maximumUnits() {
    const { maximumMessageLength = Infinity, maximumPayloadBytes = Infinity } = host;
    return maximumPayloadBytes / 2 < maximumMessageLength ? MathFloor(maximumPayloadBytes / 2) : maximumMessageLength;
}
function copyAll(value, places) {
    const outer = room;
    room = maximumUnits();
    try {
        return copyValue(value, "", places, null, 0);
    } finally {
        room = outer;
    }
}
function copyValue(
    value, key, places, parent,
    depth,
) {
    switch (typeof value) {
    case "boolean": return value;
    case "string":
        spend(value.length);
        return value;
    case "number":
        if (places === null || value - value === 0 && (value !== 0 || 1 / value > 0)) return value;
        return add(places, { __proto__: null, k: "number", v: value === 0 ? "-0" : String(value) });
    case "undefined": return places === null ? undefined : add(places, { __proto__: null, k: "undefined" });
    case "bigint":
        return places === null ? value : add(places, { __proto__: null, k: "bigint", v: BigIntPrototypeToString(value) });
    case "function": return takesReferences(places) ? addReference(places, value) : undefined;
    case "symbol": return undefined;
    }
    if (value === null) return null;
    if (!ArrayIsArray(value)) {
        const prototype = ObjectGetPrototypeOf(value);
        const isPlain = prototype === ObjectPrototype || prototype === null;
        if (!isPlain) {
            const result = hooks.resultOf(value);
            if (result !== undefined) return addResult(places, result, key, parent, depth);
        }
        if (!isPlain && hooks.isReferred(value)) {
            if (takesReferences(places)) return addReference(places, value);
            throw makeError("unsupported", "it has a reference, which the other side does not support");
        }
        if (!isPlain && ObjectPrototypeToString(value) !== "[object Object]") {
            const special = copySpecial(value, places, parent, depth);
            if (special !== undefined) return special;
        }
    }
    const { toJSON } = value;
    if (typeof toJSON === "function") {
        const replacement = ReflectApply(toJSON, value, [key]);
        if (!isObject(replacement)) return copyValue(replacement, key, places, parent, depth);
        const special = ArrayIsArray(replacement) ? undefined : copySpecial(replacement, places, parent, depth);
        return special === undefined ? copyMembers(replacement, places, parent, depth) : special;
    }
    return copyMembers(value, places, parent, depth);
}
function copySpecial(
    value, places, parent, depth,
) {
    const bytes = bytesOf(value);
    if (bytes !== undefined) return places === null ? plainBytes(bytes) : addBytes(places, bytes);
    if (places !== null) {
        let time;
        try { time = DatePrototypeGetTime(value); } catch { }
        if (time !== undefined) return add(places, { __proto__: null, k: "date", v: time - time === 0 ? time : null });
    }
    const list = makeBareArray();
    let kind = "map";
    try {
        MapPrototypeForEach(value, (member, key) => {
            const pair = makeBareArray();
            pair[0] = key;
            pair[1] = member;
            list[list.length] = pair;
        });
    } catch {
        kind = "set";
        try {
            SetPrototypeForEach(value, (member) => { list[list.length] = member; });
        } catch {
            const inside = unbox(value);
            return typeof inside === "object" ? undefined : copyValue(inside, "", places, parent, depth);
        }
    }
    const node = enter(value, parent, depth);
    const v = kind === "map" && places === null ? copyMap(list, node, depth) : copyMembers(list, places, node, depth);
    return places === null ? v : add(places, { __proto__: null, k: kind, n: list.length, v });
}
function copyMap(list, parent, depth) {
    const object = { __proto__: null };
    for (let index = 0; index < list.length; index++) {
        if (typeof list[index][0] !== "string") return copyMembers(list, null, parent, depth);
        object[list[index][0]] = list[index][1];
    }
    return copyMembers(object, null, parent, depth);
}
function enter(value, parent, depth) {
    for (let node = parent; node !== null; node = node.parent) {
        if (node.value === value) throw makeError("encodeFailed", "it refers to itself: a payload cannot hold a cycle");
    }
    if (depth >= maximumDepth()) throw tooDeep();
    return { value, parent };
}
function copyMembers(
    value, places, parent, depth,
) {
    const node = enter(value, parent, depth);
    if (ArrayIsArray(value)) {
        const list = makeBareArray();
        const { length } = value;
        if (length > host.maximumNodes) {
            throw makeError("limitExceeded", "a payload may hold " + host.maximumNodes + " values, this one holds more");
        }
        spend(length);
        for (let index = 0; index < length; index++) {
            const member = copyValue(value[index], index, places, node, depth + 1);
            list[index] = member === undefined ? null : member;
        }
        return list;
    }
    let object = "toJSON" in ObjectPrototype ? { __proto__: null } : {};
    let isPlain = ObjectGetPrototypeOf(object) !== null;
    const keys = ObjectKeys(value);
    for (let index = 0; index < keys.length; index++) {
        let key = keys[index];
        const member = value[key];
        if (typeof member === "symbol" || typeof member === "function" && !takesReferences(places)) continue;
        const copied = copyValue(member, key, places, node, depth + 1);
        if (copied === undefined) continue;
        spend(key.length);
        if (!StringPrototypeIsWellFormed(key)) {
            throw makeError("encodeFailed", "a key with a lone surrogate cannot cross: " + JSONStringify(key));
        }
        if (places !== null && isMark(key)) {
            key = "$" + key;
            places.isNeeded = true;
        }
        if (isPlain && key in ObjectPrototype) {
            object = withoutPrototypes(object);
            isPlain = false;
        }
        object[key] = copied;
    }
    return object;
}
function withoutPrototypes(value) {
    if (!isObject(value)) return value;
    if (ArrayIsArray(value)) {
        for (let index = 0; index < value.length; index++) value[index] = withoutPrototypes(value[index]);
        return value;
    }
    const copy = { __proto__: null };
    const keys = ObjectKeys(value);
    for (let index = 0; index < keys.length; index++) copy[keys[index]] = withoutPrototypes(value[keys[index]]);
    return copy;
}
let lastEntries, lastReferences, lastResults;
const canMark = !isDirect && !dialect.payloadIsText && dialect.face === "handlers";
function pack(data, accepted, isLegacy) {
    lastEntries = lastReferences = lastResults = undefined;
    const takesPlaces = canMark && (accepted & accepts.binary) !== 0;
    if (data === undefined || isLegacy && !takesPlaces) return data;
    const references = takesPlaces && (accepted & accepts.references) !== 0 ? makeBareArray() : null;
    const results = takesPlaces && (accepted & accepts.pipelining) !== 0 ? makeBareArray() : null;
    const places = takesPlaces ? { entries: makeBareArray(), references, results, isNeeded: false } : null;
    const isClean = !("toJSON" in ObjectPrototype);
    let packed;
    try {
        packed = copyAll(data, places);
        if (isClean && "toJSON" in ObjectPrototype) packed = withoutPrototypes(packed);
    } catch (error) {
        if (references !== null) hooks.takeBack(references);
        throw error;
    }
    lastEntries = places !== null && (places.isNeeded || places.entries.length > 0) ? places.entries : undefined;
    lastReferences = references !== null && references.length > 0 ? references : undefined;
    lastResults = results !== null && results.length > 0 ? results : undefined;
    return packed;
}
function describePayload(x) {
    const b = lastEntries, refs = lastReferences, p = lastResults;
    lastEntries = lastReferences = lastResults = undefined;
    if (b === undefined && refs === undefined && p === undefined) return x;
    const described = x === undefined ? { __proto__: null } : x;
    if (b !== undefined) described.b = b;
    if (refs !== undefined) described.refs = refs;
    if (p !== undefined) described.p = p;
    return described;
}
function malformed(reason) {
    return makeError("decodeFailed", "The extension values of a payload are malformed: " + reason + ".");
}
function fill(
    value, entries, taken, limit,
) {
    if (!isObject(value)) return value;
    if (ArrayIsArray(value)) {
        const list = new Array(value.length);
        for (let index = 0; index < value.length; index++) define(list, index, fill(value[index], entries, taken, limit), true);
        return list;
    }
    const keys = ObjectKeys(value);
    if (keys.length === 1) {
        if (keys[0] === "$b") return entryAt(value.$b, entries, taken, limit);
        if (keys[0] === "$r") return referenceAt(value.$r, taken.references);
        if (keys[0] === "$p") return resultAt(value.$p, taken.results);
    }
    const object = {};
    for (let index = 0; index < keys.length; index++) {
        const key = keys[index];
        const member = fill(value[key], entries, taken, limit);
        define(object, isMark(key) ? StringPrototypeSlice(key, 1) : key, member, true);
    }
    return object;
}
function referenceAt(id, references) {
    if (references === null || typeof id !== "string" || !references.has(id)) {
        throw malformed("a mark refers to a reference that the message does not name");
    }
    return references.get(id);
}
function resultAt(path, results) {
    if (results === null || !ArrayIsArray(path) || path.length === 0 || !results.has(path[0])) {
        throw malformed("a mark refers to a result that the message does not name");
    }
    return duplicate(hooks.valueAt(results.get(path[0]), path, 1));
}
function duplicate(value) {
    if (typeof value !== "object" || value === null) return value;
    if (ArrayIsArray(value)) {
        const list = new Array(value.length);
        for (let index = 0; index < value.length; index++) define(list, index, duplicate(value[index]), true);
        return list;
    }
    if (ObjectGetPrototypeOf(value) !== ObjectPrototype) return duplicateSpecial(value);
    const object = {};
    const keys = ObjectKeys(value);
    for (let index = 0; index < keys.length; index++) define(object, keys[index], duplicate(value[keys[index]]), true);
    return object;
}
function duplicateSpecial(value) {
    const bytes = bytesOf(value);
    if (bytes !== undefined) {
        const copied = new Uint8Array(TypedArrayPrototypeGetByteLength(bytes));
        TypedArrayPrototypeSet(copied, bytes, 0);
        return copied;
    }
    try { return new Date(DatePrototypeGetTime(value)); } catch { }
    try {
        const map = new Map();
        MapPrototypeForEach(value, (
            member, key,
        ) => { MapPrototypeSet(map, duplicate(key), duplicate(member)); });
        return map;
    } catch { }
    try {
        const set = new Set();
        SetPrototypeForEach(value, (member) => { SetPrototypeAdd(set, duplicate(member)); });
        return set;
    } catch {
        return value;
    }
}
function takeReferences(list) {
    if (!ArrayIsArray(list)) return null;
    const references = makeSafeMap();
    let failure;
    for (let index = 0; index < list.length; index++) {
        const entry = list[index];
        const id = isObject(entry) ? own(entry, "id") : undefined;
        const kind = isObject(entry) ? own(entry, "k") : undefined;
        const methods = kind === "object" ? own(entry, "m") : undefined;
        const isKnown = kind === "function" || kind === "yours" || kind === "object" && ArrayIsArray(methods);
        if (typeof id !== "string" || id === "" || !isKnown) {
            failure = malformed("an entry of the references is malformed");
            continue;
        }
        try {
            references.set(id, hooks.importReference(id, kind, methods));
        } catch (error) { failure = error; }
    }
    if (failure !== undefined) throw failure;
    return references;
}
function entryAt(
    index, entries, taken, limit,
) {
    if (typeof index !== "number" || index >>> 0 !== index || index >= limit || !isObject(entries[index])) {
        throw malformed("a mark does not refer to an earlier entry");
    }
    const entry = entries[index];
    const kind = own(entry, "k"), value = own(entry, "v");
    if (kind === "bytes" || kind === "map" || kind === "set") {
        if (taken[index]) throw malformed("entry " + index + " has two marks");
        taken[index] = true;
    }
    switch (kind) {
    case "bytes": return bytesAt(entry, index);
    case "date":
        if (value === null) return new Date(NaN);
        if (typeof value === "number") return new Date(value);
        break;
    case "undefined": return undefined;
    case "bigint":
        if (typeof value === "string" && isWhole(value)) return BigInt(value);
        break;
    case "number":
        switch (value) {
        case "NaN": return NaN;
        case "Infinity": return Infinity;
        case "-Infinity": return -Infinity;
        case "-0": return -0;
        }
        break;
    case "map": case "set": {
        const list = fill(value, entries, taken, index);
        if (!ArrayIsArray(list) || list.length !== own(entry, "n")) break;
        return kind === "map" ? mapOf(list) : setOf(list);
    }
    default: throw malformed("entry " + index + " has the unknown kind " + String(kind));
    }
    throw malformed("entry " + index + " of kind " + kind + " is malformed");
}
function isWhole(text) {
    let index = text[0] === "-" ? 1 : 0;
    if (index === text.length) return false;
    for (; index < text.length; index++) {
        const unit = StringPrototypeCharCodeAt(text, index);
        if (unit < 48 || unit > 57) return false;
    }
    return true;
}
function bytesAt(entry, index) {
    const chunks = own(entry, "c"), length = own(entry, "n");
    if (!ArrayIsArray(chunks) || typeof length !== "number") throw malformed("entry " + index + " of kind bytes is malformed");
    let count = 0;
    for (let place = 0; place < chunks.length; place++) count += typeof chunks[place] === "string" ? chunks[place].length : 0;
    if (!(length >= 0 && length <= count)) throw malformed("entry " + index + " has fewer bytes than it says");
    const bytes = new Uint8Array(length);
    let offset = 0;
    for (let place = 0; place < chunks.length; place++) {
        const chunk = decodeBytes(chunks[place]);
        if (chunk === undefined) throw malformed("entry " + index + " is not base64");
        const size = TypedArrayPrototypeGetByteLength(chunk);
        if (offset + size <= length) TypedArrayPrototypeSet(bytes, chunk, offset);
        offset += size;
    }
    if (offset !== length) throw malformed("entry " + index + " has " + offset + " bytes, which is not its declared length");
    return bytes;
}
function mapOf(list) {
    const map = new Map();
    for (let index = 0; index < list.length; index++) {
        const pair = list[index];
        if (!ArrayIsArray(pair) || pair.length !== 2) throw malformed("a map entry is not a pair");
        MapPrototypeSet(map, pair[0], pair[1]);
    }
    return map;
}
function setOf(list) {
    const set = new Set();
    for (let index = 0; index < list.length; index++) SetPrototypeAdd(set, list[index]);
    return set;
}
const unpack = (
    data, entries, list, results,
) => {
    const places = ArrayIsArray(entries) ? entries : makeBareArray();
    const references = takeReferences(list);
    return fill(data, places, { __proto__: null, references, results }, places.length);
};
const importUnread = (list) => { try { takeReferences(list); } catch { } };
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
const acceptedNames = { __proto__: null };
for (let bits = 1; bits < 64; bits++) {
    const names = [];
    const add = (name) => { push(names, name); };
    if (bits & accepts.errors) add("err");
    if (bits & accepts.streams) add("stream");
    if (bits & accepts.progress) add("progress");
    if (bits & accepts.binary) add("bin");
    if (bits & accepts.references) add("refs");
    if (bits & accepts.pipelining) add("pipe");
    ObjectSetPrototypeOf(names, null);
    acceptedNames[bits] = names;
}
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
const acceptedTexts = { __proto__: null };
for (let bits = 1; bits < 64; bits++) acceptedTexts[bits] = ",\"x\":{\"acc\":" + JSONStringify(acceptedNames[bits]);
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
    if (accepted !== 0) text += acceptedTexts[accepted] + (ttl > 0 ? ",\"ttl\":" + ttl + "}" : "}");
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
            const x = { __proto__: null, acc: acceptedNames[accepted], ttl: ttl > 0 ? ttl : undefined };
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
        throw encodingError(error, name);
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
        case controls.hello: return sendExtension("hello", { __proto__: null, v: 1, features: acceptedNames[63] });
        case controls.release: return sendExtension("release", data);
        }
    } catch (error) {
        throw encodingError(error, kind === controls.event ? id : kind === controls.progress ? "progress" : "a stream");
    }
}
function fetchQueue() {
    let text = "[";
    while (queue.first !== null) {
        if (text.length > 1) text += ",";
        text += takeFirst(queue);
    }
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
function checkName(name) {
    if (typeof name !== "string") {
        throw makeError("invalidArgument", "A handler's name must be a string; this is " + textOf(name) + ".");
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
function answer(reply, value) {
    let open;
    try {
        open = isObject(value) ? value[SymbolAsyncIterator] : undefined;
    } catch (error) {
        failReply(reply, error);
        return;
    }
    if (typeof open === "function") {
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
const defaultWindow = 64;
const longestWindow = 65536;
const noReason = () => ({ __proto__: null, code: "cancelled", msg: "The consumer of the stream gave up." });
const producers = makeSafeMap();
let lastStream = 0;
function newStreamId() {
    lastStream++;
    if (isDirect) return lastStream;
    const id = "st_" + lastStream + "_" + MathFloor(environment.now());
    return host.epoch ? id + "_" + host.epoch : id;
}
function produce(iterable, reply) {
    const id = newStreamId();
    const producer = {
        id, name: reply.name, accepted: reply.accepted, iterator: undefined, iterable, credit: 0, count: 0, isPumping: false, isOver: false,
        isAtOnce: false, goesOn: false,
        operation: reply.operation,
        origin: noteOrigin("after a stream of \"" + reply.name + "\""),
        stop() { stopProducing(producer); },
        onStep(result) {
            const isTaken = take(producer, result);
            if (producer.isAtOnce) producer.goesOn = isTaken;
            else if (isTaken) pump(producer);
        },
        onError(error) { finish(producer, error); },
    };
    reply.stream = producer;
    producers.set(id, producer);
    return id;
}
function receiveMore(id, credit) {
    const producer = producers.get(id);
    if (producer === undefined) {
        counts.unknownStreams++;
        return;
    }
    if (typeof credit !== "number" || !(credit > 0) || credit !== MathFloor(credit)) return;
    producer.credit += credit;
    if (!producer.isPumping) pump(producer);
}
function pump(producer) {
    producer.isPumping = true;
    while (!producer.isOver && producer.credit > 0) {
        enterOrigin(producer.origin);
        let step;
        try {
            if (producer.iterator === undefined) producer.iterator = producer.iterable[SymbolAsyncIterator]();
            step = producer.iterator.next();
        } catch (error) {
            finish(producer, error);
            return;
        }
        producer.isAtOnce = true;
        producer.goesOn = false;
        settle(step, producer.onStep, producer.onError);
        producer.isAtOnce = false;
        if (!producer.goesOn) return;
    }
    producer.isPumping = false;
}
function take(producer, result) {
    if (producer.isOver) return false;
    let isDone, value;
    try {
        if (!isObject(result)) throw makeError("handlerFailed", "The iterator of a stream returned a value that is not a result object.");
        isDone = result.done;
        value = result.value;
    } catch (error) {
        finish(producer, error);
        return false;
    }
    if (isDone) {
        finish(producer, undefined);
        return false;
    }
    try {
        if (producer.accepted > 255 && sendItem !== undefined) sendItem(producer.id, producer.count, value, producer.accepted);
        else control(controls.next, producer.id, producer.count, value);
    } catch (thrown) {
        const error = producer.accepted > 255 ? encodingError(thrown, "a stream") : thrown;
        stopProducing(producer);
        sendEnd(producer, error);
        return false;
    }
    producer.count++;
    producer.credit--;
    return true;
}
function finish(producer, thrown) {
    if (producer.isOver) return;
    producer.isOver = true;
    producers.delete(producer.id);
    sendEnd(producer, thrown);
}
function sendEnd(producer, thrown) {
    const record = thrown === undefined ? undefined : recordOf(thrown, 0);
    try {
        control(controls.end, producer.id, producer.count, record);
    } catch {
        try {
            control(controls.end, producer.id, producer.count, bareRecord(record));
        } catch (error) { reportError(error); }
    }
}
function stopProducing(producer) {
    if (producer.isOver) return;
    producer.isOver = true;
    producers.delete(producer.id);
    abandonIterable(producer.iterator === undefined ? producer.iterable : producer.iterator);
}
function abandonIterable(iterator) {
    try {
        const { return: close } = iterator;
        if (typeof close !== "function") return;
        settle(ReflectApply(close, iterator, []), () => {}, reportError);
    } catch (error) { reportError(error); }
}
function receiveStop(id) {
    const producer = producers.get(id);
    if (producer === undefined) counts.unknownStreams++;
    else stopProducing(producer);
}
const consumers = makeSafeMap();
function makeConsumer(name, window) {
    return {
        name, window, id: undefined, callId: undefined, items: makeList(), waiting: makeList(), count: 0,
        early: undefined, earlyEnd: undefined, received: 0, granted: 0, consumed: 0, isOver: false, error: undefined,
        hasFailed: false, signal: undefined, follower: undefined, cancel: undefined, operation: state.operation,
    };
}
function open(consumer, id) {
    consumer.callId = undefined;
    if (consumer.isOver) {
        control(controls.stop, id, 0, noReason());
        return;
    }
    if (consumers.has(id)) {
        failConsumer(consumer, makeError("invalidMessage", "The other side used the same id for two streams."), false);
        return;
    }
    consumer.id = id;
    consumers.set(id, consumer);
    grant(consumer, consumer.window);
}
function grant(consumer, credit) {
    consumer.granted += credit;
    control(controls.more, consumer.id, credit, undefined);
}
function receiveNext(id, number, value) {
    const consumer = consumers.get(id);
    if (consumer === undefined) {
        counts.unknownStreams++;
        return;
    }
    if (number !== consumer.received) {
        keepEarly(consumer, number, value);
        return;
    }
    deliver(consumer, value);
    if (consumer.early !== undefined) deliverEarly(consumer);
}
function overrun(consumer) {
    return makeError("invalidMessage", "The stream \"" + consumer.name + "\" sent more than it had credit for.");
}
function keepEarly(consumer, number, value) {
    if (!(number > consumer.received) || number !== MathFloor(number)) return;
    if (number >= consumer.granted) {
        failConsumer(consumer, overrun(consumer), true);
        return;
    }
    if (consumer.early === undefined) consumer.early = makeSafeMap();
    consumer.early.set(number, { value });
}
function deliverEarly(consumer) {
    for (;;) {
        const next = consumer.early.get(consumer.received);
        if (next === undefined) break;
        consumer.early.delete(consumer.received);
        deliver(consumer, next.value);
    }
    if (consumer.earlyEnd !== undefined && consumer.earlyEnd.number === consumer.received) {
        end(consumer, consumer.earlyEnd.record);
    }
}
function deliver(consumer, value) {
    if (consumer.received >= consumer.granted) {
        failConsumer(consumer, overrun(consumer), true);
        return;
    }
    consumer.received++;
    if (consumer.waiting.first === null) {
        append(consumer.items, value);
        return;
    }
    const waiter = takeFirst(consumer.waiting);
    consume(consumer);
    waiter.resolve(result(value, false));
}
function consume(consumer) {
    consumer.consumed++;
    if (consumer.id === undefined || consumer.consumed * 2 < consumer.window) return;
    const credit = consumer.consumed;
    consumer.consumed = 0;
    grant(consumer, credit);
}
function receiveEnd(id, number, record) {
    const consumer = consumers.get(id);
    if (consumer === undefined) {
        counts.unknownStreams++;
        return;
    }
    if (number > consumer.received) {
        if (number > consumer.granted || number !== MathFloor(number)) {
            failConsumer(consumer, overrun(consumer), true);
            return;
        }
        consumer.earlyEnd = { number, record };
        return;
    }
    end(consumer, record);
}
function end(consumer, record) {
    if (record === undefined || record === null) complete(consumer);
    else failConsumer(consumer, errorOf(record, 0), false);
}
function close(consumer) {
    consumer.isOver = true;
    if (consumer.id !== undefined) consumers.delete(consumer.id);
    consumer.early = undefined;
    if (consumer.signal !== undefined) consumer.signal.unfollow(consumer.follower);
}
function complete(consumer) {
    if (consumer.isOver) return;
    close(consumer);
    while (consumer.waiting.first !== null) takeFirst(consumer.waiting).resolve(result(undefined, true));
}
function failConsumer(consumer, error, stops) {
    if (consumer.isOver) return;
    close(consumer);
    if (stops && consumer.id !== undefined) tellStop(consumer, error);
    if (consumer.waiting.first === null) {
        consumer.hasFailed = true;
        consumer.error = error;
        return;
    }
    takeFirst(consumer.waiting).reject(error);
    while (consumer.waiting.first !== null) takeFirst(consumer.waiting).resolve(result(undefined, true));
}
function tellStop(consumer, reason) {
    try {
        control(controls.stop, consumer.id, 0, bareRecord(recordOf(reason, 0)));
    } catch { }
}
function result(value, done) {
    return { value, done };
}
function giveUpStream(consumer, reason) {
    consumer.items = makeList();
    if (consumer.isOver) return;
    if (consumer.id !== undefined) tellStop(consumer, reason);
    else if (consumer.callId !== undefined && takeCall(consumer.callId) !== undefined) {
        cancelRemotely(consumer.callId, reason);
    }
    close(consumer);
    while (consumer.waiting.first !== null) takeFirst(consumer.waiting).resolve(result(undefined, true));
}
function next(consumer) {
    if (consumer.items.first !== null) {
        const value = takeFirst(consumer.items);
        if (!consumer.isOver) consume(consumer);
        return PromiseResolve(result(value, false));
    }
    if (consumer.hasFailed) {
        consumer.hasFailed = false;
        return PromiseReject(consumer.error);
    }
    if (consumer.isOver) return PromiseResolve(result(undefined, true));
    return new Promise((resolve, reject) => { append(consumer.waiting, { resolve, reject }); });
}
class BridgeStream {
    #consumer;
    constructor(key, consumer) {
        if (key !== consumers) throw new TypeError("Illegal constructor: bridge.openStream makes streams");
        this.#consumer = consumer;
    }
    next() {
        try {
            return next(this.#consumer);
        } catch (error) {
            return PromiseReject(error);
        }
    }
    return(value) {
        try {
            giveUpStream(this.#consumer, makeError("cancelled", "The consumer of the stream gave up."));
        } catch (error) {
            return PromiseReject(error);
        }
        return PromiseResolve(result(value, true));
    }
    throw(error) {
        try {
            giveUpStream(this.#consumer, error);
        } catch { }
        return PromiseReject(error);
    }
    close() { giveUpStream(this.#consumer, makeError("cancelled", "The consumer of the stream gave up.")); }
    [SymbolAsyncIterator]() { return this; }
}
ObjectSetPrototypeOf(BridgeStream.prototype, asyncIteratorPrototype());
for (const [name, method] of disposals()) {
    ObjectDefineProperty(BridgeStream.prototype, name, { __proto__: null, value: method, writable: true, configurable: true });
}
ObjectFreeze(BridgeStream.prototype);
ObjectFreeze(BridgeStream);
function asyncIteratorPrototype() {
    return ObjectGetPrototypeOf(ObjectGetPrototypeOf((async function* () {}).prototype));
}
function dispose() { this.close(); }
async function disposeAsync() { this.close(); }
function disposals() {
    const symbols = Symbol;
    const list = [];
    if (symbols.asyncDispose !== undefined) list.push([symbols.asyncDispose, disposeAsync]);
    if (symbols.dispose !== undefined) list.push([symbols.dispose, dispose]);
    return list;
}
function windowOf(options) {
    const window = isObject(options) ? options.window : undefined;
    if (window === undefined || window === null) return defaultWindow;
    if (typeof window !== "number" || !(window >= 1) || window > longestWindow || window !== MathFloor(window)) {
        const range = "A window is a whole number from 1 to " + longestWindow;
        throw makeError("invalidArgument", range + "; this is " + textOf(window) + ".");
    }
    return window;
}
function openStream(name, data, options) {
    const origin = noteCall(name);
    const consumer = makeConsumer(name, windowOf(options));
    const plain = (value) => {
        consumer.callId = undefined;
        consumer.granted = 1;
        deliver(consumer, value);
        complete(consumer);
    };
    const signal = signalOf(options);
    begin(name, data, options, plain, (error) => { failConsumer(consumer, error, false); }, origin, (
        call, id,
    ) => {
        consumer.callId = id;
        call.onStream = (stream) => { open(consumer, stream); };
        return accepts.streams;
    });
    if (signal !== undefined && !consumer.isOver) {
        consumer.signal = signal;
        consumer.follower = signal.follow(() => {
            const reason = signal.reason();
            failConsumer(consumer, reason === undefined ? makeError("cancelled", "The stream was cancelled.") : reason, true);
        });
    }
    return new BridgeStream(consumers, consumer);
}
const endedConsumers = makeEndedSet(), endedProducers = makeEndedSet();
function failStreams(record) {
    endedConsumers.take(consumers, undefined, false, (consumer) => { failConsumer(consumer, errorOf(record, 0), false); });
    endedProducers.take(producers, undefined, false, stopProducing);
}
function endStreams(operation, record) {
    const isOver = record === undefined;
    endedConsumers.take(consumers, operation, isOver, (consumer) => {
        if (!isOver) failConsumer(consumer, errorOf(record, 0), false);
        else {
            consumer.isOver = true;
            consumers.delete(consumer.id);
            if (consumer.signal !== undefined && !consumer.signal.isForeign) consumer.signal.unfollow(consumer.follower);
        }
    });
    endedProducers.take(producers, operation, isOver, (producer) => {
        if (!isOver) stopProducing(producer);
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
hooks.abandonIterable = abandonIterable;
hooks.produce = produce;
// bridge/topics.js
const topics = makeSafeMap();
const heard = makeSafeMap();
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
    checkName(name);
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
    checkName(name);
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
    checkName(name);
    if (!state.peerListens) {
        if (state.peerIsExtended) greet();
        request(name, data, undefined, 0, 0);
        return true;
    }
    const count = heard.get(name);
    if (count === undefined) return false;
    heard.set(name, count + 1);
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
let isTold = false;
function receiveSubscribe(name) {
    if (heard.has(name)) return;
    const maximum = host.maximumTopics;
    if (maximum === undefined || heard.size < maximum) {
        heard.set(name, 0);
        return;
    }
    counts.droppedMessages++;
    if (isTold) return;
    isTold = true;
    warn("the other side may listen to " + maximum
        + " topics; it gets no events of \"" + beginning(name, 200) + "\", nor of others beyond.");
}
function receiveUnsubscribe(name) {
    if (heard.delete(name)) isTold = false;
}
const forEachTopic = (body) => { topics.forEach((
    topic, name,
) => { body(name); }); };
const topicCount = () => topics.size;
hooks.takePlainEvent = takePlainEvent;
// bridge/references.js
const callName = "_wvjb.call";
const maximumMethods = 1024;
const kinds = { __proto__: null, function: "f", object: "o", yours: "y" };
const maximum = () => host.maximumReferences === undefined ? 100000 : host.maximumReferences;
function tooMany(count) {
    return makeError("limitExceeded", "Too many references held: " + count + " (limit " + maximum() + ").");
}
const exported = makeSafeMap();
const exportedIds = makeSafeMap();
let lastReferenceNumber = 0;
function newReferenceId() {
    lastReferenceNumber++;
    if (isDirect) return "ref_" + lastReferenceNumber;
    const id = "ref_" + lastReferenceNumber + "_" + MathFloor(environment.now());
    return host.epoch ? id + "_" + host.epoch : id;
}
class BridgeReference {
    #value;
    constructor(key, value) {
        if (key !== exported) throw new TypeError("Illegal constructor: bridge.reference makes references");
        this.#value = value;
    }
    static of(value) { return #value in value ? value.#value : undefined; }
}
const referredBy = BridgeReference.of;
ObjectFreeze(BridgeReference.prototype);
ObjectFreeze(BridgeReference);
function reference(value) {
    if (!isObject(value)) throw makeError("invalidArgument", "A reference must be to a function or an object; this is " + textOf(value) + ".");
    return new BridgeReference(exported, value);
}
function methodsOf(object) {
    const methods = makeSafeMap();
    for (let place = object; place !== null && place !== ObjectPrototype; place = ObjectGetPrototypeOf(place)) {
        const keys = ReflectOwnKeys(place);
        for (let index = 0; index < keys.length; index++) {
            const key = keys[index];
            if (typeof key !== "string" || key === "constructor" || methods.has(key) || StringPrototypeIncludes(key, "\0")) continue;
            if (typeof read(object, key) !== "function") continue;
            if (methods.size >= maximumMethods) {
                throw makeError("limitExceeded", "An object may have " + maximumMethods + " methods by reference.");
            }
            methods.set(key, true);
        }
    }
    return methods;
}
function isReferred(value) {
    return referredBy(value) !== undefined || WeakMapPrototypeGet(holdings, value) !== undefined;
}
function exportReference(marked) {
    const value = typeof marked === "function" ? marked : referredBy(marked) ?? marked;
    const held = WeakMapPrototypeGet(holdings, value);
    if (held !== undefined) {
        checkHeld(held.holding);
        return { __proto__: null, id: held.holding.id, k: "yours" };
    }
    let id = exportedIds.get(value), entry;
    if (id === undefined) {
        if (exported.size >= maximum()) throw tooMany(exported.size);
        entry = { value, count: 0, methods: typeof value === "function" ? undefined : methodsOf(value) };
        id = newReferenceId();
        exported.set(id, entry);
        exportedIds.set(value, id);
    } else entry = exported.get(id);
    entry.count++;
    if (entry.methods === undefined) return { __proto__: null, id, k: "function" };
    const names = ObjectSetPrototypeOf([], null);
    entry.methods.forEach((_, name) => { names[names.length] = name; });
    return { __proto__: null, id, k: "object", m: names };
}
function releaseReference(id, count) {
    const entry = exported.get(id);
    if (entry === undefined && hooks.releaseKept(id)) return;
    if (entry === undefined || typeof count !== "number" || !(count > 0)) {
        counts.unknownReferences++;
        return;
    }
    entry.count -= count;
    if (entry.count > 0) return;
    exported.delete(id);
    exportedIds.delete(entry.value);
}
function takeBack(entries) {
    for (let index = 0; index < entries.length; index++) {
        if (entries[index].k !== "yours") releaseReference(entries[index].id, 1);
    }
}
function receiveRelease(list) {
    if (!ArrayIsArray(list)) return receiveReleaseOf(list);
    for (let index = 0; index < list.length; index++) receiveReleaseOf(list[index]);
}
function receiveReleaseOf(record) {
    if (!isObject(record)) return;
    const count = own(record, "n");
    releaseReference(own(record, "id"), count === undefined ? 1 : count);
}
const unknown = "The reference is unknown: it was never passed, or was released.";
function entryOf(target) {
    if (typeof target === "function") return { value: target, methods: undefined };
    const value = isObject(target) ? referredBy(target) : undefined;
    return value === undefined ? exported.get(target) : { value, methods: methodsOf(value) };
}
registerReserved(callName, (data) => {
    const entry = isObject(data) ? entryOf(own(data, "id")) : undefined;
    if (entry === undefined) throw makeError("invalidArgument", unknown);
    const name = own(data, "m"), given = own(data, "args");
    const list = ArrayIsArray(given) ? given : [];
    if (entry.methods === undefined) {
        if (name !== undefined) throw makeError("handlerNotFound", "The reference is to a function, which has no method \"" + textOf(name) + "\".");
        return ReflectApply(entry.value, undefined, list);
    }
    if (!entry.methods.has(name)) throw makeError("handlerNotFound", "The object has no method \"" + textOf(name) + "\".");
    return ReflectApply(entry.value[name], entry.value, list);
});
const held = makeSafeMap();
const nets = makeSafeMap();
let lastNet = 0;
const holdings = new WeakMap();
const registry = host.makeNet === undefined && FinalizationRegistry !== undefined
    ? new FinalizationRegistry((number) => { finalizeReference(number); }) : undefined;
function checkHeld(holding) {
    if (holding.isReleased) throw makeError("invalidArgument", "This reference was released and cannot be used any more.");
}
function importReference(id, kind, methods) {
    if (kind === "yours") {
        const entry = exported.get(id);
        if (entry === undefined) throw makeError("decodeFailed", unknown);
        return entry.value;
    }
    const known = held.get(id);
    if (known !== undefined && !known.isReleased) {
        const value = WeakRefPrototypeDeref(known.weak);
        if (value !== undefined) {
            known.count++;
            return value;
        }
    }
    if (nets.size >= maximum()) {
        tellRelease(id, 1);
        throw tooMany(nets.size);
    }
    const number = ++lastNet;
    const holding = { id, number, count: 1, isReleased: false, weak: undefined };
    const value = kind === "object" ? makeObject(holding, methods) : makeFunction(holding);
    holding.weak = new WeakRef(value);
    const net = host.makeNet === undefined ? undefined : host.makeNet(number);
    WeakMapPrototypeSet(holdings, value, { holding, net });
    if (registry !== undefined) FinalizationRegistryPrototypeRegister(registry, value, number);
    held.set(id, holding);
    nets.set(number, holding);
    return value;
}
function callHolding(
    holding, name, values,
    options,
) {
    try {
        checkHeld(holding);
    } catch (error) {
        return PromiseReject(error);
    }
    const data = { __proto__: null, id: holding.id, m: name, args: values };
    if (name === undefined) delete data.m;
    return callWithPromise(callName, data, options);
}
function addDisposal(value, holding) {
    const dispose = () => { letGo(holding); };
    ObjectDefineProperty(value, "release", { __proto__: null, value: dispose });
    const symbol = disposeSymbol;
    if (symbol !== undefined) ObjectDefineProperty(value, symbol, { __proto__: null, value: dispose });
}
const symbols = Symbol;
const disposeSymbol = symbols.dispose;
function makeFunction(holding) {
    const value = (...values) => callHolding(holding, undefined, values, undefined);
    ObjectDefineProperty(value, "name", { __proto__: null, value: "" });
    addDisposal(value, holding);
    return ObjectFreeze(value);
}
const ReferencePrototype = ObjectFreeze(ObjectSetPrototypeOf({}, null));
function makeObject(holding, methods) {
    const value = ObjectSetPrototypeOf({}, ReferencePrototype);
    for (let index = 0; index < methods.length && index < maximumMethods; index++) {
        const name = methods[index];
        if (typeof name !== "string" || name === "then") continue;
        const method = (...values) => callHolding(holding, name, values, undefined);
        ObjectDefineProperty(method, "name", { __proto__: null, value: name });
        define(value, name, ObjectFreeze(method), true);
    }
    if (!ObjectHasOwn(value, "release")) addDisposal(value, holding);
    return ObjectFreeze(value);
}
function letGo(holding) {
    if (holding.isReleased) return;
    holding.isReleased = true;
    nets.delete(holding.number);
    if (held.get(holding.id) === holding) held.delete(holding.id);
    tellRelease(holding.id, holding.count);
}
function finalizeReference(number) {
    const holding = nets.get(number);
    if (holding !== undefined) letGo(holding);
}
let releases;
function tellRelease(id, n) {
    if (releases === undefined) {
        releases = ObjectSetPrototypeOf([], null);
        queueJob(tellReleases);
    }
    releases[releases.length] = { __proto__: null, id, n };
}
const aroundList = 128, aroundEntry = 14;
function tellReleases() {
    const list = releases;
    releases = undefined;
    const room = isDirect ? Infinity : (host.maximumMessageLength ?? Infinity) - aroundList;
    let part = ObjectSetPrototypeOf([], null), length = 0;
    for (let index = 0; index < list.length; index++) {
        const { id, n } = list[index];
        const added = isDirect ? 0 : JSONStringify(id).length + JSONStringify(n).length + aroundEntry;
        length += added;
        if (part.length > 0 && (length > room || 1 + 3 * (part.length + 1) > host.maximumNodes)) {
            tellPart(part);
            part = ObjectSetPrototypeOf([], null);
            length = added;
        }
        part[part.length] = list[index];
    }
    tellPart(part);
}
function tellPart(list) {
    try { control(controls.release, "", list.length, list); } catch (error) { reportError(error); }
}
const notes = { __proto__: null, f: "function", o: "object", y: "yours" };
function noteOf(entry) {
    let text = kinds[entry.k] + entry.id;
    if (entry.k === "object") for (let index = 0; index < entry.m.length; index++) text += "\0" + entry.m[index];
    return text;
}
const exportReferenceNote = (value) => noteOf(exportReference(value));
referenceHooks.exportReference = exportReferenceNote;
referenceHooks.takeBackReference = (note) => { if (note[0] !== "y") releaseReference(idOfNote(note), 1); };
const importReferenceNote = (note, methods) => {
    const list = ObjectSetPrototypeOf([], null);
    let start = 0;
    for (let index = 0; index <= methods.length; index++) {
        if (index < methods.length && methods[index] !== "\0") continue;
        if (index > start) list[list.length] = StringPrototypeSlice(methods, start, index);
        start = index + 1;
    }
    return importReference(StringPrototypeSlice(note, 1), notes[note[0]], list);
};
referenceHooks.isReferred = isReferred;
const referenceCounts = () => ({ __proto__: null, exported: exported.size, held: nets.size });
function idOfNote(note) {
    for (let index = 0; index < note.length; index++) {
        if (note[index] === "\0") return StringPrototypeSlice(note, 1, index);
    }
    return StringPrototypeSlice(note, 1);
}
function callReference(value, values, options) {
    const known = isObject(value) ? WeakMapPrototypeGet(holdings, value) : undefined;
    const name = isObject(options) ? options.method : undefined;
    if (known === undefined) {
        return PromiseReject(makeError("invalidArgument", "callReference takes a reference from the other side."));
    }
    if (values !== undefined && !ArrayIsArray(values)) {
        return PromiseReject(makeError("invalidArgument", "The arguments of a reference must be an array."));
    }
    return callHolding(known.holding, name, values === undefined ? [] : values, options);
}
const heldValue = (id) => WeakRefPrototypeDeref(held.get(id).weak);
const exportedValue = (id) => {
    const { value, methods } = exported.get(id);
    return methods === undefined ? value : new BridgeReference(exported, value);
};
hooks.exportReference = exportReference;
hooks.exportedValue = exportedValue;
hooks.heldValue = heldValue;
hooks.importReference = importReference;
hooks.isReferred = isReferred;
hooks.takeBack = takeBack;
// bridge/pipelining.js
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
        if (keeps) tellRelease(call.id, 1);
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
referenceHooks.settledValue = settledValue;
referenceHooks.resultOf = resultOf;
const keptCount = () => kept.size + waitingCount;
hooks.resultOf = resultOf;
hooks.settledValue = settledValue;
hooks.valueAt = valueAt;
hooks.keepFailure = keepFailure;
hooks.keepReply = keepReply;
hooks.releaseKept = releaseKept;
// bridge/receiving.js
const inbox = makeList();
let isSynchronous = isDirect;
let isSettingUp = false;
let missedTurns = 0;
function later(body) {
    if (setTimer !== undefined) setTimer(body, 0);
    else queueJob(body);
}
function receive(dispatch) {
    append(inbox, { dispatch, operation: state.operation });
    if (!isSynchronous) later(dispatchNext);
    else if (!isSettingUp) dispatchAll();
}
function dispatchNext() {
    if (isSettingUp) missedTurns++;
    else if (inbox.first !== null) takeOwn().dispatch();
}
function takeOwn() {
    let before = null, node = inbox.first;
    while (node !== null && node.value.operation !== state.operation) {
        before = node;
        node = node.next;
    }
    if (before === null || node === null) return takeFirst(inbox);
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
    else for (; missedTurns > 0; missedTurns--) later(dispatchNext);
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
function makeModules() {
    return {
        call(
            module, method, data,
            callback,
        ) {
            callWithCallback(joinName(module, method), data, callback);
        },
        syncCall(module, method, data) {
            const text = nativeSide.prompt(JSONStringify({
                __proto__: null, module: module || "default", method, data,
            }));
            return typeof text === "string" && text !== "" ? JSONParse(text) : null;
        },
        on(name, callback) {
            let observers = markOf(name);
            if (observers === undefined) {
                observers = { list: makeList() };
                registerHandler(name, (data) => { tell(observers.list, data); }, true, observers);
            }
            append(observers.list, callback);
        },
        off(name, callback) {
            const observers = markOf(name);
            if (observers === undefined) return;
            const rest = makeList();
            if (callback !== undefined) {
                for (let node = observers.list.first; node !== null; node = node.next) {
                    if (node.value !== callback) append(rest, node.value);
                }
            }
            observers.list = rest;
        },
    };
}
function tell(list, data) {
    for (let node = list.first; node !== null; node = node.next) {
        const { value } = node;
        try { value(data); } catch (error) { reportError(error); }
    }
}
let lastStub = 0;
function sendMethod(message, isCopied) {
    if (message.responseId !== undefined) {
        returnValue(message.responseId, message.responseData, true, message.x, isCopied);
        return;
    }
    const argument = { __proto__: null, data: message.data === undefined ? null : message.data, x: message.x };
    const id = message.callbackId;
    let stub;
    if (id !== undefined) {
        argument._dscbstub = stub = "dscb" + lastStub++;
    }
    const text = written(argument, message.handlerName, isCopied, 1);
    if (stub !== undefined) define(global, stub, (
        data, x,
    ) => { receiveAnswer(id, data, x); }, false);
    nativeSide.callMethod(message.handlerName, text);
}
function receiveAnswer(id, data, x) {
    if (isObject(x) && own(x, "p") === true) {
        receiveText({ __proto__: null, handlerName: "_wvjb.progress", data: { __proto__: null, id, v: data }, x });
        return;
    }
    const response = { __proto__: null, responseId: id, responseData: data };
    if (isObject(x)) response.x = x;
    receiveText(response);
}
function returnValue(
    id, data, complete, x,
    isCopied,
) {
    const answer = { __proto__: null, data: { __proto__: null, id: +id, complete, data, x } };
    nativeSide.callMethod("_dsb.returnValue", written(answer, undefined, isCopied, 2));
}
function written(
    message, name,
    isCopied, around,
) {
    const text = JSONStringify(message);
    checkLength(text, name);
    if (!isCopied) checkDepth(text, around);
    return text;
}
class Arguments {
    #list;
    #id;
    constructor(list, id) {
        this.#list = list;
        this.#id = id;
    }
    static list(data) {
        if (isObject(data) && #list in data) return data.#list;
        return data === undefined ? [] : ArrayIsArray(data) ? data : [data];
    }
    static id(data) { return isObject(data) && #id in data ? data.#id : undefined; }
}
function receiveMethod(info) {
    const name = isObject(info) ? own(info, "method") : undefined;
    let list = isObject(info) ? own(info, "data") : undefined;
    try {
        if (typeof list === "string") list = JSONParse(list);
    } catch { list = undefined; }
    const message = { __proto__: null, get data() { return dataOf(name, list, message.callbackId); } };
    if (typeof name === "string") message.handlerName = name;
    const id = isObject(info) ? own(info, "callbackId") : undefined;
    if (typeof id === "number" && id > 0) message.callbackId = String(id);
    if (isObject(info)) {
        const x = own(info, "x");
        if (x !== undefined) message.x = x;
    }
    receiveText(message);
}
function dataOf(name, list, id) {
    if (!ArrayIsArray(list)) return undefined;
    if (markOf(name) !== undefined) return new Arguments(list, id);
    if (list.length === 1 || typeof name === "string" && StringPrototypeStartsWith(name, reservedPrefix)) return list[0];
    return list.length > 1 ? list : undefined;
}
function registerMethod(
    name, method, owner, isAsynchronous,
) {
    registerHandler(name, (data, reply) => {
        const list = Arguments.list(data);
        const id = Arguments.id(data);
        if (!isAsynchronous) {
            reply(ReflectApply(method, owner, list));
            return;
        }
        const values = [];
        for (let index = 0; index < list.length; index++) define(values, index, list[index], true);
        define(values, list.length, (value, complete) => {
            if (complete !== false) reply(value);
            else if (id !== undefined) returnValue(id, value, false, undefined, false);
        }, true);
        ReflectApply(method, owner, values);
    }, true, true);
}
function register(name, method, isAsynchronous) {
    if (typeof method === "function") {
        registerMethod(name, method, undefined, isAsynchronous);
        return;
    }
    for (const key in method) {
        if (ObjectHasOwn(method, key) && typeof method[key] === "function") {
            registerMethod(name + "." + key, method[key], method, isAsynchronous);
        }
    }
}
function makeMethods() {
    const members = {
        call(
            name, argument,
            callback,
        ) {
            if (typeof argument === "function") {
                callback = argument;
                argument = {};
            }
            const data = argument === undefined ? null : argument;
            if (typeof callback === "function") {
                callWithCallback(name, data, callback);
                return undefined;
            }
            const text = nativeSide.callMethod(name, JSONStringify({ __proto__: null, data }));
            let answer;
            try { answer = JSONParse(text || "{}"); } catch { answer = {}; }
            if (!isObject(answer)) return undefined;
            if (own(answer, "code") === -1) {
                log("warn", dialect.global + ": the native side has no synchronous method \"" + name + "\".");
            }
            return own(answer, "data");
        },
        register(name, method) { register(name, method, false); },
        registerAsyn(name, method) { register(name, method, true); },
        hasNativeMethod(name, type) {
            return members.call("_dsb.hasNativeMethod", { name, type: type || "all" });
        },
        disableJavascriptDialogBlock(disable) {
            members.call("_dsb.disableJavascriptDialogBlock", { disable: disable !== false });
        },
    };
    registerHandler("_hasJavascriptMethod", (
        name, reply,
    ) => { reply(hasHandler(String(name))); }, true);
    return members;
}
if (dialect.face === "methods") state.post = sendMethod;
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
let stayingList, stayingCount = 0;
const maximumLateCallbacks = 10000;
function runSetUp() {
    const callbacks = setUpList();
    if (callbacks === undefined) return;
    noteUse();
    if (!ReflectDeleteProperty(global, dialect.list)) {
        try { global[dialect.list] = undefined; } catch { }
    }
    const length = () => isObject(callbacks) ? read(callbacks, "length") : 0;
    const first = callbacks === stayingList ? stayingCount : 0, count = length();
    const stays = setUpList() === callbacks;
    if (stays) stayingList = callbacks;
    for (let index = first; index < length(); index++) {
        if (index >= count + maximumLateCallbacks) {
            log("warn", "Of the set-up callbacks that others push, " + maximumLateCallbacks + " are run; the rest is not.");
            break;
        }
        if (stays) stayingCount = index + 1;
        try {
            const callback = callbacks[index];
            callback(legacy);
        } catch (error) {
            reportError(error);
        }
    }
}
let isReadyTold = false;
function tellReady() {
    if (dialect.readyEvent === null || isReadyTold) return;
    isReadyTold = true;
    dispatchReady(legacy);
}
function finishSetUp() {
    if (host.awaitsUse !== true) tellReady();
    runSetUp();
    if (!dialect.waitsForInit) awaitUse();
    if (dialect.face === "methods") nativeSide.callMethod("_dsb.dsinit", "{\"data\":null}");
}
function awaitUse() {
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
        if (dialect.readyEvent !== null && !isReadyTold && read(read(global, "document"), "readyState") === "complete") {
            later(tellReady);
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
    installBridge, noteUse, noteEnded, disconnect, enterOperation, endOperation, hasHandler, isReferred, takeQueue,
    takeMessage, tables, pendingCount, streamCount, topicCount, referenceCounts, keptCount,
    deliverTrace: noteTrace, exportReference: exportReferenceNote, importReference: importReferenceNote,
    finalizeReference, counts: countsNow, partOf, handlersOf,
});
bundles.bridge = {
    __proto__: null,
    addToBridge, append, bytesOf, callSynchronously, callWithPromise, dialect, disableName, makeError, makeList,
    nativeSide, noteUse, openStream, own, read, reservedPrefix, settle, state, textOf,
};
})
