// The handlers of this side: they run for requests and send replies.
import { GeneratorPrototype } from "./builtins.js";
import { makeEndedSet } from "./call_table.js";
import { checkName } from "./calls.js";
import { bareRecord, errorOf, makeError, recordOf, warn } from "./errors.js";
import { hooks } from "./hooks.js";
import { beginning, read } from "./objects.js";
import { control, controls, respond, respondWithStream } from "./sending.js";
import { accepts, counts, disableName, noteUse, reservedPrefix, state } from "./state.js";
import { enterTraceOfRequest, takeTrace } from "./traces.js";
import { log } from "../engine/console.js";
import { environment } from "../engine/environment.js";
import { describeInto, enterDeadline, originOf } from "../engine/errors.js";
import { abortSignal, makeSignal } from "../engine/events.js";
import { native } from "../engine/native.js";
import { isObject } from "../engine/objects.js";
import {
    JSONStringify, MathMax, MathMin, ObjectFreeze, ObjectGetPrototypeOf, ObjectPrototype, PromisePrototype, PromisePrototypeThen,
    makeSafeMap, StringPrototypeCharCodeAt, StringPrototypeStartsWith, StringPrototypeToLowerCase,
    SymbolAsyncIterator, TypeError, Uint8Array, makeNameTable,
} from "../engine/primordials.js";
import { adopt } from "../engine/promises.js";
import { noteRegistration, replaceNoted } from "../engine/registrations.js";
import { reportError } from "../engine/uncaught.js";

const handlers = makeNameTable();
// The calls of the other side that were not replied to in their turn, by their ids.
const incoming = makeSafeMap(), endedReplies = makeEndedSet();

// Removes a handler. Those of the protocol stay: without one of them the host could never become synchronous (P36).
export function removeHandler(/** @type {string} */ name) {
    const entry = handlers.get(name);
    if (entry === undefined || typeof name === "string" && isOwnName(name)) return false;
    handlers.delete(name);
    noteRegistration(nothing, () => { if (!handlers.has(name)) handlers.set(name, entry); });
    return true;
}

// Registers a handler. `mark` is the dialect's own data for it, which is removed or replaced together with the
// handler.
export function registerHandler(
    /** @type {string | undefined} */ name, /** @type {(...values: any[]) => any} */ handler,
    /** @type {boolean} */ isLegacy, /** @type {any} */ mark,
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

// Returns whether a handler belongs to the protocol.
function isOwnName(/** @type {string | undefined} */ name) {
    return name === disableName || StringPrototypeStartsWith(name, reservedPrefix);
}

const nothing = () => {};

// ---------------------------------------------------------------- one call of the other side

/** @returns {any} */
function makeReply(
    /** @type {string} */ name, /** @type {any} */ id, /** @type {number} */ accepted,
    /** @type {boolean} */ isLegacy,
) {
    return {
        name, id, accepted, isLegacy, isDone: false, signal: undefined, reason: undefined, stream: undefined,
        operation: state.operation, until: null,
    };
}

    // The third parameter of a handler: information about the call, and a way to report progress to its caller.
class HandlerCall {
    #reply;
    #name;
    #until;
    #trace;
    constructor(
        /** @type {any} */ key, /** @type {string} */ name, /** @type {any} */ reply, /** @type {any} */ until,
        /** @type {BridgeTrace | undefined} */ trace,
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
    progress(/** @type {unknown} */ value) {
        const reply = this.#reply;
        if (reply.isDone || (reply.accepted & accepts.progress) === 0) return false;
        control(controls.progress, reply.id, 0, value);
        return true;
    }
}
ObjectFreeze(HandlerCall.prototype);
ObjectFreeze(HandlerCall);

// Created on first access, because most handlers never use it.
function signalOfReply(/** @type {any} */ reply) {
    if (reply.signal === undefined) {
        reply.signal = makeSignal();
        if (reply.reason !== undefined) abortSignal(reply.signal, reply.reason);
    }
    return reply.signal;
}

// Aborts the handler's signal after the caller cancelled; the handler may still reply.
function abort(/** @type {any} */ reply, /** @type {unknown} */ reason) {
    if (reply.reason !== undefined) return;
    reply.reason = reason;
    if (reply.signal !== undefined) abortSignal(reply.signal, reason);
    if (reply.stream !== undefined) reply.stream.stop();
}

// A cancellation may arrive before its call. At least this many are remembered, and at most twice as many.
const maximumEarly = 64;
let earlyCancels = makeSafeMap();
let earlier = makeSafeMap();

function cancellationOf(/** @type {any} */ record) {
    const error = errorOf(isObject(record) ? record : { __proto__: null, code: "cancelled", msg: "" }, 0);
    return error.message === "" ? makeError("cancelled", "The caller gave up.") : error;
}

export function receiveCancel(/** @type {any} */ id, /** @type {any} */ record) {
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

function takeEarlyCancel(/** @type {any} */ id) {
    if (earlyCancels.size + earlier.size === 0) return undefined;
    const record = earlyCancels.has(id) ? earlyCancels.get(id) : earlier.get(id);
    const isKnown = earlyCancels.has(id) || earlier.has(id);
    earlyCancels.delete(id);
    earlier.delete(id);
    return isKnown ? cancellationOf(record) : undefined;
}

// Sends a result, once. If its payload cannot be sent, throws and leaves the reply open, so that another can
// follow.
function succeed(/** @type {any} */ reply, /** @type {unknown} */ value) {
    if (reply.isDone) {
        counts.duplicateReplies++;
        log("warn", "The handler \"" + reply.name + "\" replied twice to one call; the second reply is ignored.");
        return;
    }
    // Set before the payload is encoded: a toJSON that replies as well must see that the reply is sent.
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

// Ends the deadline: after the reply, the handler's further calls inherit no deadline.
function endTime(/** @type {any} */ reply) {
    if (reply.until !== null) reply.until.time = Infinity;
}

// Sends an error to a caller that supports errors; otherwise reports it to the host, so that it is not lost (P56,
// P57).
function failReply(/** @type {any} */ reply, /** @type {unknown} */ thrown) {
    if (reply === null || reply.isDone || (reply.accepted & accepts.errors) === 0) {
        reportError(thrown);
        return;
    }
    reply.isDone = true;
    incoming.delete(reply.id);
    endTime(reply);
    // For a host that shows the outcome of its own call of this handler.
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

// Only generators: arrays, maps and sets can be iterated too, and are data.
function isGenerator(/** @type {any} */ value) {
    const prototype = ObjectGetPrototypeOf(value);
    return prototype !== ObjectPrototype && prototype !== null && ObjectGetPrototypeOf(prototype) === GeneratorPrototype;
}

// Replies with a stream for an async iterator or a generator, otherwise with the value itself.
function answer(/** @type {any} */ reply, /** @type {any} */ value) {
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

function stream(/** @type {any} */ reply, /** @type {any} */ iterable) {
    if (reply.isDone) return;
    // The stream would have no reader, and only a reader ends a stream that never ends by itself.
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
    // The deadline was for the opening only.
    endTime(reply);
    const id = hooks.produce(iterable, reply);
    respondWithStream(reply.id, reply.name, id);
}

// Records a call that is not replied to yet, so that it can be cancelled. A caller without support for errors never
// cancels, and its call may never be replied to.
function noteIncoming(/** @type {any} */ reply) {
    if (reply.accepted === 0 || reply.isDone || incoming.has(reply.id)) return;
    incoming.set(reply.id, reply);
    const reason = takeEarlyCancel(reply.id);
    if (reason === undefined) return;
    incoming.delete(reply.id);
    abort(reply, reason);
}

// Runs the handler of a request; returns whether something of it may wait for a promise.
export function handleRequest(
    /** @type {string} */ name, /** @type {unknown} */ data, /** @type {any} */ id, /** @type {number} */ ttl,
    /** @type {number} */ accepted, /** @type {string | undefined} */ text,
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
        // A handler that only returns its result cannot be notified before it returns.
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
            result = reply === null ? handler(data, nothing) : handler(data, (/** @type {unknown} */ value) => { succeed(reply, value); });
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
        settle(result, nothing, (/** @type {unknown} */ error) => { failReply(reply, error); });
    } else if (isObject(result)) {
        noteIncoming(reply);
        settle(result, (/** @type {unknown} */ value) => { answer(reply, value); }, (/** @type {unknown} */ error) => { failReply(reply, error); });
    } else {
        try { succeed(reply, result); } catch (error) { failReply(reply, error); }
    }
    return isObject(result);
}

// Waits for a promise of any kind, whatever scripts changed in `then`, species or constructors.
export function settle(
    /** @type {any} */ value, /** @type {(...values: any[]) => any} */ onValue,
    /** @type {(...values: any[]) => any} */ onError,
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
        } catch { /* its species was changed, before any reaction was registered; `await` reads none */ }
    }
    adopt(value, onValue, onError);
}

// Warns of an unknown handler. In process the error is the host's, so the warning goes to its log.
function warnUnknown(
    /** @type {string} */ name, /** @type {any} */ id, /** @type {string | undefined} */ text,
    /** @type {string} */ hint,
) {
    if (host.warnHost !== undefined) { warn("the script has no handler \"" + beginning(name, 200) + "\"." + hint); return; }
    const shown = text === undefined ? JSONStringify({ __proto__: null, handlerName: name, callbackId: id }) : text;
    warn("no handler for message from ObjC: " + cut(shown));
}

// Refuses a request without a handler: a line on the console in the original library's words (P54), and an error
// reply only to a caller that supports errors (P56).
function refuseUnknown(
    /** @type {string} */ name, /** @type {any} */ id, /** @type {number} */ accepted,
    /** @type {string | undefined} */ text,
) {
    const isAnswered = id !== undefined && (accepted & accepts.errors) !== 0;
    if (!isAnswered && host.warnHost === undefined) { warnUnknown(name, id, text, ""); return; }
    const near = nearName(name);
    const hint = near === undefined ? "" : " Did you mean \"" + near + "\"?";
    warnUnknown(name, id, text, hint);
    if (!isAnswered) return;
    /** @type {any} */
    const error = makeError("handlerNotFound", "No handler is registered for \"" + name + "\"." + hint);
    try {
        respond(id, name, false, { __proto__: null, code: error.code, msg: error.message });
    } catch (failure) {
        reportError(failure);
    }
}

function cut(/** @type {string} */ text) {
    return text.length > 500 ? beginning(text, 500) + " [...]" : text;
}

function nearName(/** @type {string} */ name) {
    if (name.length === 0 || name.length > 64 || handlers.size > 1000) return undefined;
    const folded = StringPrototypeToLowerCase(name);
    let best, bestDistance = name.length < 6 ? 2 : 3;
    handlers.forEach((/** @type {any} */ entry, /** @type {any} */ candidate) => {
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

function editDistance(/** @type {any} */ from, /** @type {any} */ to) {
    // Typed arrays, since their elements are their own whatever a script puts on a prototype.
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

// Aborts all calls of the other side, after the host has terminated the script or is gone.
export function abandonAll(/** @type {BridgeErrorRecord} */ record) {
    const reason = errorOf(record, 0);
    endedReplies.take(incoming, undefined, false, (/** @type {any} */ reply) => { abort(reply, reason); });
}

// Aborts the calls of an operation; without a record it has ended, and none of its code runs.
export function endIncoming(/** @type {number} */ operation, /** @type {BridgeErrorRecord} */ record) {
    endedReplies.take(incoming, operation, record === undefined, (/** @type {any} */ reply) => {
        incoming.delete(reply.id);
        if (record !== undefined) abort(reply, errorOf(record, 0));
    });
}

export const noteEndedIncoming = (/** @type {number} */ operation) => { endedReplies.note(incoming, operation); };
// Only for handlers that users registered.
export const forEachHandler = (/** @type {(...values: any[]) => any} */ body) => {
    handlers.forEach((
        /** @type {any} */ entry, /** @type {string} */ name,
    ) => { if (!isOwnName(name)) body(name, entry); });
};
export const forEachIncoming = (/** @type {(...values: any[]) => any} */ body) => { incoming.forEach((
    /** @type {any} */ reply, /** @type {any} */ id,
) => { body(id, reply.name); }); };
export const registerReserved = (/** @type {string} */ name, /** @type {(...values: any[]) => any} */ handler) => {
    handlers.set(name, { handler, isLegacy: false, takesCallback: false, takesCall: false, mark: undefined });
};
export const markOf = (/** @type {string} */ name) => {
    const entry = handlers.get(name);
    return entry === undefined ? undefined : entry.mark;
};
export const hasHandler = (/** @type {string} */ name) => handlers.has(name);
