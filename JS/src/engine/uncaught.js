// Errors that nothing catches.
import { describeInto } from "./errors.js";
import { native } from "./native.js";

// `handle` notifies the page of an error and returns true if the page has handled it; undefined without a page.
/** @type {{ __proto__: null, handle: ((error: unknown) => boolean) | undefined }} */
export const uncaught = { __proto__: null, handle: undefined };

// Reports an uncaught error: once, with its origin, unless the page says that it has handled the error.
export function reportError(/** @type {unknown} */ error) {
    if (uncaught.handle !== undefined && uncaught.handle(error)) return;
    describeInto(error, native.reportError);
}
