// Letters that are typed quickly are one word (V16).
const pauseBetweenWords = 1000;

export class Typing {
    text = "";
    /** @type {number | undefined} */
    #timer;

    // Adds a letter.
    add(/** @type {string} */ letter) {
        this.text += letter;
        window.clearTimeout(this.#timer);
        this.#timer = window.setTimeout(() => { this.text = ""; }, pauseBetweenWords);
    }

    clear() {
        window.clearTimeout(this.#timer);
        this.text = "";
    }
}
