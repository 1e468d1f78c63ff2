// Texts of the data, which go in by `textContent` and a fixed list of classes only (PG2).
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

// Shows a text in a node. A node with one plain run keeps its text node.
export function showText(/** @type {HTMLElement} */ node, /** @type {StyledText} */ text) {
    if (text.length === 1 && classOf(text[0][1]) === undefined) {
        const [only] = node.childNodes;
        if (node.childNodes.length === 1 && only instanceof Text) only.data = text[0][0];
        else node.textContent = text[0][0];
        return;
    }
    node.replaceChildren(...text.map(([run, style]) => {
        const name = classOf(style);
        if (name === undefined) return document.createTextNode(run);
        const span = document.createElement(name === "match" ? "mark" : "span");
        span.className = name;
        span.textContent = run;
        return span;
    }));
}
