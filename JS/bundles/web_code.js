// Made from JS/src/web_code by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    ArrayBufferIsView, ArrayBufferPrototypeGetByteLength, DataViewPrototypeGetBuffer, Event, EventTarget, MathFloor,
    ObjectDefineProperty, ObjectFreeze, RangeError, ReflectApply, ReflectConstruct, StringPrototypeToWellFormed,
    SymbolIterator, TypeError, TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteLength,
    TypedArrayPrototypeGetByteOffset, TypedArrayPrototypeGetTag, TypedArrayPrototypeSet, Uint8Array,
    Uint8ArrayFromBase64, Uint8ArrayPrototypeToBase64, callSite, coarse, describeInto, describeUncaught, enterOrigin,
    environment, global, globalTarget, isObject, native, noteOrigin, platform, push, reportError, reporting, setTimer,
    useClone, useEncoding, useEvents, withoutGetters,
} = bundles.engine;
const {
    Crypto, ErrorEvent, MessageEvent, MessagePort, Performance, PerformanceMark, PerformanceMeasure,
    PerformanceObserverEntryList, PromiseRejectionEvent, QuotaExceededError, fail, makers, needGlobal, usePart,
} = bundles.web;
// web_code/base64.js
function loadBase64() {
    const { needArguments } = useEvents();
    const { decodeLatin1, encodeLatin1 } = useEncoding();
    function needRoom(count) {
        const most = host.maximumTypedArrayBytes;
        if (count > most) throw new RangeError("a buffer may have " + most + " bytes, this string takes " + count);
    }
    function atob(count, data) {
        needArguments(count, 1, "atob");
        const text = `${data}`;
        needRoom(text.length / 4 * 3);
        let bytes;
        try {
            bytes = Uint8ArrayFromBase64(text);
        } catch {
            fail("The string to be decoded is not valid base64.", "InvalidCharacterError");
        }
        return decodeLatin1(bytes);
    }
    function btoa(count, data) {
        needArguments(count, 1, "btoa");
        const text = `${data}`;
        needRoom(text.length);
        const bytes = encodeLatin1(text);
        if (bytes === undefined) {
            fail("The string to be encoded contains characters outside of the Latin1 range.", "InvalidCharacterError");
        }
        return Uint8ArrayPrototypeToBase64(bytes);
    }
    return { __proto__: null, atob, btoa };
}
// web_code/handlers.js
function readHandler(target, type) {
    return target.handlers === undefined || target.handlers[type] === undefined ? null : target.handlers[type].value;
}
function writeHandler(
    target, object, type, value,
    call = undefined,
) {
    const { addListener, removeListener, cancel, eventOf } = useEvents();
    const handlers = target.handlers ??= { __proto__: null };
    const handler = handlers[type] ??= { __proto__: null, value: null, listener: null };
    handler.value = isObject(value) ? value : null;
    if (handler.value === null) {
        if (handler.listener !== null) removeListener(target, handler.listener);
        handler.listener = null;
    } else if (handler.listener === null) {
        const listen = (event) => {
            if (typeof handler.value !== "function") return;
            const cancelEvent = () => { cancel(eventOf(event)); };
            if (call !== undefined) call(handler.value, event, cancelEvent);
            else if (ReflectApply(handler.value, object, [event]) === false) cancelEvent();
        };
        handler.listener = addListener(target, type, listen, false, false, false, undefined);
    }
}
// web_code/states.js
function makeStates() {
    const { Given } = useEvents();
    let read;
    class State extends Given {
        #state;
        static {
            read = (value) => isObject(value) && #state in value ? value.#state : undefined;
        }
        constructor(object, state) {
            super(object);
            this.#state = state;
        }
    }
    const give = (object, state) => { new State(object, state); };
    const need = (value, what) => {
        const state = read(value);
        if (state === undefined) throw new TypeError("this is not a " + what);
        return state;
    };
    return { __proto__: null, give, read, need };
}
const empty = { __proto__: null };
function dictionary(value, what) {
    if (value === undefined || value === null) return empty;
    if (!isObject(value)) throw new TypeError(what + " are an object, not a " + typeof value);
    return value;
}
// web_code/errors.js
function loadErrors() {
    const { beginEvent, dispatchTrusted, needArguments, stateOfTarget } = useEvents();
    const errors = makeStates(), rejections = makeStates();
    function beginErrorEvent(
        event, newTarget, count, type,
        options,
    ) {
        beginEvent(event, newTarget, count, type, options);
        const given = dictionary(options, "an event's options");
        const colno = given.colno, colnoNumber = colno === undefined ? 0 : colno >>> 0;
        const error = given.error;
        const filename = given.filename, filenameText = filename === undefined ? "" : StringPrototypeToWellFormed(`${filename}`);
        const lineno = given.lineno, linenoNumber = lineno === undefined ? 0 : lineno >>> 0;
        const message = given.message, messageText = message === undefined ? "" : `${message}`;
        errors.give(event, {
            __proto__: null, message: messageText, filename: filenameText, lineno: linenoNumber, colno: colnoNumber, error,
        });
    }
    function beginRejectionEvent(
        event, newTarget, count, type,
        options,
    ) {
        needArguments(newTarget === undefined ? 2 : count, 2, "PromiseRejectionEvent");
        beginEvent(event, newTarget, count, type, options);
        const given = dictionary(options, "an event's options");
        const { promise, reason } = given;
        if (!isObject(promise)) throw new TypeError("a PromiseRejectionEvent needs the option \"promise\", an object");
        rejections.give(event, { __proto__: null, promise, reason });
    }
    function callOnError(handler, event, cancel) {
        const state = errors.read(event);
        if (state === undefined) {
            if (ReflectApply(handler, global, [event]) === false) cancel();
            return;
        }
        const values = [state.message, state.filename, state.lineno, state.colno, state.error];
        if (ReflectApply(handler, global, values) === true) cancel();
    }
    function handlerOfGlobal(receiver, type) {
        needGlobal(receiver, "on" + type);
        return globalTarget.state === undefined ? null : readHandler(globalTarget.state, type);
    }
    function setHandlerOfGlobal(receiver, type, value) {
        needGlobal(receiver, "on" + type);
        writeHandler(stateOfTarget(global), global, type, value, type === "error" ? callOnError : undefined);
    }
    const makeEvent = (constructor, type, cancelable) => ReflectConstruct(
        Event, [type, { __proto__: null, bubbles: false, cancelable, composed: false }], constructor,
    );
    function fireError(error, site) {
        if (reporting.isOn || globalTarget.state === undefined) return false;
        reporting.isOn = true;
        try {
            const { message, place } = describeUncaught(error, site);
            const event = makeEvent(ErrorEvent, "error", true);
            const { filename, lineno, colno } = place;
            errors.give(event, { __proto__: null, message, filename, lineno, colno, error });
            return !dispatchTrusted(event, global, globalTarget.state);
        } finally {
            reporting.isOn = false;
        }
    }
    function fireRejection(promise, reason) {
        const event = makeEvent(PromiseRejectionEvent, "unhandledrejection", true);
        rejections.give(event, { __proto__: null, promise, reason });
        return !dispatchTrusted(event, global, globalTarget.state);
    }
    function fireHandled(promise, reason) {
        setTimer(() => {
            const event = makeEvent(PromiseRejectionEvent, "rejectionhandled", false);
            rejections.give(event, { __proto__: null, promise, reason });
            dispatchTrusted(event, global, globalTarget.state);
        }, 0);
    }
    function reportError(receiver, count, error) {
        needGlobal(receiver, "reportError");
        needArguments(count, 1, "reportError");
        if (!fireError(error, callSite())) describeInto(withoutGetters(error), native.reportError);
    }
    return {
        __proto__: null, beginErrorEvent, beginRejectionEvent, handlerOfGlobal, setHandlerOfGlobal, fireError,
        fireRejection, fireHandled, reportError,
        stateOfErrorEvent: (value) => errors.need(value, "ErrorEvent"),
        stateOfRejectionEvent: (value) => rejections.need(value, "PromiseRejectionEvent"),
    };
}
// web_code/exceptions.js
function loadExceptions() {
    const { makeException } = useEvents();
    const states = makeStates();
    function amount(value, name) {
        if (value === undefined) return null;
        const number = +value;
        if (!(number - number === 0)) throw new TypeError("\"" + name + "\" is a finite number");
        if (number < 0) throw new RangeError("\"" + name + "\" is not negative");
        return number;
    }
    function makeQuotaError(newTarget, message, options) {
        if (newTarget === undefined) throw new TypeError("QuotaExceededError is made with `new`");
        const text = `${message}`;
        const given = dictionary(options, "the options of a QuotaExceededError");
        const quota = amount(given.quota, "quota"), requested = amount(given.requested, "requested");
        if (quota !== null && requested !== null && requested < quota) {
            throw new RangeError("\"requested\" is not less than \"quota\"");
        }
        const error = makeException(newTarget, text, "QuotaExceededError");
        states.give(error, { __proto__: null, quota, requested });
        return error;
    }
    return {
        __proto__: null, makeQuotaError,
        stateOfQuotaError: (value) => states.need(value, "QuotaExceededError"),
        exceedQuota: (message) => { throw makeQuotaError(QuotaExceededError, message, undefined); },
    };
}
// web_code/messages.js
function loadMessages() {
    const {
        beginEvent, dispatchTrusted, eachElement, initEvent, needArguments, needNew, stateOfEvent, targetOf,
    } = useEvents();
    const ports = makeStates(), channels = makeStates(), events = makeStates();
    function makePorts(list, isTrusted) {
        const array = [];
        if (isTrusted) for (let node = list; node !== null; node = node.next) push(array, node.value);
        else {
            eachElement(list, "the ports of a MessageEvent are an iterable of MessagePorts", (port) => {
                ports.need(port, "MessagePort");
                push(array, port);
            });
        }
        return ObjectFreeze(array);
    }
    function sourceOf(value) {
        if (value === undefined || value === null) return null;
        if (ports.read(value) !== undefined || value === global && globalTarget.isOn) return value;
        throw new TypeError("the source of a MessageEvent is a MessagePort or the global object");
    }
    function beginMessageEvent(
        event, newTarget, count, type,
        options,
    ) {
        beginEvent(event, newTarget, count, type, options);
        const given = dictionary(options, "an event's options");
        const data = given.data;
        const lastEventId = given.lastEventId, idText = lastEventId === undefined ? "" : `${lastEventId}`;
        const origin = given.origin, originText = origin === undefined ? "" : StringPrototypeToWellFormed(`${origin}`);
        const list = given.ports;
        const array = list === undefined ? ObjectFreeze([]) : makePorts(list, false);
        const source = sourceOf(given.source);
        events.give(event, {
            __proto__: null, data: data === undefined ? null : data, origin: originText, lastEventId: idText, source,
            ports: array,
        });
    }
    const stateOfMessageEvent = (value) => events.need(value, "MessageEvent");
    function initMessageEvent(
        event, count, type, bubbles,
        cancelable, data, origin,
        lastEventId, source, list,
    ) {
        const state = stateOfMessageEvent(event);
        needArguments(count, 1, "initMessageEvent");
        const text = `${type}`, originText = StringPrototypeToWellFormed(`${origin}`), idText = `${lastEventId}`;
        const found = sourceOf(source);
        const array = list === undefined ? ObjectFreeze([]) : makePorts(list, false);
        if (stateOfEvent(event).isDispatching) return;
        initEvent(event, 1, text, bubbles, cancelable);
        state.data = data;
        state.origin = originText;
        state.lastEventId = idText;
        state.source = found;
        state.ports = array;
    }
    const queueTask = (run) => {
        const origin = noteOrigin("postMessage", false);
        setTimer(() => {
            enterOrigin(origin);
            run();
        }, 0);
    };
    function makeQueue() {
        const queue = { __proto__: null, peer: null, owner: null, isStarted: false, first: null, last: null };
        return queue;
    }
    function makePort(queue) {
        const port = ReflectConstruct(EventTarget, [], MessagePort);
        ports.give(port, { __proto__: null, queue });
        queue.owner = port;
        queue.isStarted = false;
        return port;
    }
    const stateOfPort = (value) => ports.need(value, "MessagePort");
    function deliver(queue) {
        if (!queue.isStarted || queue.first === null) return;
        const message = queue.first;
        queue.first = message.next;
        if (queue.first === null) queue.last = null;
        const event = ReflectConstruct(Event, ["message"], MessageEvent);
        events.give(event, {
            __proto__: null, data: message.data, origin: "", lastEventId: "", source: null,
            ports: makePorts(message.ports, true),
        });
        dispatchTrusted(event, queue.owner, targetOf(queue.owner));
    }
    function transferOf(options) {
        if (options === undefined || options === null) return undefined;
        if (!isObject(options)) throw new TypeError("postMessage takes a list of objects or options, not a " + typeof options);
        const method = options[SymbolIterator];
        if (method !== undefined && method !== null) return options;
        return options.transfer;
    }
    function postMessage(
        port, count, value, options,
    ) {
        const { queue } = stateOfPort(port);
        needArguments(count, 1, "postMessage");
        const transfer = transferOf(options);
        const peer = queue === null ? null : queue.peer;
        const message = { __proto__: null, data: undefined, ports: null, next: null };
        let isLost = false;
        let last = null;
        message.data = useClone().cloneMessage(value, transfer, port, (moved) => {
            if (stateOfPort(moved).queue === peer) isLost = true;
            const node = { __proto__: null, value: moved, next: null };
            if (last === null) message.ports = (node);
            else last.next = node;
            last = node;
        });
        if (peer === null || isLost) return;
        if (peer.last === null) peer.first = message;
        else peer.last.next = message;
        peer.last = message;
        if (peer.isStarted) queueTask(() => { deliver(peer); });
    }
    function start(port) {
        const { queue } = stateOfPort(port);
        if (queue === null || queue.isStarted) return;
        queue.isStarted = true;
        for (let node = queue.first; node !== null; node = node.next) queueTask(() => { deliver(queue); });
    }
    function close(port) {
        const state = stateOfPort(port);
        const { queue } = state;
        if (queue === null) return;
        state.queue = null;
        const { peer } = queue;
        if (peer === null) return;
        queue.peer = peer.peer = null;
        queueTask(() => {
            const { owner } = peer;
            dispatchTrusted(ReflectConstruct(Event, ["close"], Event), owner, targetOf(owner));
        });
    }
    function setHandler(port, type, value) {
        stateOfPort(port);
        writeHandler(targetOf(port), port, type, value);
        if (type === "message") start(port);
    }
    function handlerOf(port, type) {
        stateOfPort(port);
        return readHandler(targetOf(port), type);
    }
    platform.isPort = (value) => ports.read(value) !== undefined;
    platform.isMoved = (port) => ports.read(port).queue === null;
    platform.move = (port) => {
        const state = ports.read(port);
        const { queue } = state;
        state.queue = null;
        return makePort(queue);
    };
    function beginChannel(channel, newTarget) {
        needNew(newTarget, "MessageChannel");
        const first = makeQueue(), second = makeQueue();
        first.peer = second;
        second.peer = first;
        channels.give(channel, { __proto__: null, first: makePort(first), second: makePort(second) });
    }
    return {
        __proto__: null, beginMessageEvent, stateOfMessageEvent, initMessageEvent, postMessage, start, close, setHandler,
        handlerOf, beginChannel,
        stateOfChannel: (value) => channels.need(value, "MessageChannel"),
    };
}
// web_code/timeline.js
function collect(list, name, type) {
    let first = null, last = null, count = 0, isSorted = true;
    for (let node = list.first; node !== null; node = node.next) {
        const state = node.value;
        if (name !== undefined && state.name !== name || type !== undefined && state.entryType !== type) continue;
        const copy = { __proto__: null, state, next: null };
        if (last === null) first = copy;
        else {
            last.next = copy;
            if (last.state.startTime > state.startTime) isSorted = false;
        }
        last = copy;
        count++;
    }
    return isSorted ? first : sort(first, count);
}
function sort(first, count) {
    if (count < 2) return first;
    const half = count >> 1;
    let node = first;
    for (let index = 1; index < half; index++) node = node.next;
    let right = node.next;
    node.next = null;
    let left = sort(first, half);
    right = sort(right, count - half);
    const head = { __proto__: null, next: null };
    let last = head;
    while (left !== null && right !== null) {
        if (left.state.startTime <= right.state.startTime) {
            last = last.next = left;
            left = left.next;
        } else {
            last = last.next = right;
            right = right.next;
        }
    }
    last.next = left ?? right;
    return head.next;
}
function toList(first) {
    const array = [];
    for (let node = first; node !== null; node = node.next) push(array, node.state.entry);
    return array;
}
// web_code/observers.js
function loadObservers() {
    const { eachElement, link, makeList, needArguments, needNew, unlink } = useEvents();
    const performance = usePart("performance");
    const states = makeStates(), lists = makeStates();
    const observing = makeList();
    const types = ObjectFreeze(["mark", "measure"]);
    const isSupported = (type) => type === "mark" || type === "measure";
    let isQueued = false;
    const stateOfObserver = (value) => states.need(value, "PerformanceObserver");
    const makeEntries = () => ({ __proto__: null, first: null, last: null });
    function append(list, value) {
        const node = { __proto__: null, value, next: null };
        if (list.last === null) list.first = node;
        else list.last.next = node;
        list.last = node;
    }
    function beginObserver(
        observer, newTarget, count, callback,
    ) {
        needNew(newTarget, "PerformanceObserver");
        needArguments(count, 1, "PerformanceObserver");
        if (typeof callback !== "function") throw new TypeError("a PerformanceObserver needs a function");
        states.give(observer, {
            __proto__: null, observer, callback, kind: undefined, mark: false, measure: false, entries: makeEntries(),
            previous: null, next: null, isLinked: false,
        });
    }
    function observe(observer, options) {
        const state = stateOfObserver(observer);
        const given = dictionary(options, "the options of an observer");
        const buffered = given.buffered, isBuffered = buffered === undefined ? undefined : !!buffered;
        const list = given.entryTypes;
        let names;
        if (list !== undefined) {
            names = makeEntries();
            eachElement(list, "\"entryTypes\" is an iterable of strings", (type) => { append(names, `${type}`); });
        }
        const single = given.type, type = single === undefined ? undefined : `${single}`;
        if (names === undefined && type === undefined) throw new TypeError("an observer needs \"type\" or \"entryTypes\"");
        if (names !== undefined && (type !== undefined || isBuffered !== undefined)) {
            throw new TypeError("\"entryTypes\" goes with no other option of an observer");
        }
        const kind = names === undefined ? "single" : "multiple";
        if (state.kind !== undefined && state.kind !== kind) {
            fail("An observer has \"type\" or \"entryTypes\", always the same.", "InvalidModificationError");
        }
        state.kind = kind;
        if (names !== undefined) {
            let mark = false, measure = false;
            for (let node = names.first; node !== null; node = node.next) {
                if (node.value === "mark") mark = true;
                if (node.value === "measure") measure = true;
            }
            if (!mark && !measure) return;
            state.mark = mark;
            state.measure = measure;
        } else {
            if (!isSupported((type))) return;
            state[ (type)] = true;
        }
        if (!state.isLinked) link(observing, state);
        if (isBuffered !== true) return;
        for (let node = performance.timeline.first; node !== null; node = node.next) {
            if (node.value.entryType === type) append(state.entries, node.value);
        }
        queue();
    }
    function disconnect(observer) {
        const state = stateOfObserver(observer);
        unlink(observing, state);
        state.entries = makeEntries();
        state.mark = state.measure = false;
        state.kind = undefined;
    }
    function takeEntries(state) {
        const { entries } = state;
        state.entries = makeEntries();
        return entries;
    }
    function queueEntry(entry) {
        let isObserved = false;
        for (let state = observing.first; state !== null; state = state.next) {
            if (!state[entry.entryType]) continue;
            append(state.entries, entry);
            isObserved = true;
        }
        if (isObserved) queue();
    }
    function queue() {
        if (isQueued) return;
        setTimer(notify, 0);
        isQueued = true;
    }
    function notify() {
        isQueued = false;
        const called = makeEntries();
        for (let state = observing.first; state !== null; state = state.next) append(called, state);
        for (let node = called.first; node !== null; node = (node).next) {
            const state = (node).value;
            if (state.entries.first === null) continue;
            const list = { __proto__: PerformanceObserverEntryList.prototype };
            lists.give(list, takeEntries(state));
            try {
                ReflectApply(state.callback, state.observer, [list, state.observer, { droppedEntriesCount: 0 }]);
            } catch (error) {
                reportError(error);
            }
        }
    }
    const entriesOf = (
        list, name, type,
    ) => toList(collect(lists.need(list, "PerformanceObserverEntryList"), name, type));
    const part = {
        __proto__: null, beginObserver, observe, disconnect, queueEntry,
        supportedEntryTypes: () => types,
        takeRecords(observer) {
            return toList(collect(takeEntries(stateOfObserver(observer)), undefined, undefined));
        },
        entriesOf: (list) => entriesOf(list, undefined, undefined),
        entriesByType(list, count, type) {
            needArguments(count, 1, "getEntriesByType");
            return entriesOf(list, undefined, `${type}`);
        },
        entriesByName(
            list, count, name, type,
        ) {
            needArguments(count, 1, "getEntriesByName");
            const text = `${name}`;
            return entriesOf(list, text, type === undefined ? undefined : `${type}`);
        },
    };
    performance.setObservers(part);
    return part;
}
// web_code/performance.js
function loadPerformance() {
    const { needArguments, needNew } = useEvents();
    const object = ReflectConstruct(EventTarget, [], Performance);
    const states = makeStates();
    const origin = coarse(environment.now() - environment.eventTime());
    const time = () => coarse(environment.eventTime());
    function need(receiver) {
        if (receiver !== object) throw new TypeError("this is not the Performance");
    }
    const timeline = { __proto__: null, first: null, last: null };
    function giveState(
        entry, name, entryType, startTime,
        duration, detail,
    ) {
        states.give(entry, { __proto__: null, entry, name, entryType, startTime, duration, detail });
        return entry;
    }
    function record(entry) {
        const node = { __proto__: null, value: states.read(entry), next: null };
        if (timeline.last === null) (timeline).first = node;
        else (timeline).last.next = node;
        (timeline).last = node;
        observers?.queueEntry(node.value);
        return entry;
    }
    let observers;
    const detailOf = (value) => value === undefined || value === null ? null : useClone().structuredClone(1, value, undefined);
    function finite(value, what) {
        const number = +value;
        if (!(number - number === 0)) throw new TypeError(what + " is a finite number");
        return number;
    }
    function makeMark(entry, markName, options) {
        const name = `${markName}`;
        const given = dictionary(options, "the options of a mark");
        const { detail, startTime } = given;
        const start = startTime === undefined ? undefined : finite(startTime, "a mark's startTime");
        if (start !== undefined && start < 0) throw new TypeError("a mark's startTime is not negative");
        return giveState(entry, name, "mark", start ?? time(), 0, detailOf(detail));
    }
    function beginMark(
        entry, newTarget, count, name,
        options,
    ) {
        needNew(newTarget, "PerformanceMark");
        needArguments(count, 1, "PerformanceMark");
        makeMark(entry, name, options);
    }
    function mark(receiver, count, name, options) {
        need(receiver);
        needArguments(count, 1, "mark");
        return record(makeMark({ __proto__: PerformanceMark.prototype }, name, options));
    }
    const markOf = (value) => typeof value === "number" ? finite(value, "a time") : `${value}`;
    function timeOf(mark) {
        if (typeof mark === "number") {
            if (mark < 0) throw new TypeError("a time is not negative");
            return mark;
        }
        let found;
        for (let node = (timeline).first; node !== null; node = node.next) {
            if (node.value.entryType === "mark" && node.value.name === mark) found = node.value.startTime;
        }
        if (found === undefined) fail("There is no mark \"" + mark + "\".", "SyntaxError");
        return found;
    }
    function measure(
        receiver, count, measureName,
        startOrOptions, endMark,
    ) {
        need(receiver);
        needArguments(count, 1, "measure");
        const name = `${measureName}`;
        let detail, duration, end, start;
        if (startOrOptions === undefined || startOrOptions === null || isObject(startOrOptions)) {
            const given = dictionary(startOrOptions, "the options of a measure");
            detail = given.detail;
            const { duration: length } = given;
            duration = length === undefined ? undefined : finite(length, "a measure's duration");
            const last = given.end;
            end = last === undefined ? undefined : markOf(last);
            const first = given.start;
            start = first === undefined ? undefined : markOf(first);
        } else start = `${startOrOptions}`;
        const endName = endMark === undefined ? undefined : `${endMark}`;
        const isGiven = detail !== undefined || duration !== undefined || end !== undefined || start !== undefined;
        if (isObject(startOrOptions) && isGiven) {
            if (endName !== undefined) throw new TypeError("a measure has options or an end mark, not both");
            if (start === undefined && end === undefined) throw new TypeError("a measure's options have a start or an end");
            if (start !== undefined && duration !== undefined && end !== undefined) {
                throw new TypeError("a measure's options have two of start, duration and end, not all");
            }
        }
        let endTime;
        if (endName !== undefined) endTime = timeOf(endName);
        else if (end !== undefined) endTime = timeOf(end);
        else if (start !== undefined && duration !== undefined) endTime = timeOf(start) + duration;
        else endTime = time();
        let startTime = 0;
        if (start !== undefined) startTime = timeOf(start);
        else if (duration !== undefined && end !== undefined) startTime = timeOf(end) - duration;
        const entry = { __proto__: PerformanceMeasure.prototype };
        return record(giveState(entry, name, "measure", startTime, endTime - startTime, detailOf(detail)));
    }
    function clear(receiver, type, name) {
        need(receiver);
        const text = name === undefined ? undefined : `${name}`;
        const list = timeline;
        let kept = null, last = null;
        for (let node = list.first; node !== null; node = node.next) {
            const { entryType, name: known } = node.value;
            if (entryType === type && (text === undefined || known === text)) continue;
            if (last === null) kept = node;
            else last.next = node;
            last = node;
        }
        if (last !== null) last.next = null;
        list.first = kept;
        list.last = last;
    }
    const detailed = (value, type) => {
        const what = type === "mark" ? "PerformanceMark" : "PerformanceMeasure";
        const state = states.need(value, what);
        if (state.entryType !== type) throw new TypeError("this is not a " + what);
        return state;
    };
    function member(target, name, value) {
        ObjectDefineProperty(target, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
    }
    return {
        __proto__: null, object, beginMark, mark, measure, clear,
        timeline,
        setObservers(part) { observers = part; },
        now(receiver) {
            need(receiver);
            return time();
        },
        timeOrigin(receiver) {
            need(receiver);
            return origin;
        },
        toJSON(receiver) {
            need(receiver);
            const json = {};
            member(json, "timeOrigin", origin);
            return json;
        },
        getEntries(receiver) {
            need(receiver);
            return toList(collect(timeline, undefined, undefined));
        },
        getEntriesByType(receiver, count, type) {
            need(receiver);
            needArguments(count, 1, "getEntriesByType");
            return toList(collect(timeline, undefined, `${type}`));
        },
        getEntriesByName(
            receiver, count, name, type,
        ) {
            need(receiver);
            needArguments(count, 1, "getEntriesByName");
            const text = `${name}`;
            return toList(collect(timeline, text, type === undefined ? undefined : `${type}`));
        },
        stateOfEntry: (value) => states.need(value, "PerformanceEntry"),
        stateOfDetailed: detailed,
        entryToJSON(value) {
            const state = states.need(value, "PerformanceEntry");
            const json = {};
            member(json, "name", state.name);
            member(json, "entryType", state.entryType);
            member(json, "startTime", state.startTime);
            member(json, "duration", state.duration);
            member(json, "detail", state.detail);
            return json;
        },
    };
}
// web_code/random.js
const integers = {
    __proto__: null, Int8Array: true, Uint8Array: true, Uint8ClampedArray: true, Int16Array: true, Uint16Array: true,
    Int32Array: true, Uint32Array: true, BigInt64Array: true, BigUint64Array: true,
};
function loadRandom() {
    const { needArguments } = useEvents();
    const object = { __proto__: Crypto.prototype };
    const maximumCount = 65536;
    const area = new Uint8Array(4096), few = new Uint8Array(16), none = new Uint8Array(4096);
    function need(receiver) {
        if (receiver !== object) throw new TypeError("this is not the Crypto");
    }
    function fill(bytes, count) {
        if (!environment.isRecorded) {
            native.fillRandom(bytes, count);
            return;
        }
        for (let index = 0; index < count; index++) bytes[index] = MathFloor(environment.random() * 256);
    }
    function isShared(buffer) {
        try {
            ArrayBufferPrototypeGetByteLength(buffer);
            return false;
        } catch {
            return true;
        }
    }
    function getRandomValues(receiver, count, array) {
        need(receiver);
        needArguments(count, 1, "getRandomValues");
        if (!ArrayBufferIsView(array)) throw new TypeError("getRandomValues fills an array of integers");
        const tag = TypedArrayPrototypeGetTag(array);
        const buffer = tag === undefined ? DataViewPrototypeGetBuffer(array) : TypedArrayPrototypeGetBuffer(array);
        if (isShared(buffer)) throw new TypeError("getRandomValues fills no shared memory");
        if (tag === undefined || (integers)[tag] !== true) {
            fail("getRandomValues fills arrays of integers, not a " + (tag ?? "DataView") + ".", "TypeMismatchError");
        }
        const length = TypedArrayPrototypeGetByteLength(array);
        if (length > maximumCount) {
            usePart("exceptions").exceedQuota("getRandomValues fills " + maximumCount + " bytes at most, not " + length + ".");
        }
        const start = TypedArrayPrototypeGetByteOffset(array);
        for (let at = 0; at < length; at += 4096) {
            const part = length - at < 4096 ? length - at : 4096;
            fill(area, part);
            const source = part === 4096 ? area : new Uint8Array(TypedArrayPrototypeGetBuffer(area), 0, part);
            TypedArrayPrototypeSet(new Uint8Array(buffer, start + at, part), source);
        }
        if (length > 0) TypedArrayPrototypeSet(area, none);
        return array;
    }
    const digits = "0123456789abcdef";
    function randomUUID(receiver) {
        need(receiver);
        fill(few, 16);
        few[6] = few[6] & 0x0F | 0x40;
        few[8] = few[8] & 0x3F | 0x80;
        let text = "";
        for (let index = 0; index < 16; index++) {
            if (index === 4 || index === 6 || index === 8 || index === 10) text += "-";
            text += digits[few[index] >> 4] + digits[few[index] & 15];
        }
        return text;
    }
    return { __proto__: null, object, getRandomValues, randomUUID };
}
// web_code/index.js
makers.base64 = loadBase64;
makers.errors = loadErrors;
makers.exceptions = loadExceptions;
makers.messages = loadMessages;
makers.observers = loadObservers;
makers.performance = loadPerformance;
makers.random = loadRandom;
})
