// Freezing of objects that scripts get.
import { ObjectFreeze, ObjectGetOwnPropertyDescriptor, ReflectOwnKeys } from "./primordials.js";

// Freezes an object and its functions, so that no script can change what others call.
export function freezeWhole(/** @type {any} */ object) {
    const keys = ReflectOwnKeys(object);
    for (let index = 0; index < keys.length; index++) {
        const { value, get, set } = /** @type {PropertyDescriptor} */ (ObjectGetOwnPropertyDescriptor(object, keys[index]));
        if (typeof value === "function") ObjectFreeze(value);
        if (get !== undefined) ObjectFreeze(get);
        if (set !== undefined) ObjectFreeze(set);
    }
    return ObjectFreeze(object);
}
