import { originalText } from "./styled_text.js";
import { originalIndex } from "./visible_text.js";

// Copying the marked rows, as text and as a table (PG20). The event of a copy must be answered immediately, so the rows are
// asked for first and the copy is made then.
// Returns the sentence about the rows.
export async function copyRows(/** @type {() => Promise<{ text: string, tsv: string, message: string }>} */ ask) {
    const { text, tsv, message } = await ask();
    if (text === "") return message;
    let isDone = false;
    const fill = (/** @type {ClipboardEvent} */ event) => {
        if (event.clipboardData === null) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        event.clipboardData.setData("text/plain", text);
        event.clipboardData.setData("text/tab-separated-values", tsv);
        isDone = true;
    };
    document.addEventListener("copy", fill, true);
    try { document.execCommand("copy"); } finally { document.removeEventListener("copy", fill, true); }
    if (!isDone) await navigator.clipboard.writeText(text);
    return message;
}

// Copies the text of the data where the selected nodes show symbols.
export function copyOriginals(/** @type {HTMLElement} */ body) {
    document.addEventListener("copy", (event) => {
        const selection = document.getSelection();
        if (event.clipboardData === null || selection === null || selection.isCollapsed) return;
        const shown = shownInstead(body, selection);
        if (shown.length === 0) return;
        event.clipboardData.setData("text/plain", selectedOriginal(selection, shown));
        event.preventDefault();
    });
}

// Returns the selected nodes that show symbols.
function shownInstead(/** @type {HTMLElement} */ body, /** @type {Selection} */ selection) {
    /** @type {Text[]} */
    const nodes = [];
    const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        if (originalText(node) !== undefined && selection.containsNode(node, true)) nodes.push(/** @type {Text} */ (node));
    }
    return nodes;
}

// Reads the selection while its nodes have their own texts.
function selectedOriginal(/** @type {Selection} */ selection, /** @type {Text[]} */ nodes) {
    const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
    const texts = nodes.map((node) => node.data);
    const select = (/** @type {(node: Node, offset: number) => number} */ offsetIn) => {
        if (anchorNode === null || focusNode === null) return;
        selection.setBaseAndExtent(anchorNode, offsetIn(anchorNode, anchorOffset), focusNode, offsetIn(focusNode, focusOffset));
    };
    for (const node of nodes) node.data = originalText(node) ?? node.data;
    select((node, offset) => {
        const text = originalText(node);
        return text === undefined ? offset : originalIndex(text, offset);
    });
    const text = String(selection);
    for (const [index, node] of nodes.entries()) node.data = texts[index];
    select((_, offset) => offset);
    return text;
}
