// The modifiers of an event as letters: shift, control, alt, meta.
export function modifiersOf(/** @type {MouseEvent | KeyboardEvent} */ event) {
    return (event.shiftKey ? "s" : "") + (event.ctrlKey ? "c" : "") + (event.altKey ? "a" : "") + (event.metaKey ? "m" : "");
}

// Returns whether the modifier of commands is pressed, and no other but Shift.
export function isCommand(/** @type {KeyboardEvent} */ event) {
    return (event.ctrlKey || event.metaKey) && !event.altKey;
}
