// The behavior of Event, CustomEvent, EventTarget and DOMException (engine/events.js).
import { coarse, environment } from "../engine/environment.js";
import { DOMException, Event, globalTarget } from "../engine/events.js";
import { Given, needArguments, needNew } from "../engine/interfaces.js";
import { isObject } from "../engine/objects.js";
import {
    Error, ObjectDefineProperty, ObjectGetOwnPropertyDescriptor, ObjectSetPrototypeOf, ReflectApply, makeSafeMap,
    TypeError, global,
} from "../engine/primordials.js";
import { reportError } from "../engine/uncaught.js";

export function makeEvents() {
    // ------------------------------------------------------------ lists

    function makeList() {
        return { __proto__: null, first: null, last: null };
    }

    function link(/** @type {any} */ list, /** @type {any} */ node) {
        node.previous = list.last;
        if (list.last === null) list.first = node;
        else list.last.next = node;
        list.last = node;
        node.isLinked = true;
    }

    // The node keeps its `next`, so that an iteration at this node can continue.
    function unlink(/** @type {any} */ list, /** @type {any} */ node) {
        if (!node.isLinked) return;
        node.isLinked = false;
        if (node.previous === null) list.first = node.next;
        else node.previous.next = node.next;
        if (node.next === null) list.last = node.previous;
        else node.next.previous = node.previous;
    }

    // ------------------------------------------------------------ exceptions

    /** @type {any} */
    let exceptionOf;

    class ExceptionState extends Given {
        #state;
        static {
            exceptionOf = (/** @type {any} */ value) => isObject(value) && #state in value ? value.#state : undefined;
        }
        constructor(/** @type {unknown} */ error, /** @type {string} */ message, /** @type {string} */ name) {
            super(error);
            this.#state = { __proto__: null, message, name };
        }
    }

    function stateOfException(/** @type {unknown} */ value) {
        const state = exceptionOf(value);
        if (state === undefined) throw new TypeError("this is not a DOMException");
        return state;
    }

    // Creates an error of the engine's own kind, with a stack, whose name and message are those of the class.
    function makeException(/** @type {any} */ newTarget, /** @type {string} */ message, /** @type {string} */ name) {
        needNew(newTarget, "DOMException");
        const messageText = `${message}`;
        const nameText = `${name}`;
        // Not with Reflect.construct, which would appear at the top of the stack.
        const error = new Error();
        const { prototype } = newTarget;
        ObjectSetPrototypeOf(error, isObject(prototype) ? prototype : DOMException.prototype);
        return new ExceptionState(error, messageText, nameText);
    }

    function legacyCode(/** @type {string} */ name) {
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

    // ------------------------------------------------------------ events

    let /** @type {any} */ eventOf, /** @type {any} */ customEventOf;

    class EventState extends Given {
        #state;
        static {
            eventOf = (/** @type {any} */ value) => isObject(value) && #state in value ? value.#state : undefined;
        }
        constructor(/** @type {any} */ event, /** @type {any} */ state) {
            super(event);
            this.#state = state;
        }
    }

    class CustomEventState extends Given {
        #state = { __proto__: null, detail: null };
        static {
            customEventOf = (/** @type {any} */ value) => isObject(value) && #state in value ? value.#state : undefined;
        }
        constructor(/** @type {any} */ event) { super(event); }
    }

    function stateOfEvent(/** @type {unknown} */ value) {
        const state = eventOf(value);
        if (state === undefined) throw new TypeError("this is not an Event");
        return state;
    }

    function stateOfCustomEvent(/** @type {unknown} */ value) {
        const state = customEventOf(value);
        if (state === undefined) throw new TypeError("this is not a CustomEvent");
        return state;
    }

    // One getter for all events, as an own property of each, so that no script can make an event trusted.
    const { get } = /** @type {any} */ (ObjectGetOwnPropertyDescriptor)(
        { get isTrusted() { return stateOfEvent(this).isTrusted; } }, "isTrusted",
    );
    const isTrusted = { __proto__: null, get, set: undefined, enumerable: true, configurable: false };

    function beginEvent(
        /** @type {any} */ event, /** @type {any} */ newTarget, /** @type {number} */ count,
        /** @type {string} */ type, /** @type {any} */ options,
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
        /** @type {any} */ event, /** @type {any} */ newTarget, /** @type {number} */ count,
        /** @type {string} */ type, /** @type {any} */ options,
    ) {
        beginEvent(event, newTarget, count, type, options);
        const detail = isObject(options) ? options.detail : undefined;
        new CustomEventState(event);
        if (detail !== undefined) customEventOf(event).detail = detail;
    }

    function cancel(/** @type {any} */ state) {
        if (state.cancelable && !state.isPassive) state.isCanceled = true;
    }

    function initEvent(
        /** @type {any} */ event, /** @type {number} */ count, /** @type {string} */ type, /** @type {any} */ bubbles,
        /** @type {any} */ cancelable,
    ) {
        const state = stateOfEvent(event);
        needArguments(count, 1, "initEvent");
        initialize(state, `${type}`, !!bubbles, !!cancelable);
    }

    function initCustomEvent(
        /** @type {any} */ event, /** @type {number} */ count, /** @type {string} */ type, /** @type {any} */ bubbles,
        /** @type {any} */ cancelable, /** @type {any} */ detail,
    ) {
        const state = stateOfCustomEvent(event);
        needArguments(count, 1, "initCustomEvent");
        if (initialize(stateOfEvent(event), `${type}`, !!bubbles, !!cancelable)) state.detail = detail;
    }

    // Initializes the event, unless it is being dispatched; returns whether it did.
    function initialize(
        /** @type {any} */ state, /** @type {string} */ type, /** @type {any} */ bubbles,
        /** @type {any} */ cancelable,
    ) {
        if (state.isDispatching) return false;
        state.isStopped = state.isStoppedImmediately = state.isCanceled = state.isTrusted = false;
        state.target = null;
        state.type = type;
        state.bubbles = bubbles;
        state.cancelable = cancelable;
        return true;
    }

    // ------------------------------------------------------------ targets

    /** @type {any} */
    let targetOf;

    // `observer` is called when a listener is added (1) or removed (-1); `signal` is the additional state of an
    // AbortSignal, `handlers` the event handlers of properties such as `onmessage`.
    const makeTarget = () => ({
        __proto__: null, first: null, last: null, lastNumber: 0, count: 0, byCallback: undefined,
        observer: undefined, signal: undefined, handlers: undefined,
    });
    class TargetState extends Given {
        #state = makeTarget();
        static {
            targetOf = (/** @type {any} */ value) => isObject(value) && #state in value ? value.#state : undefined;
        }
        constructor(/** @type {object} */ object) { super(object); }
    }

    // A method that is called without an object has the global object as receiver.
    const isGlobal = (/** @type {unknown} */ value) => globalTarget.isOn && (value === undefined || value === null || value === global);

    function stateOfTarget(/** @type {unknown} */ value) {
        const state = targetOf(value);
        if (state !== undefined) return state;
        if (isGlobal(value)) return globalTarget.state ??= makeTarget();
        throw new TypeError("this is not an EventTarget");
    }

    function checkListener(/** @type {(...values: any[]) => any} */ callback) {
        if (callback !== undefined && callback !== null && !isObject(callback)) {
            throw new TypeError("a listener is a function or an object with handleEvent, not a " + typeof callback);
        }
    }

    function addEventListener(
        /** @type {object} */ object, /** @type {number} */ count, /** @type {string} */ type,
        /** @type {(...values: any[]) => any} */ callback, /** @type {any} */ options,
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
        /** @type {object} */ object, /** @type {number} */ count, /** @type {string} */ type,
        /** @type {(...values: any[]) => any} */ callback, /** @type {any} */ options,
    ) {
        const target = stateOfTarget(object);
        needArguments(count, 2, "removeEventListener");
        const text = `${type}`;
        checkListener(callback);
        const listener = find(target, text, callback, isObject(options) ? !!options.capture : !!options);
        if (listener !== null) removeListener(target, listener);
    }

    // With more listeners than this, a target indexes them by their functions.
    const manyListeners = 32;

    function find(
        /** @type {any} */ target, /** @type {string} */ type, /** @type {(...values: any[]) => any} */ callback,
        /** @type {any} */ capture,
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

    // Listeners with the same function are chained, the latest first; few share one, for other types or the other
    // phase.
    function index(/** @type {any} */ target, /** @type {any} */ listener) {
        listener.sameCallback = target.byCallback.get(listener.callback);
        target.byCallback.set(listener.callback, listener);
    }

    function indexAll(/** @type {any} */ target) {
        target.byCallback = makeSafeMap();
        for (let node = target.first; node !== null; node = node.next) index(target, node);
    }

    function removeFromIndex(/** @type {any} */ target, /** @type {any} */ listener) {
        const first = target.byCallback.get(listener.callback);
        if (first !== listener) {
            let node = first;
            while (node.sameCallback !== listener) node = node.sameCallback;
            node.sameCallback = listener.sameCallback;
        } else if (listener.sameCallback !== undefined) target.byCallback.set(listener.callback, listener.sameCallback);
        else target.byCallback.delete(listener.callback);
    }

    function addListener(
        /** @type {any} */ target, /** @type {string} */ type, /** @type {(...values: any[]) => any} */ callback,
        /** @type {any} */ capture, /** @type {any} */ once, /** @type {any} */ passive, /** @type {any} */ signal,
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

    function removeListener(/** @type {any} */ target, /** @type {any} */ listener) {
        if (!listener.isLinked) return;
        unlink(target, listener);
        target.count--;
        if (target.byCallback !== undefined) removeFromIndex(target, listener);
        // The signal may outlive the listener.
        if (listener.follower !== undefined) made.unfollow(listener.signal, listener.follower);
        if (target.observer !== undefined) target.observer(listener.type, -1);
    }

    // ------------------------------------------------------------ dispatch

    function dispatchEvent(/** @type {object} */ object, /** @type {number} */ count, /** @type {any} */ event) {
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

    // Dispatches an event of the runtime, which scripts see as trusted; returns whether it was not canceled.
    function dispatchTrusted(/** @type {any} */ event, /** @type {object} */ object, /** @type {any} */ target) {
        const state = eventOf(event);
        state.isTrusted = true;
        return dispatch(event, state, object, target);
    }

    // Dispatches the event and returns whether it was not canceled. After an error it can be dispatched again.
    function dispatch(
        /** @type {any} */ event, /** @type {any} */ state, /** @type {object} */ object, /** @type {any} */ target,
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

    // Calls the listeners of one of the two phases that existed at the start and were not removed since.
    function invoke(
        /** @type {any} */ event, /** @type {any} */ state, /** @type {object} */ object, /** @type {any} */ target,
        /** @type {any} */ capture,
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
        /** @type {(...values: any[]) => any} */ callback, /** @type {object} */ object, /** @type {any} */ event,
    ) {
        if (typeof callback === "function") {
            ReflectApply(callback, object, [event]);
            return;
        }
        const { handleEvent } = callback;
        if (typeof handleEvent !== "function") throw new TypeError("a listener's handleEvent is not a function");
        ReflectApply(handleEvent, callback, [event]);
    }

    // Dispatches a trusted event of the runtime.
    function fire(/** @type {string} */ type, /** @type {object} */ object, /** @type {any} */ target) {
        if (target.first === null) return;
        dispatchTrusted(new (/** @type {any} */ (Event))(type), object, target);
    }

    /** @type {any} */
    const made = {
        __proto__: null, makeList, link, unlink,
        makeException, stateOfException, exceptionOf, legacyCode,
        beginEvent, beginCustomEvent, stateOfEvent, stateOfCustomEvent, cancel, initEvent, initCustomEvent, eventOf,
        beginTarget: (/** @type {object} */ object, /** @type {any} */ newTarget) => {
            needNew(newTarget, "EventTarget");
            new TargetState(object);
        },
        targetOf, stateOfTarget, addEventListener, removeEventListener, addListener, removeListener, dispatchEvent,
        dispatchTrusted, fire,
    };
    return made;
}
