// The pending state of this side, for tools that inspect it from outside: a debugger, a replay.
import { forEachCall } from "./calls.js";
import { forEachHandler, forEachIncoming } from "./handlers.js";
import { queueLength } from "./sending.js";
import { forEachStream } from "./streams.js";
import { forEachTopic } from "./topics.js";
import { ObjectDefineProperty, ObjectSetPrototypeOf } from "../engine/primordials.js";

// These arrays read no prototype, so that no script can observe them.
function table(forEach) {
    const rows = ObjectSetPrototypeOf([], null);
    let count = 0;
    forEach((row) => {
        ObjectDefineProperty(rows, count++, { __proto__: null, value: row, enumerable: true });
    });
    return rows;
}

export const tables = () => ({
    __proto__: null,
    pending: table((add) => forEachCall((id, name) => add({ __proto__: null, id, handler: name }))),
    incoming: table((add) => forEachIncoming((id, name) => add({ __proto__: null, id, handler: name }))),
    handlers: table((add) => forEachHandler((name) => add(name))),
    streams: table((add) => forEachStream((id, role, name, count) => {
        add({ __proto__: null, id, role, handler: name, items: count });
    })),
    topics: table((add) => forEachTopic((name) => add(name))),
    queue: queueLength(),
});
