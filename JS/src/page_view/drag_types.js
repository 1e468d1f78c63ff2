// The MIME types of drags. Before a drop a page sees the types of a drag and no data, so that the name of a drag that
// began on another page of the server is one of them.
const prefix = "application/x-jsbridge-drag.", suffix = "+json";

// Returns the type that names a drag.
export function typeOfDrag(/** @type {string} */ name) { return prefix + name + suffix; }

export function isTypeOfDrag(/** @type {string} */ type) { return type.startsWith(prefix) && type.endsWith(suffix); }

// Returns a name that another page cannot guess.
export function makeDragName() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Returns what a drag shows before the drop: the types of its strings, and those of its files.
export function offerOf(/** @type {{ types: readonly string[], items: ArrayLike<{ kind: string, type: string }> }} */ { types, items }) {
    const files = Array.from(items).filter(({ kind }) => kind === "file").map(({ type }) => type);
    return { types: types.filter((type) => type !== "Files"), files };
}
