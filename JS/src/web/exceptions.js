// The constants of DOMException, and QuotaExceededError, which is derived from it.
import { DOMException, publishInterface, useEvents } from "../engine/events.js";
import { ObjectDefineProperty, ObjectSetPrototypeOf } from "../engine/primordials.js";
import { usePart } from "./parts.js";

const constants = [
    "INDEX_SIZE_ERR", "DOMSTRING_SIZE_ERR", "HIERARCHY_REQUEST_ERR", "WRONG_DOCUMENT_ERR", "INVALID_CHARACTER_ERR",
    "NO_DATA_ALLOWED_ERR", "NO_MODIFICATION_ALLOWED_ERR", "NOT_FOUND_ERR", "NOT_SUPPORTED_ERR", "INUSE_ATTRIBUTE_ERR",
    "INVALID_STATE_ERR", "SYNTAX_ERR", "INVALID_MODIFICATION_ERR", "NAMESPACE_ERR", "INVALID_ACCESS_ERR",
    "VALIDATION_ERR", "TYPE_MISMATCH_ERR", "SECURITY_ERR", "NETWORK_ERR", "ABORT_ERR", "URL_MISMATCH_ERR",
    "QUOTA_EXCEEDED_ERR", "TIMEOUT_ERR", "INVALID_NODE_TYPE_ERR", "DATA_CLONE_ERR",
];
for (let index = 0; index < constants.length; index++) {
    const constant = { __proto__: null, value: index + 1, enumerable: true };
    ObjectDefineProperty(DOMException, constants[index], constant);
    ObjectDefineProperty(DOMException.prototype, constants[index], constant);
}

/** @this {any} */
export function QuotaExceededError(message = "", options = undefined) {
    return usePart("exceptions").makeQuotaError(new.target, message, options);
}
ObjectSetPrototypeOf(QuotaExceededError, DOMException);
publishInterface("QuotaExceededError", QuotaExceededError, {
    __proto__: DOMException.prototype,
    get quota() { return usePart("exceptions").stateOfQuotaError(this).quota; },
    get requested() { return usePart("exceptions").stateOfQuotaError(this).requested; },
});

// Throws a DOMException of a name.
export const fail = (/** @type {string} */ message, /** @type {string} */ name) => {
    throw useEvents().makeException(DOMException, message, name);
};
