// Making of nodes: script sets classes and members, never the attribute `style`, which the page's policy forbids.
export function make(
    /** @type {string} */ tag, /** @type {string} */ className, /** @type {Record<string, string | undefined>} */ attributes = {},
    /** @type {(Node | string)[]} */ ...children
) {
    const node = document.createElement(tag);
    if (className !== "") node.className = className;
    for (const name of Object.keys(attributes)) {
        const value = attributes[name];
        if (value !== undefined) node.setAttribute(name, value);
    }
    node.append(...children);
    return node;
}

// Sets an attribute if it differs; undefined removes it.
export function setAttribute(/** @type {Element} */ node, /** @type {string} */ name, /** @type {string | undefined} */ value) {
    if (value === undefined) {
        if (node.hasAttribute(name)) node.removeAttribute(name);
    } else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

export function byId(/** @type {string} */ id) {
    const node = document.getElementById(id);
    if (node === null) throw new Error(`The page has no element "${id}".`);
    return node;
}

export const idOfElement = (/** @type {number} */ number) => "e" + number;
