// The pending state of this side, for tools that inspect it from outside: a debugger, a replay.
import { forEachCall } from "./calls.js";
import { forEachHandler, forEachIncoming } from "./handlers.js";
import { queueLength } from "./sending.js";
import { forEachStream } from "./streams.js";
import { forEachTopic } from "./topics.js";
import { ObjectDefineProperty, ObjectSetPrototypeOf } from "../engine/primordials.js";

// These arrays read no prototype, so that no script can observe them.
function table(/** @type {any} */ forEach) {
    const rows = ObjectSetPrototypeOf([], null);
    let count = 0;
    forEach((/** @type {number} */ row) => {
        ObjectDefineProperty(rows, count++, { __proto__: null, value: row, enumerable: true });
    });
    return rows;
}

export const tables = () => ({
    __proto__: null,
    pending: table((/** @type {(...values: any[]) => any} */ add) => forEachCall((
        /** @type {any} */ id, /** @type {string} */ name,
    ) => add({ __proto__: null, id, handler: name }))),
    incoming: table((/** @type {(...values: any[]) => any} */ add) => forEachIncoming((
        /** @type {any} */ id, /** @type {string} */ name,
    ) => add({ __proto__: null, id, handler: name }))),
    handlers: table((/** @type {(...values: any[]) => any} */ add) => forEachHandler((/** @type {string} */ name) => add(name))),
    streams: table((/** @type {(...values: any[]) => any} */ add) => forEachStream((
        /** @type {any} */ id, /** @type {any} */ role, /** @type {string} */ name, /** @type {number} */ count,
    ) => {
        add({ __proto__: null, id, role, handler: name, items: count });
    })),
    topics: table((/** @type {(...values: any[]) => any} */ add) => forEachTopic((/** @type {string} */ name) => add(name))),
    queue: queueLength(),
});
