// The number of rows, the row with the focus and the number of marked rows, as the bar shows them. It is not a live
// region: screen readers have the position of the active row, and a key that marks many rows is announced.
export function countsText(/** @type {Counts} */ [focused, rows, marked, hidden], isComplete = true) {
    const parts = [rows.toLocaleString() + (isComplete ? "" : "+") + (rows === 1 && isComplete ? " row" : " rows")];
    if (focused > 0) parts.push("row " + focused.toLocaleString());
    if (marked > 0) parts.push(marked.toLocaleString() + " marked" + (hidden > 0 ? ` (${hidden.toLocaleString()} hidden)` : ""));
    return parts.join(" \u00B7 ");
}
