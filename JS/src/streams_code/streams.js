// Streams: the items of a handler, and the consumer's side of them. The producer sends an item only for credit that the
// consumer granted, so that neither side buffers more than a window of items.
import { AsyncIteratorPrototype, SymbolAsyncDispose, SymbolDispose } from "../bridge/builtins.js";
import { begin, cancelRemotely, noteCall, signalOf, takeCall } from "../bridge/calls.js";
import { bareRecord, encodingError, errorOf, makeError, recordOf } from "../bridge/errors.js";
import { settle } from "../bridge/handlers.js";
import { append, makeList, takeFirst } from "../bridge/list.js";
import { textOf } from "../bridge/objects.js";
import { control, controls } from "../bridge/sending.js";
import { accepts, counts, isDirect, state } from "../bridge/state.js";
import { consumers, producers } from "../bridge/streams.js";
import { sendItem } from "../bridge/transport.js";
import { environment } from "../engine/environment.js";
import { enterOrigin, noteOrigin } from "../engine/errors.js";
import { isObject } from "../engine/objects.js";
import {
    MathFloor, ObjectDefineProperty, ObjectFreeze, ObjectSetPrototypeOf, Promise, PromiseReject, PromiseResolve,
    ReflectApply, SymbolAsyncIterator, TypeError, makeSafeMap,
} from "../engine/primordials.js";
import { reportError } from "../engine/uncaught.js";

// The number of items that may be in transit to a consumer that sets no other number.
const defaultWindow = 64;
const longestWindow = 65536;

const noReason = () => ({ __proto__: null, code: "cancelled", msg: "The consumer of the stream gave up." });

// ---------------------------------------------------------------- producing

let lastStream = 0;

function newStreamId() {
    lastStream++;
    if (isDirect) return lastStream;
    const id = "st_" + lastStream + "_" + MathFloor(environment.now());
    return host.epoch ? id + "_" + host.epoch : id;
}

// Begins a stream of the items of an async iterable; its iterator is not used before there is credit.
export function produce(/** @type {AsyncIterable<any>} */ iterable, /** @type {any} */ reply) {
    const id = newStreamId();
    // The functions are created once: two for each item were a tenth of its cost.
    const producer = {
        id, name: reply.name, accepted: reply.accepted, iterator: undefined, iterable, isGenerator: false, credit: 0, count: 0, isPumping: false, isOver: false,
        isSettling: false, continues: false,
        operation: reply.operation,
        origin: noteOrigin("after a stream of \"" + reply.name + "\""),
        stop() { stopProducing(producer); },
        onStep(/** @type {any} */ result) {
            const isTaken = take(producer, result);
            if (producer.isSettling) producer.continues = isTaken;
            else if (isTaken) pump(producer);
        },
        onError(/** @type {unknown} */ error) { finish(producer, error); },
    };
    reply.stream = producer;
    producers.set(id, producer);
    return id;
}

export function receiveMore(/** @type {any} */ id, /** @type {any} */ credit) {
    const producer = producers.get(id);
    if (producer === undefined) {
        counts.unknownStreams++;
        return;
    }
    if (typeof credit !== "number" || !(credit > 0) || credit !== MathFloor(credit)) return;
    producer.credit += credit;
    if (!producer.isPumping) pump(producer);
}

// A loop over synchronous results: with recursion, an iterator that returns no promises would exhaust the stack.
function pump(/** @type {any} */ producer) {
    producer.isPumping = true;
    while (!producer.isOver && producer.credit > 0) {
        enterOrigin(producer.origin);
        let step;
        try {
            if (producer.iterator === undefined) openIterator(producer);
            step = producer.iterator.next();
        } catch (error) {
            finish(producer, error);
            return;
        }
        producer.isSettling = true;
        producer.continues = false;
        if (producer.isGenerator) settleItem(producer, step); else settle(step, producer.onStep, producer.onError);
        producer.isSettling = false;
        // The promise's reaction continues the loop.
        if (!producer.continues) return;
    }
    producer.isPumping = false;
}

function openIterator(/** @type {any} */ producer) {
    const open = producer.iterable[SymbolAsyncIterator];
    producer.isGenerator = open === undefined;
    producer.iterator = producer.isGenerator ? producer.iterable : ReflectApply(open, producer.iterable, []);
}

// Waits for an item of a generator that is not asynchronous. `yield*` in one that is would not close it where the promise
// of an item is rejected, or is pending when the stream is stopped.
function settleItem(/** @type {any} */ producer, /** @type {any} */ step) {
    if (step.done) {
        producer.onStep(step);
        return;
    }
    settle(step.value, value => producer.onStep({ __proto__: null, done: false, value }), error => {
        abandonIterable(producer.iterator);
        producer.onError(error);
    });
}

// Sends an item; returns whether there may be more.
function take(/** @type {any} */ producer, /** @type {any} */ result) {
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

function finish(/** @type {any} */ producer, /** @type {unknown} */ thrown) {
    if (producer.isOver) return;
    producer.isOver = true;
    producers.delete(producer.id);
    sendEnd(producer, thrown);
}

function sendEnd(/** @type {any} */ producer, /** @type {unknown} */ thrown) {
    const record = thrown === undefined ? undefined : recordOf(thrown, 0);
    try {
        control(controls.end, producer.id, producer.count, record);
    } catch {
        try {
            control(controls.end, producer.id, producer.count, bareRecord(record));
        } catch (error) { reportError(error); }
    }
}

// Stops a producer without a reader: its iterator is closed, so that it can release its resources.
export function stopProducing(/** @type {any} */ producer) {
    if (producer.isOver) return;
    producer.isOver = true;
    producers.delete(producer.id);
    abandonIterable(producer.iterator === undefined ? producer.iterable : producer.iterator);
}

export function abandonIterable(/** @type {any} */ iterator) {
    try {
        const { return: close } = iterator;
        if (typeof close !== "function") return;
        settle(ReflectApply(close, iterator, []), () => {}, reportError);
    } catch (error) { reportError(error); }
}

export function receiveStop(/** @type {any} */ id) {
    const producer = producers.get(id);
    if (producer === undefined) counts.unknownStreams++;
    else stopProducing(producer);
}

// ---------------------------------------------------------------- consuming

// Creates a consumer: the buffered items, the waiting reads, and the end of the stream.
function makeConsumer(/** @type {string} */ name, /** @type {any} */ window) {
    return {
        name, window, id: undefined, callId: undefined, items: makeList(), waiting: makeList(), count: 0,
        early: undefined, earlyEnd: undefined, received: 0, granted: 0, consumed: 0, isOver: false, error: undefined,
        hasFailed: false, signal: undefined, follower: undefined, cancel: undefined, operation: state.operation,
    };
}

function open(/** @type {any} */ consumer, /** @type {any} */ id) {
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

function grant(/** @type {any} */ consumer, /** @type {any} */ credit) {
    consumer.granted += credit;
    control(controls.more, consumer.id, credit, undefined);
}

export function receiveNext(/** @type {any} */ id, /** @type {number} */ number, /** @type {unknown} */ value) {
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

function overrun(/** @type {any} */ consumer) {
    return makeError("invalidMessage", "The stream \"" + consumer.name + "\" sent more than it had credit for.");
}

// Keeps an item that arrived too early. Items are numbered from 0: an early one waits for those before it, a
// repeated one is dropped.
function keepEarly(/** @type {any} */ consumer, /** @type {number} */ number, /** @type {unknown} */ value) {
    if (!(number > consumer.received) || number !== MathFloor(number)) return;
    if (number >= consumer.granted) {
        failConsumer(consumer, overrun(consumer), true);
        return;
    }
    if (consumer.early === undefined) consumer.early = makeSafeMap();
    consumer.early.set(number, { value });
}

function deliverEarly(/** @type {any} */ consumer) {
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

function deliver(/** @type {any} */ consumer, /** @type {unknown} */ value) {
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

function consume(/** @type {any} */ consumer) {
    consumer.consumed++;
    if (consumer.id === undefined || consumer.consumed * 2 < consumer.window) return;
    const credit = consumer.consumed;
    consumer.consumed = 0;
    grant(consumer, credit);
}

export function receiveEnd(/** @type {any} */ id, /** @type {number} */ number, /** @type {any} */ record) {
    const consumer = consumers.get(id);
    if (consumer === undefined) {
        counts.unknownStreams++;
        return;
    }
    // The stream has not ended before its last items have arrived.
    if (number > consumer.received) {
        // It cannot have sent more than its credit.
        if (number > consumer.granted || number !== MathFloor(number)) {
            failConsumer(consumer, overrun(consumer), true);
            return;
        }
        consumer.earlyEnd = { number, record };
        return;
    }
    end(consumer, record);
}

function end(/** @type {any} */ consumer, /** @type {BridgeErrorRecord} */ record) {
    if (record === undefined || record === null) complete(consumer);
    else failConsumer(consumer, errorOf(record, 0), false);
}

function close(/** @type {any} */ consumer) {
    consumer.isOver = true;
    if (consumer.id !== undefined) consumers.delete(consumer.id);
    consumer.early = undefined;
    if (consumer.signal !== undefined) consumer.signal.unfollow(consumer.follower);
}

function complete(/** @type {any} */ consumer) {
    if (consumer.isOver) return;
    close(consumer);
    while (consumer.waiting.first !== null) takeFirst(consumer.waiting).resolve(result(undefined, true));
}

export function failConsumer(/** @type {any} */ consumer, /** @type {unknown} */ error, /** @type {any} */ stops) {
    if (consumer.isOver) return;
    close(consumer);
    if (stops && consumer.id !== undefined) sendStop(consumer, error);
    if (consumer.waiting.first === null) {
        consumer.hasFailed = true;
        consumer.error = error;
        return;
    }
    takeFirst(consumer.waiting).reject(error);
    while (consumer.waiting.first !== null) takeFirst(consumer.waiting).resolve(result(undefined, true));
}

function sendStop(/** @type {any} */ consumer, /** @type {unknown} */ reason) {
    try {
        control(controls.stop, consumer.id, 0, bareRecord(recordOf(reason, 0)));
    } catch { /* the stream is over in any case */ }
}

function result(/** @type {unknown} */ value, /** @type {any} */ done) {
    return { value, done };
}

// Ends the stream from this side and drops the buffered items.
function giveUpStream(/** @type {any} */ consumer, /** @type {unknown} */ reason) {
    consumer.items = makeList();
    if (consumer.isOver) return;
    if (consumer.id !== undefined) sendStop(consumer, reason);
    else if (consumer.callId !== undefined && takeCall(consumer.callId) !== undefined) {
        cancelRemotely(consumer.callId, reason);
    }
    close(consumer);
    while (consumer.waiting.first !== null) takeFirst(consumer.waiting).resolve(result(undefined, true));
}

function next(/** @type {any} */ consumer) {
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

// A stream to read with `for await`, or step by step. Leaving the loop notifies the producer.
class BridgeStream {
    #consumer;
    constructor(/** @type {string} */ key, /** @type {any} */ consumer) {
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
    return(/** @type {unknown} */ value) {
        try {
            giveUpStream(this.#consumer, makeError("cancelled", "The consumer of the stream gave up."));
        } catch (error) {
            return PromiseReject(error);
        }
        return PromiseResolve(result(value, true));
    }
    throw(/** @type {unknown} */ error) {
        try {
            giveUpStream(this.#consumer, error);
        } catch { /* the given error takes precedence */ }
        return PromiseReject(error);
    }
    close() { giveUpStream(this.#consumer, makeError("cancelled", "The consumer of the stream gave up.")); }
    [SymbolAsyncIterator]() { return this; }
}
ObjectSetPrototypeOf(BridgeStream.prototype, AsyncIteratorPrototype);
// In engines with `await using`, it closes a stream automatically.
addDisposal(SymbolAsyncDispose, disposeAsync);
addDisposal(SymbolDispose, dispose);
ObjectFreeze(BridgeStream.prototype);
ObjectFreeze(BridgeStream);

/** @this {any} */
function dispose() { this.close(); }
/** @this {any} */
async function disposeAsync() { this.close(); }

function addDisposal(/** @type {symbol | undefined} */ symbol, /** @type {() => void} */ method) {
    if (symbol === undefined) return;
    ObjectDefineProperty(BridgeStream.prototype, symbol, { __proto__: null, value: method, writable: true, configurable: true });
}

function windowOf(/** @type {any} */ options) {
    const window = isObject(options) ? options.window : undefined;
    if (window === undefined || window === null) return defaultWindow;
    if (typeof window !== "number" || !(window >= 1) || window > longestWindow || window !== MathFloor(window)) {
        const range = "A window is a whole number from 1 to " + longestWindow;
        throw makeError("invalidArgument", range + "; this is " + textOf(window) + ".");
    }
    return window;
}

// Opens a stream. The call's deadline applies only to the opening, its signal for the lifetime of the stream.
export function openStream(/** @type {string} */ name, /** @type {unknown} */ data, /** @type {any} */ options) {
    const origin = noteCall(name);
    const consumer = makeConsumer(name, windowOf(options));
    const plain = (/** @type {unknown} */ value) => {
        // A handler that replies once gives a stream of one item.
        consumer.callId = undefined;
        consumer.granted = 1;
        deliver(consumer, value);
        complete(consumer);
    };
    const signal = signalOf(options);
    begin(name, data, options, plain, (/** @type {unknown} */ error) => { failConsumer(consumer, error, false); }, origin, (
        /** @type {any} */ call, /** @type {any} */ id,
    ) => {
        consumer.callId = id;
        call.onStream = (/** @type {any} */ stream) => { open(consumer, stream); };
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
