// Small globals: base64 (https://html.spec.whatwg.org/#atob), self, and the name of this runtime.
import { ObjectDefineProperty, ObjectGetOwnPropertyDescriptor, TypeError, global } from "../engine/primordials.js";
import { usePart } from "./parts.js";
import { needGlobal, publishClass, publishMembers, refuseConstruction, replaceGlobal } from "./publishing.js";

function Navigator() { refuseConstruction("Navigator"); }
publishClass("Navigator", Navigator, {
    get userAgent() {
        if (/** @type {unknown} */ (this) !== navigator) throw new TypeError("this is not the Navigator");
        return "JavaScriptBridge";
    },
});
const navigator = { __proto__: Navigator.prototype };

publishMembers({
    get self() {
        needGlobal(this, "self");
        return global;
    },
    set self(value) { replaceGlobal(this, "self", value); },
    get navigator() {
        needGlobal(this, "navigator");
        return navigator;
    },
    set navigator(value) { replaceGlobal(this, "navigator", value); },
    atob(/** @type {string} */ data) {
        needGlobal(this, "atob");
        return usePart("base64").atob(arguments.length, data);
    },
    btoa(/** @type {string} */ data) {
        needGlobal(this, "btoa");
        return usePart("base64").btoa(arguments.length, data);
    },
});

// Without it, the tag of EventTarget's prototype would be that of the global object.
if (ObjectGetOwnPropertyDescriptor(global, Symbol.toStringTag) === undefined) {
    ObjectDefineProperty(global, Symbol.toStringTag, { __proto__: null, value: "global", configurable: true });
}
