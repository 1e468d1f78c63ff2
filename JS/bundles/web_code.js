// Made from JS/src/web_code by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    ArrayBufferIsView, ArrayBufferPrototypeGetByteLength, ArrayPrototypeSort, DataViewPrototypeGetBuffer, Error,
    Event, EventTarget, Given, MathFloor, ObjectDefineProperty, ObjectFreeze, ObjectGetOwnPropertyDescriptor,
    ObjectSetPrototypeOf, RangeError, ReflectApply, ReflectConstruct, ReflectDeleteProperty, ReflectOwnKeys,
    StringPrototypeIncludes, StringPrototypeIndexOf, StringPrototypeSlice, StringPrototypeStartsWith,
    StringPrototypeToLowerCase, StringPrototypeToWellFormed, SymbolIterator, SymbolToStringTag, TypeError,
    TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteLength, TypedArrayPrototypeGetByteOffset,
    TypedArrayPrototypeGetLength, TypedArrayPrototypeGetTag, TypedArrayPrototypeSet, Uint8Array, Uint8ArrayFromBase64,
    Uint8ArrayPrototypeToBase64, callSite, coarse, describeInto, describeUncaught, enterOrigin, environment, global,
    globalTarget, isObject, loadedBundles, makeSafeMap, native, needArguments, needNew, noteOrigin, platform, push,
    reportError, reporting, setTimer, unitAt, useClone, useEncoding, useEvents, withoutGetters,
} = bundles.engine;
const {
    Crypto, ErrorEvent, IteratorPrototype, MessageEvent, MessagePort, Performance, PerformanceMark,
    PerformanceMeasure, PerformanceObserverEntryList, PromiseRejectionEvent, QuotaExceededError, URL, URLSearchParams,
    fail, makeParams, makeURL, needGlobal, readParams, readURL, usePart,
} = bundles.web;
// web_code/base64.js
function loadBase64() {
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
    const { beginEvent, dispatchTrusted, stateOfTarget } = useEvents();
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
        let isFired = false;
        setTimer(() => {
            if (isFired) return;
            isFired = true;
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
    const { beginEvent, dispatchTrusted, eachElement, initEvent, stateOfEvent, targetOf } = useEvents();
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
        let isFired = false;
        queueTask(() => {
            if (isFired) return;
            isFired = true;
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
function append(list, value) {
    const node = { __proto__: null, value, next: null };
    if (list.last === null) list.first = node;
    else list.last.next = node;
    list.last = node;
}
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
    const { eachElement, link, makeList, unlink } = useEvents();
    const performance = usePart("performance");
    const states = makeStates(), lists = makeStates();
    const observing = makeList();
    const types = ObjectFreeze(["mark", "measure"]);
    const isSupported = (type) => type === "mark" || type === "measure";
    let isQueued = false;
    const stateOfObserver = (value) => states.need(value, "PerformanceObserver");
    const makeEntries = () => ({ __proto__: null, first: null, last: null });
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
        const state = states.read(entry);
        append(timeline, state);
        observers?.queueEntry(state);
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
// web_code/text_rewriting.js
const isDigit = (unit) => unit >= 48 && unit <= 57;
const isLetter = (unit) => unit >= 65 && unit <= 90 || unit >= 97 && unit <= 122;
const digit = (number) => number < 10 ? 48 + number : 55 + number;
function rewrite(text, replace) {
    let result = "", start = 0;
    for (let index = 0; index < text.length; index++) {
        const replacement = replace(unitAt.call(text, index));
        if (replacement === undefined) continue;
        result += StringPrototypeSlice(text, start, index) + replacement;
        start = index + 1;
    }
    return start === 0 ? text : result + StringPrototypeSlice(text, start);
}
function escape(
    text, isEscaped, isForm = false,
) {
    let index = 0;
    while (index < text.length) {
        const unit = unitAt.call(text, index);
        if (unit > 0x7E || unit === 32 || isEscaped(unit)) break;
        index++;
    }
    if (index === text.length) return text;
    const { bytesOfText, textOfBytes } = useEncoding();
    const bytes = bytesOfText(text);
    const count = TypedArrayPrototypeGetLength(bytes);
    const result = new Uint8Array(count * 3);
    let place = 0;
    for (let source = 0; source < count; source++) {
        const byte = bytes[source];
        if (isForm && byte === 32) result[place++] = 43;
        else if (byte > 0x7E || isEscaped(byte)) {
            result[place++] = 37;
            result[place++] = digit(byte >> 4);
            result[place++] = digit(byte & 15);
        } else result[place++] = byte;
    }
    return textOfBytes(result, place);
}
const hexadecimal = (unit) =>
    isDigit(unit) ? unit - 48 : unit >= 65 && unit <= 70 ? unit - 55 : unit >= 97 && unit <= 102 ? unit - 87 : -1;
function unescapeForm(text) {
    const { bytesOfText, textOfBytes } = useEncoding();
    const bytes = bytesOfText(text);
    const count = TypedArrayPrototypeGetLength(bytes);
    let place = 0;
    for (let index = 0; index < count; index++) {
        let byte = bytes[index];
        if (byte === 43) byte = 32;
        else if (byte === 37 && index + 2 < count) {
            const high = hexadecimal(bytes[index + 1]), low = hexadecimal(bytes[index + 2]);
            if (high >= 0 && low >= 0) {
                byte = high << 4 | low;
                index += 2;
            }
        }
        bytes[place++] = byte;
    }
    return textOfBytes(bytes, place);
}
// web_code/form_encoding.js
const makePairs = () => ObjectSetPrototypeOf([], null);
const decode = (piece) =>
    StringPrototypeIncludes(piece, "%") || StringPrototypeIncludes(piece, "+") ? unescapeForm(piece) : piece;
function parseForm(text) {
    const pairs = makePairs();
    let start = 0;
    while (start < text.length) {
        let end = StringPrototypeIndexOf(text, "&", start);
        if (end < 0) end = text.length;
        if (end > start) {
            const piece = StringPrototypeSlice(text, start, end);
            const equals = StringPrototypeIndexOf(piece, "=");
            const name = equals < 0 ? piece : StringPrototypeSlice(piece, 0, equals);
            const value = equals < 0 ? "" : StringPrototypeSlice(piece, equals + 1);
            pairs[pairs.length] = { name: decode(name), value: decode(value) };
        }
        start = end + 1;
    }
    return pairs;
}
const isEscapedInForm = (unit) => !(
    isLetter(unit) || isDigit(unit) || unit === 42 || unit === 45 || unit === 46 || unit === 95
);
const encode = (text) => escape(text, isEscapedInForm, true);
function serializeForm(pairs) {
    let result = "";
    for (let index = 0; index < pairs.length; index++) {
        const { name, value } = pairs[index];
        if (index > 0) result += "&";
        result += encode(name) + "=" + encode(value);
    }
    return result;
}
// web_code/search_params.js
const usv = (value) => StringPrototypeToWellFormed(`${value}`);
function loadSearchParams() {
    function need(value) {
        const state = readParams(value);
        if (state === undefined) throw new TypeError("this is not a URLSearchParams");
        return state;
    }
    function noteChange(state) {
        if (state.url !== null) state.url.isStale = true;
    }
    const complaint = "URLSearchParams takes a string, an object, or pairs of a name and a value";
    function pairsOfSequence(sequence, method) {
        const pairs = makePairs();
        useEvents().iterate(sequence, method, complaint, (element) => {
            let count = 0, name = "", value = "";
            useEvents().eachElement(element, complaint, (part) => {
                const text = usv(part);
                if (count === 0) name = text;
                else value = text;
                count++;
            });
            if (count !== 2) throw new TypeError("a pair has a name and a value, not " + count + " elements");
            pairs[pairs.length] = { name, value };
        });
        return pairs;
    }
    function pairsOfRecord(record) {
        const pairs = makePairs(), indexes = makeSafeMap();
        const keys = ReflectOwnKeys(record);
        for (let index = 0; index < keys.length; index++) {
            const descriptor = ObjectGetOwnPropertyDescriptor(record, keys[index]);
            if (descriptor === undefined || !descriptor.enumerable) continue;
            const name = usv(keys[index]), value = usv(record[keys[index]]);
            const known = indexes.get(name);
            if (known !== undefined) pairs[known].value = value;
            else {
                indexes.set(name, pairs.length);
                pairs[pairs.length] = { name, value };
            }
        }
        return pairs;
    }
    function pairsOf(init) {
        if (init === undefined) return makePairs();
        if (isObject(init)) {
            if (useEvents().isPlainArray(init)) return pairsOfSequence(init, undefined);
            const method = init[SymbolIterator];
            return method === undefined || method === null ? pairsOfRecord(init) : pairsOfSequence(init, method);
        }
        const text = usv(init);
        return parseForm(StringPrototypeStartsWith(text, "?") ? StringPrototypeSlice(text, 1) : text);
    }
    function construct(newTarget, init) {
        needNew(newTarget, "URLSearchParams");
        return makeParams(newTarget, { pairs: pairsOf(init), url: null });
    }
    function append(
        params, count, name, value,
    ) {
        const state = need(params);
        needArguments(count, 2, "append");
        const pair = { name: usv(name), value: usv(value) };
        state.pairs[state.pairs.length] = pair;
        noteChange(state);
    }
    function remove(
        params, count, name, value,
    ) {
        const state = need(params);
        needArguments(count, 1, "delete");
        const nameText = usv(name), valueText = value === undefined ? undefined : usv(value);
        const rest = makePairs();
        for (let index = 0; index < state.pairs.length; index++) {
            const pair = state.pairs[index];
            const isMatch = pair.name === nameText && (valueText === undefined || pair.value === valueText);
            if (!isMatch) rest[rest.length] = pair;
        }
        state.pairs = rest;
        noteChange(state);
    }
    function get(params, count, name) {
        const { pairs } = need(params);
        needArguments(count, 1, "get");
        const text = usv(name);
        for (let index = 0; index < pairs.length; index++) if (pairs[index].name === text) return pairs[index].value;
        return null;
    }
    function getAll(params, count, name) {
        const { pairs } = need(params);
        needArguments(count, 1, "getAll");
        const text = usv(name);
        const values = [];
        for (let index = 0; index < pairs.length; index++) if (pairs[index].name === text) push(values, pairs[index].value);
        return values;
    }
    function has(
        params, count, name, value,
    ) {
        const { pairs } = need(params);
        needArguments(count, 1, "has");
        const nameText = usv(name), valueText = value === undefined ? undefined : usv(value);
        for (let index = 0; index < pairs.length; index++) {
            const pair = pairs[index];
            if (pair.name === nameText && (valueText === undefined || pair.value === valueText)) return true;
        }
        return false;
    }
    function set(
        params, count, name, value,
    ) {
        const state = need(params);
        needArguments(count, 2, "set");
        const nameText = usv(name), valueText = usv(value);
        const pairs = makePairs();
        let isSet = false;
        for (let index = 0; index < state.pairs.length; index++) {
            const pair = state.pairs[index];
            if (pair.name !== nameText) pairs[pairs.length] = pair;
            else if (!isSet) {
                pairs[pairs.length] = { name: nameText, value: valueText };
                isSet = true;
            }
        }
        if (!isSet) pairs[pairs.length] = { name: nameText, value: valueText };
        state.pairs = pairs;
        noteChange(state);
    }
    const compareNames = (left, right) =>
        left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
    function sort(params) {
        const state = need(params);
        ArrayPrototypeSort(state.pairs, compareNames);
        noteChange(state);
    }
    function forEach(
        params, count, callback, receiver,
    ) {
        const state = need(params);
        needArguments(count, 1, "forEach");
        if (typeof callback !== "function") throw new TypeError("forEach takes a function, not a " + typeof callback);
        for (let index = 0; index < state.pairs.length; index++) {
            const { name, value } = state.pairs[index];
            ReflectApply(callback, receiver, [value, name, params]);
        }
    }
    const namesAndValues = (pair) => [pair.name, pair.value];
    const names = (pair) => pair.name;
    const values = (pair) => pair.value;
    class ParamsIterator {
        #state;
        #select;
        #index = 0;
        constructor(state, select) {
            this.#state = state;
            this.#select = select;
        }
        next() {
            if (!isObject(this) || !(#state in this)) throw new TypeError("this is not an iterator of a URLSearchParams");
            const { pairs } = this.#state;
            if (this.#index >= pairs.length) return { value: undefined, done: true };
            const select = this.#select;
            return { value: select(pairs[this.#index++]), done: false };
        }
    }
    const { prototype } = ParamsIterator;
    ObjectSetPrototypeOf(prototype, IteratorPrototype);
    ReflectDeleteProperty(prototype, "constructor");
    ObjectDefineProperty(prototype, "next", { __proto__: null, enumerable: true });
    ObjectDefineProperty(prototype, SymbolToStringTag, { __proto__: null, value: "URLSearchParams Iterator", configurable: true });
    return {
        __proto__: null, construct, append, remove, get, getAll, has, set, sort, forEach,
        size: (params) => need(params).pairs.length,
        toString: (params) => serializeForm(need(params).pairs),
        entries: (params) => new ParamsIterator(need(params), namesAndValues),
        keys: (params) => new ParamsIterator(need(params), names),
        values: (params) => new ParamsIterator(need(params), values),
        makeOf: (url, query) => makeParams(URLSearchParams, { pairs: parseForm(query), url }),
    };
}
// web_code/ascii_hosts.js
const isSlash = (unit) => unit === 47 || unit === 92;
function findHost(text) {
    let start = 0, limit = text.length;
    while (limit > 0 && unitAt.call(text, limit - 1) <= 32) limit--;
    while (start < limit && unitAt.call(text, start) <= 32) start++;
    let index = start;
    while (index < limit) {
        const unit = unitAt.call(text, index);
        if (!isLetter(unit) && !isDigit(unit) && unit !== 43 && unit !== 45 && unit !== 46) break;
        index++;
    }
    const hasScheme = index > start && index < limit && text[index] === ":";
    if (hasScheme) start = index + 1;
    index = start;
    while (index < limit && isSlash(unitAt.call(text, index))) index++;
    if (index - start < 2 && !hasScheme) return undefined;
    start = index;
    let end = -1;
    for (; index < limit; index++) {
        const unit = unitAt.call(text, index);
        if (isSlash(unit) || unit === 35 || unit === 63) break;
        if (unit === 64) {
            start = index + 1;
            end = -1;
        } else if (unit === 58 && end < 0) end = index;
    }
    if (end < 0) end = index;
    for (index = start; index < end; index++) {
        const unit = unitAt.call(text, index);
        if (unit <= 32 || unit === 37 || unit > 126) return undefined;
    }
    return { start, end };
}
function withoutPrefixes(name) {
    let result = "", start = 0;
    const lower = StringPrototypeToLowerCase(name);
    for (let index = 0; index < lower.length; index++) {
        const isStart = index === 0 || unitAt.call(lower, index - 1) === 46;
        if (!isStart || StringPrototypeSlice(lower, index, index + 4) !== "xn--") continue;
        result += StringPrototypeSlice(lower, start, index) + "xq--";
        start = index + 4;
    }
    return result + StringPrototypeSlice(lower, start);
}
const mayHavePrefix = (text) => StringPrototypeIncludes(StringPrototypeToLowerCase(text), "xn--");
// web_code/url_parser.js
const USER_START = 1, PASSWORD_END = 3, HOST_END = 4;
let parse, parser, parts;
function loadParser() {
    const made = { parse: undefined, parser: undefined, parts: undefined, problem: null };
    native.makeURLParser(made);
    ({ parse, parser, parts } = made);
    return made.problem;
}
function parseText(text, base) {
    const result = parse(parser, text, base);
    if (result === true) {
        return parseText(StringPrototypeToWellFormed(text), base === undefined ? base : StringPrototypeToWellFormed(base));
    }
    if (result !== null) return result;
    if (base !== undefined && endsWithSlashOfScheme(text)) return parse(parser, withBackslash(text), base);
    return mayHavePrefix(base === undefined ? text : text + base) ? parseWithPrefix(text, base) : null;
}
function lastIndex(text) {
    let index = text.length - 1;
    while (index > 0 && unitAt.call(text, index) <= 32) index--;
    return index;
}
function endsWithSlashOfScheme(text) {
    const last = lastIndex(text);
    return last > 0 && text[last] === "/" && text[last - 1] === ":";
}
const withBackslash = (text) => StringPrototypeSlice(text, 0, lastIndex(text)) + "\\";
function parseWithPrefix(text, base) {
    const place = findHost(text), basePlace = base === undefined ? undefined : findHost(base);
    const href = parse(parser, withHost(text, place), base === undefined ? base : withHost(base, basePlace));
    if (typeof href !== "string") return null;
    const start = parts[PASSWORD_END] + (parts[PASSWORD_END] > parts[USER_START] ? 1 : 0), end = parts[HOST_END];
    const found = StringPrototypeSlice(href, start, end);
    const name = hostAt(text, place, found) ?? hostAt(base, basePlace, found);
    return name === undefined ? null : StringPrototypeSlice(href, 0, start) + name + StringPrototypeSlice(href, end);
}
function withHost(text, place) {
    if (place === undefined) return text;
    const name = withoutPrefixes(StringPrototypeSlice(text, place.start, place.end));
    return StringPrototypeSlice(text, 0, place.start) + name + StringPrototypeSlice(text, place.end);
}
function hostAt(text, place, found) {
    if (place === undefined) return undefined;
    const name = StringPrototypeSlice(text, place.start, place.end);
    return withoutPrefixes(name) === found ? StringPrototypeToLowerCase(name) : undefined;
}
function makeState(href, text) {
    const state = {
        href, schemeEnd: parts[0], userStart: parts[1], userEnd: parts[2], passwordEnd: parts[3], hostEnd: parts[4],
        portEnd: parts[5], pathEnd: parts[6], queryEnd: parts[7], isOpaque: parts[8] === 1, params: null, isStale: false,
    };
    if (hasCredentials(state) && hasAddedPath(state) && endsWithHost(text)) removePath(state);
    return state;
}
const hasAddedPath = (state) =>
    state.pathEnd === state.portEnd + 1 && state.href.length > state.pathEnd && !isSpecial(state);
function removePath(state) {
    state.href = StringPrototypeSlice(state.href, 0, state.portEnd) + StringPrototypeSlice(state.href, state.pathEnd);
    state.pathEnd--;
    state.queryEnd--;
}
function endsWithHost(text) {
    let slashes = 0;
    for (let index = 0; index < text.length && slashes < 3; index++) {
        const unit = unitAt.call(text, index);
        if (unit === 35 || unit === 63) break;
        if (unit === 47) slashes++;
    }
    return slashes === 2;
}
function setText(state, text) {
    const href = parseText(text, undefined);
    if (href === null || href === false) return false;
    state.href = href;
    state.schemeEnd = parts[0];
    state.userStart = parts[1];
    state.userEnd = parts[2];
    state.passwordEnd = parts[3];
    state.hostEnd = parts[4];
    state.portEnd = parts[5];
    state.pathEnd = parts[6];
    state.queryEnd = parts[7];
    state.isOpaque = parts[8] === 1;
    if (hasCredentials(state) && hasAddedPath(state) && endsWithHost(text)) removePath(state);
    return true;
}
function setScheme(state, scheme) {
    const removed = portOf(state) === defaultPort(scheme) ? state.portEnd - state.hostEnd : 0;
    const shift = scheme.length - state.schemeEnd;
    state.href = scheme + StringPrototypeSlice(state.href, state.schemeEnd, state.portEnd - removed)
        + StringPrototypeSlice(state.href, state.portEnd);
    state.schemeEnd += shift;
    state.userStart += shift;
    state.userEnd += shift;
    state.passwordEnd += shift;
    state.hostEnd += shift;
    state.portEnd += shift - removed;
    state.pathEnd += shift - removed;
    state.queryEnd += shift - removed;
}
function setQuery(state, query) {
    const start = StringPrototypeSlice(state.href, 0, state.pathEnd) + (query === "" ? "" : "?" + query);
    state.href = start + StringPrototypeSlice(state.href, state.queryEnd);
    state.queryEnd = start.length;
}
const schemeOf = (state) => StringPrototypeSlice(state.href, 0, state.schemeEnd);
const usernameOf = (state) => StringPrototypeSlice(state.href, state.userStart, state.userEnd);
const passwordOf = (state) =>
    state.passwordEnd > state.userEnd ? StringPrototypeSlice(state.href, state.userEnd + 1, state.passwordEnd) : "";
const hasCredentials = (state) => state.passwordEnd > state.userStart;
const hostStart = (state) => state.passwordEnd + (hasCredentials(state) ? 1 : 0);
const hostnameOf = (state) => StringPrototypeSlice(state.href, hostStart(state), state.hostEnd);
const hostOf = (state) => StringPrototypeSlice(state.href, hostStart(state), state.portEnd);
const hasPort = (state) => state.portEnd > state.hostEnd;
const portOf = (state) =>
    hasPort(state) ? StringPrototypeSlice(state.href, state.hostEnd + 1, state.portEnd) : "";
const hasHost = (state) => state.userStart > state.schemeEnd + 1;
function pathOf(state) {
    const path = StringPrototypeSlice(state.href, state.portEnd, state.pathEnd);
    return !hasHost(state) && StringPrototypeStartsWith(path, "/.//") ? StringPrototypeSlice(path, 2) : path;
}
const searchOf = (state) =>
    state.queryEnd > state.pathEnd + 1 ? StringPrototypeSlice(state.href, state.pathEnd, state.queryEnd) : "";
const hashOf = (state) =>
    state.href.length > state.queryEnd + 1 ? StringPrototypeSlice(state.href, state.queryEnd) : "";
function defaultPort(scheme) {
    switch (scheme) {
    case "http": case "ws": return "80";
    case "https": case "wss": return "443";
    case "ftp": return "21";
    case "file": return "";
    default: return undefined;
    }
}
const isSpecial = (state) => defaultPort(schemeOf(state)) !== undefined;
// web_code/url_setters.js
const beforeHost = (state) => StringPrototypeSlice(state.href, 0, state.userStart);
const afterPath = (state) => StringPrototypeSlice(state.href, state.pathEnd);
const withoutTabs = (text) => rewrite(
    text, (unit) => unit === 9 || unit === 10 || unit === 13 ? "" : undefined,
);
const isControl = (unit) => unit <= 32;
function withEscapedEnd(text) {
    let end = text.length;
    while (end > 0 && isControl(unitAt.call(text, end - 1))) end--;
    return end === text.length
        ? text : StringPrototypeSlice(text, 0, end) + escape(StringPrototypeSlice(text, end), isControl);
}
const isEscapedInUser = (unit) =>
    isControl(unit) || unit < 0x7F && StringPrototypeIncludes("\"#<>?^`{}/:;=@[\\]|", asciiOf(unit));
const ascii = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
const asciiOf = (unit) => ascii[unit - 32];
function setProtocol(state, value) {
    const text = withoutTabs(value);
    let end = 0;
    while (end < text.length) {
        const unit = unitAt.call(text, end);
        const isInside = isLetter(unit) || end > 0 && (isDigit(unit) || unit === 43 || unit === 45 || unit === 46);
        if (!isInside) break;
        end++;
    }
    if (end === 0 || end < text.length && text[end] !== ":") return;
    const scheme = StringPrototypeToLowerCase(StringPrototypeSlice(text, 0, end));
    if ((defaultPort(scheme) !== undefined) !== isSpecial(state)) return;
    if (scheme === "file" && (hasCredentials(state) || hasPort(state))) return;
    if (schemeOf(state) === "file" && hostnameOf(state) === "") return;
    setScheme(state, scheme);
}
const cannotHaveUser = (state) => hostnameOf(state) === "" || schemeOf(state) === "file";
function setUser(state, username, password) {
    const user = username + (password === "" ? "" : ":" + password);
    const rest = StringPrototypeSlice(state.href, state.passwordEnd + (hasCredentials(state) ? 1 : 0));
    setText(state, beforeHost(state) + user + (user === "" ? "" : "@") + rest);
}
function setUsername(state, value) {
    if (!cannotHaveUser(state)) setUser(state, escape(value, isEscapedInUser), passwordOf(state));
}
function setPassword(state, value) {
    if (!cannotHaveUser(state)) setUser(state, usernameOf(state), escape(value, isEscapedInUser));
}
function portIn(text, start) {
    let end = start, port = 0;
    for (; end < text.length && isDigit(unitAt.call(text, end)); end++) {
        port = port * 10 + unitAt.call(text, end) - 48;
        if (port > 65535) return undefined;
    }
    return end === start ? undefined : port;
}
function setPort(state, value) {
    if (cannotHaveUser(state)) return;
    let port;
    if (value !== "") {
        port = portIn(withoutTabs(value), 0);
        if (port === undefined) return;
    }
    const start = StringPrototypeSlice(state.href, 0, state.hostEnd);
    setText(state, start + (port === undefined ? "" : ":" + port) + StringPrototypeSlice(state.href, state.portEnd));
}
function endOfHost(text, isFile, isSpecialHost) {
    let isInside = false;
    for (let index = 0; index < text.length; index++) {
        const unit = unitAt.call(text, index);
        if (unit === 47 || unit === 63 || unit === 35 || unit === 92 && isSpecialHost) return index;
        if (unit === 58 && !isInside && !isFile) return index;
        if (unit === 91) isInside = true;
        else if (unit === 93) isInside = false;
    }
    return text.length;
}
const isRefusedInHost = (name) =>
    StringPrototypeIncludes(name, "@") || StringPrototypeIncludes(name, " ") || StringPrototypeIncludes(name, "\0");
const isDriveLetter = (text) =>
    text.length === 2 && isLetter(unitAt.call(text, 0)) && (text[1] === ":" || text[1] === "|");
function setHost(state, value, isNameOnly) {
    if (state.isOpaque) return;
    const text = withoutTabs(value), isFile = schemeOf(state) === "file", isSpecialHost = isSpecial(state);
    const end = endOfHost(text, isFile, isSpecialHost);
    const name = StringPrototypeSlice(text, 0, end);
    const hasColon = end < text.length && text[end] === ":";
    if (hasColon && (isNameOnly || name === "")) return;
    if (name === "" && (isSpecialHost ? !isFile : hasCredentials(state) || hasPort(state))) return;
    if (isRefusedInHost(name) || isFile && isDriveLetter(name)) return;
    const port = hasColon ? portIn(text, end + 1) : undefined;
    const user = StringPrototypeSlice(state.href, state.userStart, state.passwordEnd + (hasCredentials(state) ? 1 : 0));
    const portText = port === undefined ? StringPrototypeSlice(state.href, state.hostEnd, state.portEnd) : ":" + port;
    setText(state, schemeOf(state) + "://" + user + withEscapedEnd(name) + portText + pathOf(state) + afterPath(state));
}
function setPathname(state, value) {
    if (state.isOpaque) return;
    const isSpecialPath = isSpecial(state);
    let path = withEscapedEnd(rewrite(withoutTabs(value), (unit) => unit === 63 ? "%3F" : unit === 35 ? "%23" : undefined));
    const isSeparated = path !== "" && (path[0] === "/" || path[0] === "\\" && isSpecialPath);
    if (!isSeparated && (path !== "" || isSpecialPath || !hasHost(state))) path = "/" + path;
    const start = StringPrototypeSlice(state.href, 0, state.portEnd) + (hasHost(state) ? "" : "/.");
    setText(state, start + path + afterPath(state));
}
function setSearch(state, value) {
    let query = "";
    if (value !== "") {
        const text = StringPrototypeStartsWith(value, "?") ? StringPrototypeSlice(value, 1) : value;
        query = "?" + withEscapedEnd(rewrite(withoutTabs(text), (unit) => unit === 35 ? "%23" : undefined));
    }
    const start = StringPrototypeSlice(state.href, 0, state.pathEnd);
    setText(state, start + query + StringPrototypeSlice(state.href, state.queryEnd));
}
function setHash(state, value) {
    let fragment = "";
    if (value !== "") {
        const text = StringPrototypeStartsWith(value, "#") ? StringPrototypeSlice(value, 1) : value;
        fragment = "#" + withEscapedEnd(withoutTabs(text));
    }
    setText(state, StringPrototypeSlice(state.href, 0, state.queryEnd) + fragment);
}
// web_code/urls.js
const hasOrigin = (scheme) =>
    scheme === "http" || scheme === "https" || scheme === "ws" || scheme === "wss" || scheme === "ftp";
function loadURLs() {
    const problem = loadParser();
    if (problem !== null) throw new Error(problem);
    function stateOf(value) {
        const state = readURL(value);
        if (state === undefined) throw new TypeError("this is not a URL");
        return state;
    }
    function need(value) {
        const state = stateOf(value);
        if (state.isStale) {
            setQuery(state, serializeForm(readParams(state.params).pairs));
            state.isStale = false;
        }
        return state;
    }
    const shortened = (text) =>
        "\"" + (text.length > 100 ? StringPrototypeSlice(text, 0, 100) + "..." : text) + "\"";
    function refuse(text, base, result) {
        const place = base === undefined ? "" : " with the base " + shortened(base);
        throw new TypeError("Invalid URL: " + shortened(text) + place + (result === false ? " is too long" : ""));
    }
    function construct(
        newTarget, count, url, base,
    ) {
        needNew(newTarget, "URL");
        needArguments(count, 1, "URL");
        const text = `${url}`, baseText = base === undefined ? undefined : `${base}`;
        const href = parseText(text, baseText);
        if (href === null || href === false) refuse(text, baseText, href);
        return makeURL(newTarget, makeState(href, text));
    }
    function parseOrNull(url, base) {
        const text = `${url}`, baseText = base === undefined ? undefined : `${base}`;
        const href = parseText(text, baseText);
        return href === false ? null : href;
    }
    function parse(count, url, base) {
        needArguments(count, 1, "URL.parse");
        const text = `${url}`, href = parseOrNull(text, base);
        return href === null ? null : makeURL(URL, makeState(href, text));
    }
    function canParse(count, url, base) {
        needArguments(count, 1, "URL.canParse");
        return parseOrNull(url, base) !== null;
    }
    function originOf(state) {
        const scheme = schemeOf(state);
        if (hasOrigin(scheme)) return scheme + "://" + hostOf(state);
        if (scheme !== "blob") return "null";
        const path = pathOf(state), inner = parseText(path, undefined);
        if (inner === null || inner === false) return "null";
        const innerState = makeState(inner, path), innerScheme = schemeOf(innerState);
        return innerScheme === "http" || innerScheme === "https" ? innerScheme + "://" + hostOf(innerState) : "null";
    }
    function parseParams(state) {
        if (state.params === null) return;
        const search = searchOf(state);
        readParams(state.params).pairs = parseForm(StringPrototypeSlice(search, 1));
    }
    function searchParams(url) {
        const state = stateOf(url);
        return state.params ??= usePart("searchParams").makeOf(state, StringPrototypeSlice(searchOf(state), 1));
    }
    function setHref(url, value) {
        const state = need(url), text = `${value}`;
        if (!setText(state, text)) refuse(text, undefined, null);
        parseParams(state);
    }
    const getter = (get) => (url) => get(need(url));
    const setter = (set, option = false) => (
        url, value,
    ) => {
        const state = need(url);
        set(state, StringPrototypeToWellFormed(`${value}`), option);
    };
    function members(url) {
        const state = need(url);
        const pairs = { __proto__: null, length: 0 };
        const add = (name, value) => {
            pairs[pairs.length] = { name, value };
            pairs.length += 1;
        };
        add("href", state.href);
        add("origin", originOf(state));
        add("protocol", schemeOf(state) + ":");
        add("username", usernameOf(state));
        add("password", passwordOf(state));
        add("host", hostOf(state));
        add("hostname", hostnameOf(state));
        add("port", portOf(state));
        add("pathname", pathOf(state));
        add("search", searchOf(state));
        add("searchParams", searchParams(url));
        add("hash", hashOf(state));
        return pairs;
    }
    return {
        __proto__: null, construct, parse, canParse, searchParams, setHref, members,
        href: (url) => need(url).href,
        origin: getter(originOf),
        protocol: getter((state) => schemeOf(state) + ":"),
        username: getter(usernameOf), password: getter(passwordOf), host: getter(hostOf), hostname: getter(hostnameOf),
        port: getter(portOf), pathname: getter(pathOf), search: getter(searchOf), hash: getter(hashOf),
        setProtocol: setter(setProtocol), setUsername: setter(setUsername), setPassword: setter(setPassword),
        setHost: setter(setHost), setHostname: setter(setHost, true), setPort: setter(setPort),
        setPathname: setter(setPathname), setHash: setter(setHash),
        setSearch: setter((state, value) => {
            setSearch(state, value);
            parseParams(state);
        }),
    };
}
// web_code/index.js
loadedBundles.web_code = {
    __proto__: null, base64: loadBase64, errors: loadErrors, exceptions: loadExceptions, messages: loadMessages,
    observers: loadObservers, performance: loadPerformance, random: loadRandom, searchParams: loadSearchParams,
    url: loadURLs,
};
})
