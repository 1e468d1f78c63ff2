// Texts of the data, which go in as text nodes, and a fixed list of classes only (PG2).
import { visibleText } from "./visible_text.js";

const classes = new Map([
    ["strong", "strong"], ["secondary", "faint"], ["match", "match"], ["failure", "failure"], ["accent", "accent"],
    ["inserted", "inserted"], ["deleted", "deleted"], ["moved", "moved"], ["updated", "updated"],
]);

// Returns the class of a style; undefined for plain text.
export function classOf(/** @type {TextStyle} */ style) { return classes.get(style); }

export function plainText(/** @type {StyledText | undefined} */ text) {
    return (text ?? []).map(([run]) => run).join("");
}

export function isSameText(/** @type {StyledText} */ left, /** @type {StyledText} */ right) {
    if (left === right) return true;
    if (left.length !== right.length) return false;
    return left.every(([text, style], index) => text === right[index][0] && style === right[index][1]);
}

// The texts of the data that nodes show with symbols.
const originals = new WeakMap();

// Returns the text of the data that a node shows with symbols; undefined if it shows the text itself.
export function originalText(/** @type {Node} */ node) { return /** @type {string | undefined} */ (originals.get(node)); }

function fill(/** @type {Text} */ node, /** @type {string} */ text, /** @type {boolean} */ keepsLines) {
    const visible = visibleText(text, keepsLines);
    if (visible === text) originals.delete(node);
    else originals.set(node, text);
    if (node.data !== visible) node.data = visible;
    return node;
}

// Shows a text in a node. A node with one plain run keeps its text node.
export function showText(/** @type {HTMLElement} */ node, /** @type {StyledText} */ text, keepsLines = false) {
    const make = (/** @type {string} */ run) => fill(document.createTextNode(""), run, keepsLines);
    if (text.length === 1 && classOf(text[0][1]) === undefined) {
        const [only] = node.childNodes;
        if (node.childNodes.length === 1 && only instanceof Text) fill(only, text[0][0], keepsLines);
        else node.replaceChildren(make(text[0][0]));
        return;
    }
    node.replaceChildren(...text.map(([run, style]) => {
        const name = classOf(style);
        if (name === undefined) return make(run);
        const span = document.createElement(name === "match" ? "mark" : "span");
        span.className = name;
        span.append(make(run));
        return span;
    }));
}
