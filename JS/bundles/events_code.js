// Made from JS/src/events_code by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    AbortSignal, ArrayIsArray, ArrayPrototype, DOMException, Error, Event, EventTarget, Given, ObjectDefineProperty,
    ObjectGetOwnPropertyDescriptor, ObjectGetPrototypeOf, ObjectHasOwn, ObjectSetPrototypeOf, ReflectApply,
    ReflectConstruct, SymbolIterator, TypeError, WeakRef, WeakRefPrototypeDeref, addReader, clearTimer, coarse,
    environment, global, globalTarget, isObject, loadedBundles, makeSafeMap, needArguments, needNew, reportError,
    setUnreferencedTimer,
} = bundles.engine;
// events_code/abort.js
function addSignals(machinery) {
    const {
        addListener, cancel, eventOf, fire, link, makeException, makeList, removeListener, targetOf, unlink,
    } = machinery;
    function signalOf(value) {
        const target = targetOf(value);
        return target === undefined ? undefined : target.signal;
    }
    function stateOfSignal(value) {
        const state = signalOf(value);
        if (state === undefined) throw new TypeError("this is not an AbortSignal");
        return state;
    }
    function follow(state, run) {
        const follower = { __proto__: null, run, previous: null, next: null, isLinked: false };
        link(state.followers, follower);
        need(state, 1);
        return follower;
    }
    function unfollow(state, follower) {
        if (!follower.isLinked) return;
        unlink(state.followers, follower);
        need(state, -1);
    }
    function followableOf(value) {
        const state = signalOf(value);
        if (state === undefined) return undefined;
        return state.followable ??= {
            __proto__: null,
            isAborted: () => state.reason !== undefined,
            reason: () => state.reason,
            follow: (run) => follow(state, run),
            unfollow: (follower) => { unfollow(state, follower); },
        };
    }
    function need(state, change) {
        const wasNeeded = state.needs > 0;
        state.needs += change;
        const isNeeded = state.needs > 0;
        if (isNeeded === wasNeeded || state.reason !== undefined) return;
        const holder = isNeeded ? state.signal : undefined;
        if (state.timeout !== undefined) state.timeout.strong = holder;
        for (let node = state.sources; node !== null; node = node.next) {
            node.edge.strong = holder;
            need(node.source, isNeeded ? 1 : -1);
        }
    }
    function observe(state) {
        state.target.observer = (
            type, change,
        ) => { if (type === "abort") need(state, change); };
    }
    function held(holder) {
        return holder.strong === undefined ? WeakRefPrototypeDeref(holder.weak) : holder.strong;
    }
    function addWeak(list, signal) {
        if (list.count >= list.pruneAt) prune(list);
        const holder = {
            __proto__: null, weak: new WeakRef(signal), strong: undefined, id: undefined, previous: null,
            next: null, isLinked: false,
        };
        link(list, holder);
        list.count++;
        return holder;
    }
    function removeWeak(list, holder) {
        if (!holder.isLinked) return;
        unlink(list, holder);
        list.count--;
    }
    function prune(list) {
        for (let holder = list.first; holder !== null; holder = holder.next) {
            if (held(holder) !== undefined) continue;
            removeWeak(list, holder);
            if (holder.id !== undefined) clearTimer(holder.id);
        }
        list.pruneAt = list.count < 8 ? 16 : list.count * 2;
    }
    function makeWeakList() {
        return { __proto__: null, first: null, last: null, count: 0, pruneAt: 16 };
    }
    function makeSignal() {
        const signal = ReflectConstruct(EventTarget, [], AbortSignal);
        const target = targetOf(signal);
        target.signal = {
            __proto__: null, signal, target, reason: undefined, followers: makeList(), handler: null,
            handlerListener: null, isDependent: false, sources: null, dependents: undefined, needs: 0,
            timeout: undefined, followable: undefined,
        };
        return signal;
    }
    function makeAborted(reason) {
        const signal = makeSignal();
        signalOf(signal).reason = reason === undefined ? abortError() : reason;
        return signal;
    }
    function abortError() {
        return makeException(DOMException, "The operation was aborted.", "AbortError");
    }
    function abort(state, reason) {
        if (state.reason !== undefined) return;
        const { dependents } = state;
        mark(state, reason);
        let first = null;
        let last = null;
        for (let edge = dependents === undefined ? null : dependents.first; edge !== null; edge = edge.next) {
            const signal = held(edge);
            if (signal === undefined) continue;
            const dependent = signalOf(signal);
            if (dependent.reason !== undefined) continue;
            mark(dependent, reason);
            const node = { __proto__: null, dependent, next: null };
            if (last === null) first = node;
            else last.next = node;
            last = node;
        }
        runAbortSteps(state);
        for (; first !== null; first = first.next) runAbortSteps(first.dependent);
    }
    function mark(state, reason) {
        state.reason = reason;
        state.target.observer = undefined;
        state.timeout = undefined;
        state.dependents = undefined;
        for (let node = state.sources; node !== null; node = node.next) {
            if (node.source.dependents !== undefined) removeWeak(node.source.dependents, node.edge);
            if (state.needs > 0) need(node.source, -1);
        }
        state.sources = null;
    }
    function runAbortSteps(state) {
        const { followers } = state;
        while (followers.first !== null) {
            const follower = followers.first;
            unlink(followers, follower);
            follower.run();
        }
        fire("abort", state.signal, state.target);
    }
    function setHandler(state, value) {
        state.handler = isObject(value) ? value : null;
        if (state.handler === null) {
            if (state.handlerListener !== null) removeListener(state.target, state.handlerListener);
            state.handlerListener = null;
        } else if (state.handlerListener === null) {
            const call = (event) => {
                const { handler, signal } = state;
                if (typeof handler !== "function") return;
                if (ReflectApply(handler, signal, [event]) === false) cancel(eventOf(event));
            };
            state.handlerListener = addListener(state.target, "abort", call, false, false, false, undefined);
        }
    }
    function wholeNumber(value) {
        const number = +value;
        if (!(number > -1 && number <= 9007199254740991)) {
            throw new TypeError("a timeout is a number of milliseconds from 0 to 2^53 - 1");
        }
        return number - number % 1 + 0;
    }
    const timeouts = makeWeakList();
    function makeTimeout(count, value) {
        needArguments(count, 1, "AbortSignal.timeout");
        const milliseconds = wholeNumber(value);
        const signal = makeSignal();
        const state = signalOf(signal);
        const holder = addWeak(timeouts, signal);
        try {
            holder.id = setUnreferencedTimer(() => { expire(holder); }, milliseconds);
        } catch (error) {
            removeWeak(timeouts, holder);
            throw error;
        }
        state.timeout = holder;
        observe(state);
        return signal;
    }
    function expire(holder) {
        removeWeak(timeouts, holder);
        const signal = held(holder);
        if (signal === undefined) return;
        abort(signalOf(signal), makeException(DOMException, "The operation timed out.", "TimeoutError"));
    }
    const isPlainArray = (value) =>
        ArrayIsArray(value) && ObjectGetPrototypeOf(value) === ArrayPrototype && !ObjectHasOwn(value, SymbolIterator);
    function iterate(
        value, method, complaint, take,
    ) {
        if (method === undefined && isPlainArray(value)) {
            for (let index = 0; index < value.length; index++) take(value[index]);
            return;
        }
        if (typeof method !== "function") throw new TypeError(complaint);
        const iterator = ReflectApply(method, value, []);
        if (!isObject(iterator)) throw new TypeError("an iterator is an object");
        const { next } = iterator;
        for (;;) {
            const result = ReflectApply(next, iterator, []);
            if (!isObject(result)) throw new TypeError("an iterator's result is an object");
            if (result.done) return;
            take(result.value);
        }
    }
    function eachElement(value, complaint, take) {
        if (!isObject(value)) throw new TypeError(complaint);
        iterate(value, isPlainArray(value) ? undefined : value[SymbolIterator], complaint, take);
    }
    function listOfSignals(value) {
        const list = makeList(), complaint = "AbortSignal.any takes an iterable of signals";
        eachElement(value, complaint, (signal) => {
            const state = signalOf(signal);
            if (state === undefined) throw new TypeError(complaint);
            link(list, { __proto__: null, state, previous: null, next: null, isLinked: false });
        });
        return list;
    }
    function makeDependent(list) {
        const signal = makeSignal();
        const state = signalOf(signal);
        for (let node = list.first; node !== null; node = node.next) {
            if (node.state.reason === undefined) continue;
            state.reason = node.state.reason;
            return signal;
        }
        state.isDependent = true;
        for (let node = list.first; node !== null; node = node.next) {
            if (!node.state.isDependent) {
                depend(state, node.state);
                continue;
            }
            for (let inner = node.state.sources; inner !== null; inner = inner.next) depend(state, inner.source);
        }
        if (state.sources !== null) observe(state);
        return signal;
    }
    function depend(state, source) {
        source.dependents ??= makeWeakList();
        const { last } = source.dependents;
        if (last !== null && WeakRefPrototypeDeref(last.weak) === state.signal) return;
        const edge = addWeak(source.dependents, state.signal);
        state.sources = { __proto__: null, source, edge, next: state.sources };
    }
    let controllerOf;
    class ControllerState extends Given {
        #signal = makeSignal();
        static {
            controllerOf = (value) => isObject(value) && #signal in value ? value.#signal : undefined;
        }
        constructor(object) { super(object); }
    }
    function signalOfController(value) {
        const signal = controllerOf(value);
        if (signal === undefined) throw new TypeError("this is not an AbortController");
        return signal;
    }
    machinery.refuseSignal = () => {
        throw new TypeError("Illegal constructor: AbortController and AbortSignal's static methods make signals");
    };
    machinery.makeAborted = makeAborted;
    machinery.makeTimeout = makeTimeout;
    machinery.makeDependent = (count, signals) => {
        needArguments(count, 1, "AbortSignal.any");
        return makeDependent(listOfSignals(signals));
    };
    machinery.eachElement = eachElement;
    machinery.isPlainArray = isPlainArray;
    machinery.iterate = iterate;
    machinery.stateOfSignal = stateOfSignal;
    machinery.signalOf = signalOf;
    machinery.makeSignal = makeSignal;
    machinery.abortSignal = (
        signal, reason,
    ) => { abort(signalOf(signal), reason); };
    machinery.followableOf = followableOf;
    machinery.follow = follow;
    machinery.unfollow = unfollow;
    machinery.setHandler = setHandler;
    machinery.beginController = (object, newTarget) => {
        needNew(newTarget, "AbortController");
        new ControllerState(object);
    };
    machinery.signalOfController = signalOfController;
    machinery.abort = (signal, reason) => {
        abort(signalOf(signal), reason === undefined ? abortError() : reason);
    };
    addReader((value) => {
        const state = signalOf(value);
        if (state !== undefined) return members("aborted", state.reason !== undefined);
        const signal = controllerOf(value);
        return signal === undefined ? undefined : members("signal", signal);
    });
}
const members = (name, value) => (
    { __proto__: null, isMap: false, pairs: [{ __proto__: null, name, value }] }
);
// events_code/events.js
function makeEvents() {
    function makeList() {
        return { __proto__: null, first: null, last: null };
    }
    function link(list, node) {
        node.previous = list.last;
        if (list.last === null) list.first = node;
        else list.last.next = node;
        list.last = node;
        node.isLinked = true;
    }
    function unlink(list, node) {
        if (!node.isLinked) return;
        node.isLinked = false;
        if (node.previous === null) list.first = node.next;
        else node.previous.next = node.next;
        if (node.next === null) list.last = node.previous;
        else node.next.previous = node.previous;
    }
    let exceptionOf;
    class ExceptionState extends Given {
        #state;
        static {
            exceptionOf = (value) => isObject(value) && #state in value ? value.#state : undefined;
        }
        constructor(error, message, name) {
            super(error);
            this.#state = { __proto__: null, message, name };
        }
    }
    function stateOfException(value) {
        const state = exceptionOf(value);
        if (state === undefined) throw new TypeError("this is not a DOMException");
        return state;
    }
    function makeException(newTarget, message, name) {
        needNew(newTarget, "DOMException");
        const messageText = `${message}`;
        const nameText = `${name}`;
        const error = new Error();
        const { prototype } = newTarget;
        ObjectSetPrototypeOf(error, isObject(prototype) ? prototype : DOMException.prototype);
        return new ExceptionState(error, messageText, nameText);
    }
    function legacyCode(name) {
        switch (name) {
        case "IndexSizeError": return 1;
        case "HierarchyRequestError": return 3;
        case "WrongDocumentError": return 4;
        case "InvalidCharacterError": return 5;
        case "NoModificationAllowedError": return 7;
        case "NotFoundError": return 8;
        case "NotSupportedError": return 9;
        case "InUseAttributeError": return 10;
        case "InvalidStateError": return 11;
        case "SyntaxError": return 12;
        case "InvalidModificationError": return 13;
        case "NamespaceError": return 14;
        case "InvalidAccessError": return 15;
        case "TypeMismatchError": return 17;
        case "SecurityError": return 18;
        case "NetworkError": return 19;
        case "AbortError": return 20;
        case "URLMismatchError": return 21;
        case "QuotaExceededError": return 22;
        case "TimeoutError": return 23;
        case "InvalidNodeTypeError": return 24;
        case "DataCloneError": return 25;
        default: return 0;
        }
    }
    let eventOf, customEventOf;
    class EventState extends Given {
        #state;
        static {
            eventOf = (value) => isObject(value) && #state in value ? value.#state : undefined;
        }
        constructor(event, state) {
            super(event);
            this.#state = state;
        }
    }
    class CustomEventState extends Given {
        #state = { __proto__: null, detail: null };
        static {
            customEventOf = (value) => isObject(value) && #state in value ? value.#state : undefined;
        }
        constructor(event) { super(event); }
    }
    function stateOfEvent(value) {
        const state = eventOf(value);
        if (state === undefined) throw new TypeError("this is not an Event");
        return state;
    }
    function stateOfCustomEvent(value) {
        const state = customEventOf(value);
        if (state === undefined) throw new TypeError("this is not a CustomEvent");
        return state;
    }
    const { get } = (ObjectGetOwnPropertyDescriptor)(
        { get isTrusted() { return stateOfEvent(this).isTrusted; } }, "isTrusted",
    );
    const isTrusted = { __proto__: null, get, set: undefined, enumerable: true, configurable: false };
    function beginEvent(
        event, newTarget, count,
        type, options,
    ) {
        needNew(newTarget, "Event");
        needArguments(count, 1, "Event");
        const text = `${type}`;
        let bubbles = false, cancelable = false, composed = false;
        if (isObject(options)) {
            bubbles = !!options.bubbles;
            cancelable = !!options.cancelable;
            composed = !!options.composed;
        } else if (options !== undefined && options !== null) {
            throw new TypeError("an event's options are an object, not a " + typeof options);
        }
        new EventState(event, {
            __proto__: null, type: text, bubbles, cancelable, composed, target: null, currentTarget: null, phase: 0,
            isStopped: false, isStoppedImmediately: false, isCanceled: false, isPassive: false, isDispatching: false,
            isTrusted: false, timeStamp: coarse(environment.eventTime()),
        });
        ObjectDefineProperty(event, "isTrusted", isTrusted);
    }
    function beginCustomEvent(
        event, newTarget, count,
        type, options,
    ) {
        beginEvent(event, newTarget, count, type, options);
        const detail = isObject(options) ? options.detail : undefined;
        new CustomEventState(event);
        if (detail !== undefined) customEventOf(event).detail = detail;
    }
    function cancel(state) {
        if (state.cancelable && !state.isPassive) state.isCanceled = true;
    }
    function initEvent(
        event, count, type, bubbles,
        cancelable,
    ) {
        const state = stateOfEvent(event);
        needArguments(count, 1, "initEvent");
        initialize(state, `${type}`, !!bubbles, !!cancelable);
    }
    function initCustomEvent(
        event, count, type, bubbles,
        cancelable, detail,
    ) {
        const state = stateOfCustomEvent(event);
        needArguments(count, 1, "initCustomEvent");
        if (initialize(stateOfEvent(event), `${type}`, !!bubbles, !!cancelable)) state.detail = detail;
    }
    function initialize(
        state, type, bubbles,
        cancelable,
    ) {
        if (state.isDispatching) return false;
        state.isStopped = state.isStoppedImmediately = state.isCanceled = state.isTrusted = false;
        state.target = null;
        state.type = type;
        state.bubbles = bubbles;
        state.cancelable = cancelable;
        return true;
    }
    let targetOf;
    const makeTarget = () => ({
        __proto__: null, first: null, last: null, lastNumber: 0, count: 0, byCallback: undefined,
        observer: undefined, signal: undefined, handlers: undefined,
    });
    class TargetState extends Given {
        #state = makeTarget();
        static {
            targetOf = (value) => isObject(value) && #state in value ? value.#state : undefined;
        }
        constructor(object) { super(object); }
    }
    const isGlobal = (value) => globalTarget.isOn && (value === undefined || value === null || value === global);
    function stateOfTarget(value) {
        const state = targetOf(value);
        if (state !== undefined) return state;
        if (isGlobal(value)) return globalTarget.state ??= makeTarget();
        throw new TypeError("this is not an EventTarget");
    }
    function checkListener(callback) {
        if (callback !== undefined && callback !== null && !isObject(callback)) {
            throw new TypeError("a listener is a function or an object with handleEvent, not a " + typeof callback);
        }
    }
    function addEventListener(
        object, count, type,
        callback, options,
    ) {
        const target = stateOfTarget(object);
        needArguments(count, 2, "addEventListener");
        const text = `${type}`;
        checkListener(callback);
        let capture = false, once = false, passive = false, signal;
        if (isObject(options)) {
            capture = !!options.capture;
            once = !!options.once;
            passive = !!options.passive;
            const given = options.signal;
            if (given !== undefined) {
                signal = made.signalOf(given);
                if (signal === undefined) throw new TypeError("a listener's signal is an AbortSignal");
            }
        } else {
            capture = !!options;
        }
        if (signal !== undefined && signal.reason !== undefined) return;
        if (callback === undefined || callback === null || find(target, text, callback, capture) !== null) return;
        addListener(target, text, callback, capture, once, passive, signal);
    }
    function removeEventListener(
        object, count, type,
        callback, options,
    ) {
        const target = stateOfTarget(object);
        needArguments(count, 2, "removeEventListener");
        const text = `${type}`;
        checkListener(callback);
        const listener = find(target, text, callback, isObject(options) ? !!options.capture : !!options);
        if (listener !== null) removeListener(target, listener);
    }
    const manyListeners = 32;
    function find(
        target, type, callback,
        capture,
    ) {
        if (target.byCallback === undefined) {
            for (let node = target.first; node !== null; node = node.next) {
                if (node.callback === callback && node.type === type && node.capture === capture) return node;
            }
            return null;
        }
        let node = target.byCallback.get(callback);
        while (node !== undefined && (node.type !== type || node.capture !== capture)) node = node.sameCallback;
        return node ?? null;
    }
    function index(target, listener) {
        listener.sameCallback = target.byCallback.get(listener.callback);
        target.byCallback.set(listener.callback, listener);
    }
    function indexAll(target) {
        target.byCallback = makeSafeMap();
        for (let node = target.first; node !== null; node = node.next) index(target, node);
    }
    function removeFromIndex(target, listener) {
        const first = target.byCallback.get(listener.callback);
        if (first !== listener) {
            let node = first;
            while (node.sameCallback !== listener) node = node.sameCallback;
            node.sameCallback = listener.sameCallback;
        } else if (listener.sameCallback !== undefined) target.byCallback.set(listener.callback, listener.sameCallback);
        else target.byCallback.delete(listener.callback);
    }
    function addListener(
        target, type, callback,
        capture, once, passive, signal,
    ) {
        const listener = {
            __proto__: null, number: ++target.lastNumber, type, callback, capture, once, passive, signal,
            follower: undefined, previous: null, next: null, isLinked: false, sameCallback: undefined,
        };
        link(target, listener);
        target.count++;
        if (target.byCallback !== undefined) index(target, listener);
        else if (target.count > manyListeners) indexAll(target);
        if (target.observer !== undefined) target.observer(type, 1);
        if (signal !== undefined) {
            listener.follower = made.follow(signal, () => { removeListener(target, listener); });
        }
        return listener;
    }
    function removeListener(target, listener) {
        if (!listener.isLinked) return;
        unlink(target, listener);
        target.count--;
        if (target.byCallback !== undefined) removeFromIndex(target, listener);
        if (listener.follower !== undefined) made.unfollow(listener.signal, listener.follower);
        if (target.observer !== undefined) target.observer(listener.type, -1);
    }
    function dispatchEvent(object, count, event) {
        const target = stateOfTarget(object);
        needArguments(count, 1, "dispatchEvent");
        const state = eventOf(event);
        if (state === undefined) throw new TypeError("dispatchEvent takes an Event");
        if (state.isDispatching) {
            throw makeException(DOMException, "The event is already being dispatched.", "InvalidStateError");
        }
        state.isTrusted = false;
        return dispatch(event, state, isGlobal(object) ? global : object, target);
    }
    function dispatchTrusted(event, object, target) {
        const state = eventOf(event);
        state.isTrusted = true;
        return dispatch(event, state, object, target);
    }
    function dispatch(
        event, state, object, target,
    ) {
        state.isDispatching = true;
        state.target = object;
        try {
            state.phase = 2;
            invoke(event, state, object, target, true);
            invoke(event, state, object, target, false);
        } finally {
            state.phase = 0;
            state.currentTarget = null;
            state.isDispatching = state.isPassive = state.isStopped = state.isStoppedImmediately = false;
        }
        return !state.isCanceled;
    }
    function invoke(
        event, state, object, target,
        capture,
    ) {
        if (state.isStopped) return;
        state.currentTarget = object;
        const end = target.lastNumber;
        for (let listener = target.first; listener !== null && listener.number <= end; listener = listener.next) {
            if (!listener.isLinked || listener.capture !== capture || listener.type !== state.type) continue;
            if (listener.once) removeListener(target, listener);
            state.isPassive = listener.passive;
            try {
                callListener(listener.callback, object, event);
            } catch (error) {
                reportError(error);
            }
            state.isPassive = false;
            if (state.isStoppedImmediately) return;
        }
    }
    function callListener(
        callback, object, event,
    ) {
        if (typeof callback === "function") {
            ReflectApply(callback, object, [event]);
            return;
        }
        const { handleEvent } = callback;
        if (typeof handleEvent !== "function") throw new TypeError("a listener's handleEvent is not a function");
        ReflectApply(handleEvent, callback, [event]);
    }
    function fire(type, object, target) {
        if (target.first === null) return;
        dispatchTrusted(new ((Event))(type), object, target);
    }
    const made = {
        __proto__: null, makeList, link, unlink,
        makeException, stateOfException, exceptionOf, legacyCode,
        beginEvent, beginCustomEvent, stateOfEvent, stateOfCustomEvent, cancel, initEvent, initCustomEvent, eventOf,
        beginTarget: (object, newTarget) => {
            needNew(newTarget, "EventTarget");
            new TargetState(object);
        },
        targetOf, stateOfTarget, addEventListener, removeEventListener, addListener, removeListener, dispatchEvent,
        dispatchTrusted, fire,
    };
    return made;
}
// events_code/index.js
const events = makeEvents();
addSignals(events);
loadedBundles.events_code = events;
})
