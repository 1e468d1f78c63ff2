// The bar that says when the server is slow or absent (PG23). It appears after a second, so that a short wait shows
// nothing.
const patience = 1000;
// Failed attempts after which the page's address may be the reason.
const manyAttempts = 4;

export class ServerNotice {
    #show;
    /** @type {number | undefined} */
    #timer;
    #text = "";
    // The text about the connection, and the one about the view, which only another view ends.
    #shown = "";
    #failure = "";

    constructor(/** @type {(text: string) => void} */ show) { this.#show = show; }

    // Something waits for the server.
    waits(text = "The server is slow to answer.") {
        this.#text = text;
        if (this.#shown !== "") this.#say(text);
        else this.#timer ??= window.setTimeout(() => { this.#say(this.#text); }, patience);
    }

    // The server has answered.
    answered() {
        window.clearTimeout(this.#timer);
        this.#timer = undefined;
        if (this.#shown !== "") this.#say("");
    }

    // The view cannot be shown, however fast the server answers.
    fails(/** @type {string} */ text) {
        this.#failure = text;
        this.#say(this.#shown);
    }

    // The view is opened again, or shows something.
    recovers() {
        if (this.#failure === "") return;
        this.#failure = "";
        this.#show(this.#shown);
    }

    lost(/** @type {{ wasOpen: boolean, attempts: number }} */ { wasOpen, attempts }) {
        if (!wasOpen && attempts >= manyAttempts) {
            this.waits("The server cannot be reached. If it was started again, open the address that it printed.");
        } else this.waits("The connection to the server was lost. The page connects again.");
    }

    #say(/** @type {string} */ text) {
        this.#shown = text;
        this.#show(this.#failure === "" ? text : this.#failure);
    }
}
