// Copying the marked rows, as text and as a table (PG20). The event of a copy must be answered immediately, so the rows are
// asked for first and the copy is made then.
export async function copyRows(/** @type {() => Promise<{ text: string, tsv: string }>} */ ask) {
    const { text, tsv } = await ask();
    if (text === "") return false;
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
    return true;
}
