// The meaning of a key: a command of the page, an input for the native side, or what the browser does with it (PG20).
import { isCommand, isMadeByAlt, modifiersOf } from "./modifiers.js";

const sent = new Set([
    "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End", " ", "Enter", "Escape", "[", "]",
]);
// The native side folds to the left.
const mirrored = new Map([["ArrowLeft", "ArrowRight"], ["ArrowRight", "ArrowLeft"]]);
/** @type {Map<string, string>} */
const plainCommands = new Map([["/", "search"], ["?", "help"], ["ContextMenu", "menu"]]);
/** @type {Map<string, string>} */
const controlCommands = new Map([["f", "search"], ["i", "details"]]);

/**
 * @typedef {{ command: string, value?: unknown } | { input: PageInput } | undefined} KeyMeaning
 * @param {KeyboardEvent} event
 * @param {string} typed the letters that were typed just before
 * @param {boolean} isRightToLeft
 * @returns {KeyMeaning}
 */
export function meaningOf(event, typed, isRightToLeft = false) {
    const { key } = event;
    if (event.isComposing) return undefined;
    if (isCommand(event)) return meaningOfCommand(event);
    // Letters are typed, so that the key that begins to move a row needs Alt here.
    const alt = event.altKey && !isMadeByAlt(event);
    if (event.altKey && !event.ctrlKey && (key.toLowerCase() === "m" || event.code === "KeyM")) return { input: ["key", "m", ""] };
    // Tab leaves the view in a browser.
    if (event.altKey && key === "PageDown") return { input: ["key", "Tab", ""] };
    if (event.altKey && key === "PageUp") return { input: ["key", "Tab", "s"] };
    if (key === "F3") return { input: ["next", event.shiftKey ? -1 : 1] };
    if (key === "F10" && event.shiftKey) return { command: "menu" };
    if (typed === "" && !alt && plainCommands.has(key)) return { command: /** @type {string} */ (plainCommands.get(key)) };
    if (typed === "" && key === "*") return { input: ["select", "invert"] };
    // A space within a word that is typed belongs to it.
    if (sent.has(key) && !(key === " " && typed !== "")) return { input: ["key", isRightToLeft ? mirrored.get(key) ?? key : key, modifiersOf(event)] };
    if ([...key].length === 1 && !alt) return { command: "type", value: key };
    return undefined;
}

/** @returns {KeyMeaning} */
function meaningOfCommand(/** @type {KeyboardEvent} */ event) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "a") return { input: ["select", event.shiftKey ? "none" : "all"] };
    if (key === "g") return { input: ["next", event.shiftKey ? -1 : 1] };
    if (key === "c" && !event.shiftKey) return { command: "copy" };
    const command = event.shiftKey ? undefined : controlCommands.get(key);
    if (command !== undefined) return { command };
    return sent.has(key) ? { input: ["key", key, modifiersOf(event)] } : undefined;
}

// The keys of the help, in its order. Scripts/check-facts compares them with Documentation/Serve.md.
export const keyHelp = [
    ["\u2191 \u2193", "Move the focus; with Shift, extend the selection; with Alt, move the row"],
    ["Page Up, Page Down", "Move by a screen"],
    ["Home, End", "First and last row"],
    ["\u2190 \u2192", "Close and open a group"],
    ["Space", "Mark the row"],
    ["Enter", "Open the row and its details"],
    ["Letters", "Go to the row that begins with them"],
    ["/ or Ctrl+F", "Search"],
    ["F3, Shift+F3", "Next and previous match"],
    ["Ctrl+A", "Mark all rows; with Shift, none"],
    ["*", "Invert the marks"],
    ["Ctrl+C", "Copy the marked rows as text and as a table"],
    ["Ctrl+I", "Show or hide the details"],
    ["Alt+M", "Move the row with the arrows; Enter drops it, Escape cancels"],
    ["Shift+F10", "Menu of the row"],
    ["[ ]", "Fold and unfold the section"],
    ["Alt+Page Up, Alt+Page Down", "Previous and next section"],
    ["Click on a title", "Sort by the column; with Shift, group by it"],
    ["Tab, \u2190 \u2192, Enter", "Choose a title and sort by its column; with Shift, group by it"],
    ["Escape", "End a search, then a filter; close the details"],
    ["?", "This help"],
];
