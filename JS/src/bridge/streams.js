// Streams: the tables of those that are open. Their behavior is in streams_code, which the first one loads.
import { makeEndedSet } from "./call_table.js";
import { errorOf } from "./errors.js";
import { hooks } from "./hooks.js";
import { useBundle } from "../engine/late_bundles.js";
import { makeSafeMap } from "../engine/primordials.js";

/** @type {any} */
let streams;
const useStreams = () => streams ??= useBundle("streams_code");

// By their ids: the streams of this side's handlers, and those that scripts read.
export const producers = makeSafeMap(), consumers = makeSafeMap();

export const openStream = (
    /** @type {string} */ name, /** @type {unknown} */ data, /** @type {any} */ options,
) => useStreams().openStream(name, data, options);
export const receiveNext = (/** @type {any} */ id, /** @type {number} */ number, /** @type {unknown} */ value) => {
    useStreams().receiveNext(id, number, value);
};
export const receiveEnd = (/** @type {any} */ id, /** @type {number} */ number, /** @type {any} */ record) => {
    useStreams().receiveEnd(id, number, record);
};
export const receiveMore = (/** @type {any} */ id, /** @type {any} */ credit) => { useStreams().receiveMore(id, credit); };
export const receiveStop = (/** @type {any} */ id) => { useStreams().receiveStop(id); };
hooks.abandonIterable = (iterable) => { useStreams().abandonIterable(iterable); };
hooks.produce = (iterable, reply) => useStreams().produce(iterable, reply);

// ---------------------------------------------------------------- the end of all, and of those of an operation

const endedConsumers = makeEndedSet(), endedProducers = makeEndedSet();
const fail = (/** @type {any} */ consumer, /** @type {any} */ record) => {
    useStreams().failConsumer(consumer, errorOf(record, 0), false);
};
const stop = (/** @type {any} */ producer) => { useStreams().stopProducing(producer); };

export function failStreams(/** @type {any} */ record) {
    endedConsumers.take(consumers, undefined, false, (/** @type {any} */ consumer) => { fail(consumer, record); });
    endedProducers.take(producers, undefined, false, stop);
}

// Ends the streams of an operation; without a record it has ended, and none of its code runs.
export function endStreams(/** @type {number} */ operation, /** @type {BridgeErrorRecord} */ record) {
    const isOver = record === undefined;
    endedConsumers.take(consumers, operation, isOver, (/** @type {any} */ consumer) => {
        if (!isOver) fail(consumer, record);
        else {
            consumer.isOver = true;
            consumers.delete(consumer.id);
            if (consumer.signal !== undefined && !consumer.signal.isForeign) consumer.signal.unfollow(consumer.follower);
        }
    });
    endedProducers.take(producers, operation, isOver, (/** @type {any} */ producer) => {
        if (!isOver) stop(producer);
        else {
            producer.isOver = true;
            producers.delete(producer.id);
        }
    });
}

export const noteEndedStreams = (/** @type {number} */ operation) => {
    endedConsumers.note(consumers, operation);
    endedProducers.note(producers, operation);
};
export const forEachStream = (/** @type {(...values: any[]) => any} */ body) => {
    producers.forEach((
        /** @type {any} */ producer, /** @type {any} */ id,
    ) => { body(id, "producer", producer.name, producer.count); });
    consumers.forEach((
        /** @type {any} */ consumer, /** @type {any} */ id,
    ) => { body(id, "consumer", consumer.name, consumer.received); });
};
export const streamCount = () => producers.size + consumers.size;
