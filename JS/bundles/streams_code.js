// Made from JS/src/streams_code by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    AsyncIteratorPrototype, SymbolAsyncDispose, SymbolDispose, accepts, append, bareRecord, begin, cancelRemotely,
    consumers, control, controls, counts, encodingError, errorOf, isDirect, makeError, makeList, noteCall, producers,
    recordOf, sendItem, settle, signalOf, state, takeCall, takeFirst, textOf,
} = bundles.bridge;
const {
    MathFloor, ObjectDefineProperty, ObjectFreeze, ObjectSetPrototypeOf, Promise, PromiseReject, PromiseResolve,
    ReflectApply, SymbolAsyncIterator, TypeError, enterOrigin, environment, isObject, loadedBundles, makeSafeMap,
    noteOrigin, reportError,
} = bundles.engine;
// streams_code/streams.js
const defaultWindow = 64;
const longestWindow = 65536;
const noReason = () => ({ __proto__: null, code: "cancelled", msg: "The consumer of the stream gave up." });
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
        id, name: reply.name, accepted: reply.accepted, iterator: undefined, iterable, isGenerator: false, credit: 0, count: 0, isPumping: false, isOver: false,
        isSettling: false, continues: false,
        operation: reply.operation,
        origin: noteOrigin("after a stream of \"" + reply.name + "\""),
        stop() { stopProducing(producer); },
        onStep(result) {
            const isTaken = take(producer, result);
            if (producer.isSettling) producer.continues = isTaken;
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
        if (!producer.continues) return;
    }
    producer.isPumping = false;
}
function openIterator(producer) {
    const open = producer.iterable[SymbolAsyncIterator];
    producer.isGenerator = open === undefined;
    producer.iterator = producer.isGenerator ? producer.iterable : ReflectApply(open, producer.iterable, []);
}
function settleItem(producer, step) {
    if (step.done) {
        producer.onStep(step);
        return;
    }
    settle(step.value, value => producer.onStep({ __proto__: null, done: false, value }), error => {
        abandonIterable(producer.iterator);
        producer.onError(error);
    });
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
    if (stops && consumer.id !== undefined) sendStop(consumer, error);
    if (consumer.waiting.first === null) {
        consumer.hasFailed = true;
        consumer.error = error;
        return;
    }
    takeFirst(consumer.waiting).reject(error);
    while (consumer.waiting.first !== null) takeFirst(consumer.waiting).resolve(result(undefined, true));
}
function sendStop(consumer, reason) {
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
    if (consumer.id !== undefined) sendStop(consumer, reason);
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
ObjectSetPrototypeOf(BridgeStream.prototype, AsyncIteratorPrototype);
addDisposal(SymbolAsyncDispose, disposeAsync);
addDisposal(SymbolDispose, dispose);
ObjectFreeze(BridgeStream.prototype);
ObjectFreeze(BridgeStream);
function dispose() { this.close(); }
async function disposeAsync() { this.close(); }
function addDisposal(symbol, method) {
    if (symbol === undefined) return;
    ObjectDefineProperty(BridgeStream.prototype, symbol, { __proto__: null, value: method, writable: true, configurable: true });
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
// streams_code/index.js
loadedBundles.streams_code = {
    __proto__: null, abandonIterable, failConsumer, openStream, produce, receiveEnd, receiveMore, receiveNext,
    receiveStop, stopProducing,
};
})
