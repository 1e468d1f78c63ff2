// The events of uncaught errors and rejections.
import { callSite, describeInto, describeUncaught, reporting, withoutGetters } from "../engine/errors.js";
import { Event, globalTarget, useEvents } from "../engine/events.js";
import { needArguments } from "../engine/interfaces.js";
import { native } from "../engine/native.js";
import { isObject } from "../engine/objects.js";
import { ReflectApply, ReflectConstruct, StringPrototypeToWellFormed, TypeError, global } from "../engine/primordials.js";
import { setTimer } from "../engine/timers.js";
import { ErrorEvent, PromiseRejectionEvent } from "../web/errors.js";
import { needGlobal } from "../web/publishing.js";
import { readHandler, writeHandler } from "./handlers.js";
import { dictionary, makeStates } from "./states.js";

export function loadErrors() {
    const { beginEvent, dispatchTrusted, stateOfTarget } = useEvents();
    const errors = makeStates(), rejections = makeStates();

    // ------------------------------------------------------------ classes

    function beginErrorEvent(
        /** @type {any} */ event, /** @type {any} */ newTarget, /** @type {number} */ count, /** @type {string} */ type,
        /** @type {any} */ options,
    ) {
        beginEvent(event, newTarget, count, type, options);
        const given = dictionary(options, "an event's options");
        // In the order of Web IDL, which reads members by name.
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
        /** @type {any} */ event, /** @type {any} */ newTarget, /** @type {number} */ count, /** @type {string} */ type,
        /** @type {any} */ options,
    ) {
        needArguments(newTarget === undefined ? 2 : count, 2, "PromiseRejectionEvent");
        beginEvent(event, newTarget, count, type, options);
        const given = dictionary(options, "an event's options");
        const { promise, reason } = given;
        if (!isObject(promise)) throw new TypeError("a PromiseRejectionEvent needs the option \"promise\", an object");
        rejections.give(event, { __proto__: null, promise, reason });
    }

    // ------------------------------------------------------------ handlers of the global object

    // The handler of errors gets the parts of the event, and handles the error if it returns true.
    function callOnError(/** @type {any} */ handler, /** @type {any} */ event, /** @type {() => void} */ cancel) {
        const state = errors.read(event);
        if (state === undefined) {
            if (ReflectApply(handler, global, [event]) === false) cancel();
            return;
        }
        const values = [state.message, state.filename, state.lineno, state.colno, state.error];
        if (ReflectApply(handler, global, values) === true) cancel();
    }

    function handlerOfGlobal(/** @type {unknown} */ receiver, /** @type {string} */ type) {
        needGlobal(receiver, "on" + type);
        return globalTarget.state === undefined ? null : readHandler(globalTarget.state, type);
    }

    function setHandlerOfGlobal(/** @type {unknown} */ receiver, /** @type {string} */ type, /** @type {unknown} */ value) {
        needGlobal(receiver, "on" + type);
        writeHandler(stateOfTarget(global), global, type, value, type === "error" ? callOnError : undefined);
    }

    // ------------------------------------------------------------ firing

    const makeEvent = (/** @type {any} */ constructor, /** @type {string} */ type, /** @type {boolean} */ cancelable) => ReflectConstruct(
        Event, [type, { __proto__: null, bubbles: false, cancelable, composed: false }], constructor,
    );

    // Fires the event of an uncaught error and returns whether a listener canceled it. An error of a listener goes to the
    // host alone.
    function fireError(/** @type {unknown} */ error, /** @type {any} */ site) {
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

    function fireRejection(/** @type {any} */ promise, /** @type {unknown} */ reason) {
        const event = makeEvent(PromiseRejectionEvent, "unhandledrejection", true);
        rejections.give(event, { __proto__: null, promise, reason });
        return !dispatchTrusted(event, global, globalTarget.state);
    }

    function fireHandled(/** @type {any} */ promise, /** @type {unknown} */ reason) {
        let isFired = false;
        setTimer(() => {
            // A timer fires again after a termination.
            if (isFired) return;
            isFired = true;
            const event = makeEvent(PromiseRejectionEvent, "rejectionhandled", false);
            rejections.give(event, { __proto__: null, promise, reason });
            dispatchTrusted(event, global, globalTarget.state);
        }, 0);
    }

    function reportError(/** @type {unknown} */ receiver, /** @type {number} */ count, /** @type {unknown} */ error) {
        needGlobal(receiver, "reportError");
        needArguments(count, 1, "reportError");
        if (!fireError(error, callSite())) describeInto(withoutGetters(error), native.reportError);
    }

    return {
        __proto__: null, beginErrorEvent, beginRejectionEvent, handlerOfGlobal, setHandlerOfGlobal, fireError,
        fireRejection, fireHandled, reportError,
        stateOfErrorEvent: (/** @type {unknown} */ value) => errors.need(value, "ErrorEvent"),
        stateOfRejectionEvent: (/** @type {unknown} */ value) => rejections.need(value, "PromiseRejectionEvent"),
    };
}
