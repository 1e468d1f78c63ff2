// The modifiers of an event as letters: shift, control, alt, meta. Those that make a character are none.
export function modifiersOf(/** @type {MouseEvent | KeyboardEvent} */ event) {
    const hides = "key" in event && isMadeByAlt(event);
    return (event.shiftKey ? "s" : "") + (event.ctrlKey && !hides ? "c" : "") + (event.altKey && !hides ? "a" : "") + (event.metaKey ? "m" : "");
}

// Returns whether AltGr, or Option on a Mac, makes the character of a key, as "[" on a German keyboard. Windows reports
// AltGr as Control and Alt.
export function isMadeByAlt(/** @type {KeyboardEvent} */ event) {
    if ([...event.key].length !== 1 || !event.altKey && !event.getModifierState?.("AltGraph")) return false;
    return event.ctrlKey || isMac() || event.getModifierState?.("AltGraph") === true;
}

function isMac() { return typeof navigator === "object" && navigator.platform.startsWith("Mac"); }

// Returns whether the modifier of commands is pressed, and no other but Shift.
export function isCommand(/** @type {KeyboardEvent} */ event) {
    return (event.ctrlKey || event.metaKey) && !event.altKey && !isMadeByAlt(event);
}
