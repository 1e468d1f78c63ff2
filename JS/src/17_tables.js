// The pending state of this side, for tools that inspect it from outside: a debugger, a replay.
(function (/** @type {BridgeInternal} */ internal) {
    "use strict";

    const { ObjectDefineProperty, ObjectSetPrototypeOf } = internal.primordials;
    const { bridge } = internal;

    // These arrays read no prototype, so that no script can observe them.
    function table(forEach) {
        const rows = ObjectSetPrototypeOf([], null);
        let count = 0;
        forEach((row) => {
            ObjectDefineProperty(rows, count++, { __proto__: null, value: row, enumerable: true });
        });
        return rows;
    }

    internal.tables = () => ({
        __proto__: null,
        pending: table((add) => bridge.forEachCall((id, name) => add({ __proto__: null, id, handler: name }))),
        incoming: table((add) => bridge.forEachIncoming((id, name) => add({ __proto__: null, id, handler: name }))),
        handlers: table((add) => bridge.forEachHandler((name) => add(name))),
        streams: table((add) => bridge.forEachStream((id, role, name, count) => {
            add({ __proto__: null, id, role, handler: name, items: count });
        })),
        topics: table((add) => bridge.forEachTopic((name) => add(name))),
        queue: bridge.queueLength(),
    });
})
