// Import attributes: `with { type: "json" }` as a script writes it in `import()`.
import { isObject } from "../engine/objects.js";
import { ObjectKeys, TypeError } from "../engine/primordials.js";

// Returns the type of module that the second argument of `import()` requests.
export function requestedType(/** @type {any} */ options) {
    if (options === undefined) return "javascript";
    if (!isObject(options)) throw new TypeError("the second argument of import() is not an object");
    const attributes = options.with;
    if (attributes === undefined) return "javascript";
    if (!isObject(attributes)) throw new TypeError("the attributes of import() are not an object");
    let type = "javascript", /** @type {string | undefined} */ unknown;
    const names = ObjectKeys(attributes);
    for (let index = 0; index < names.length; index++) {
        const value = attributes[names[index]];
        if (typeof value !== "string") throw new TypeError("the import attribute \"" + names[index] + "\" is not a string");
        if (names[index] === "type") type = value;
        else unknown = names[index];
    }
    if (unknown !== undefined) throw new TypeError("Import attribute \"" + unknown + "\" is not supported");
    if (type === "javascript" && names.length === 0 || type === "json" || type === "text" || type === "bytes") return type;
    throw new TypeError("Import attribute type \"" + type + "\" is not valid");
}
