// Characters without ink, which the page shows as symbols: those of a terminal (Sources/TerminalViews/Text). What is copied
// keeps the characters.
//
// Joiners and tags are parts of emoji and scripts. The format characters of the Arabic, Syriac and Kaithi scripts have
// ink in a browser. Code points of the blocks of emoji may be newer than the browser.
const inkless = /[\u0000-\u001F\u007F-\u009F\u2028\u2029]|(?![\u200C\u200D\u{E0020}-\u{E007F}\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}])\p{Cf}|(?![\u{1F000}-\u{1FAFF}])\p{Cn}|\p{Cs}/gu;
const bidirectional = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

function symbolOf(/** @type {string} */ character) {
    const code = /** @type {number} */ (character.codePointAt(0));
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7F) return "\u2421";
    if (code === 0x2028 || code === 0x2029) return "\u2424";
    if (bidirectional.test(character)) return "\u2194";
    return /\p{Cf}/u.test(character) ? "\u00B7" : "\uFFFD";
}

// Returns a text in which each character without ink is a symbol. With `keepsLines`, line ends and tabs stay, for a place
// that shows them.
export function visibleText(/** @type {string} */ text, keepsLines = false) {
    return text.replace(inkless, (character) => keepsLines && (character === "\n" || character === "\t") ? character : symbolOf(character));
}

// Returns the index in a text of what is at an index of its visible form, in which each replaced character has one unit.
export function originalIndex(/** @type {string} */ text, /** @type {number} */ index) {
    let original = 0, shown = 0;
    for (const character of text) {
        if (shown >= index) break;
        original += character.length;
        shown += visibleText(character, true).length;
    }
    return original;
}
