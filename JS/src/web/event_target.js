// The global object as an EventTarget. Its prototype is immutable to scripts, so the host replaces it by a function of the
// engine. Where the engine has none, the methods are the global object's own.
import { EventTarget } from "../engine/events.js";
import { native } from "../engine/native.js";
import { ObjectGetOwnPropertyDescriptor, ObjectDefineProperty, ObjectGetPrototypeOf, global } from "../engine/primordials.js";

const methods = EventTarget.prototype;
native.setGlobalPrototype(methods);
if (ObjectGetPrototypeOf(global) !== methods) {
    const names = ["addEventListener", "removeEventListener", "dispatchEvent"];
    for (let index = 0; index < names.length; index++) {
        ObjectDefineProperty(global, names[index], /** @type {any} */ (ObjectGetOwnPropertyDescriptor(methods, names[index])));
    }
}
