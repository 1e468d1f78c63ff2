// QuotaExceededError (https://webidl.spec.whatwg.org/#quotaexceedederror).
import { useEvents } from "../engine/events.js";
import { RangeError, TypeError } from "../engine/primordials.js";
import { QuotaExceededError } from "../web/exceptions.js";
import { dictionary, makeStates } from "./states.js";

export function loadExceptions() {
    const { makeException } = useEvents();
    const states = makeStates();

    function amount(/** @type {any} */ value, /** @type {string} */ name) {
        if (value === undefined) return null;
        const number = +value;
        if (!(number - number === 0)) throw new TypeError("\"" + name + "\" is a finite number");
        if (number < 0) throw new RangeError("\"" + name + "\" is not negative");
        return number;
    }

    function makeQuotaError(/** @type {any} */ newTarget, /** @type {string} */ message, /** @type {any} */ options) {
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
        stateOfQuotaError: (/** @type {unknown} */ value) => states.need(value, "QuotaExceededError"),
        exceedQuota: (/** @type {string} */ message) => { throw makeQuotaError(QuotaExceededError, message, undefined); },
    };
}
