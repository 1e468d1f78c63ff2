// The data of a drop, which the page keeps until the native side has read it: strings and files cross in parts, each
// when there is credit for it (PG21).

// The bytes of a part: as text it is a message of less than 64 KiB, the most that a server takes.
const partLength = 48000;
// A longer string is read in parts, as a file is.
const longestString = 4000;
// The bytes of the names and strings of one drop.
const mostBytes = 48000;

export class DropData {
    /** @type {Map<number, Blob>} */
    #kept = new Map();
    #last = 0;

    // Returns the data of a drop in the form in which it crosses.
    keep(/** @type {{ type: string, text: string }[]} */ texts, /** @type {File[]} */ files) {
        const content = {
            texts: texts.map(({ type, text }) => {
                if (text.length <= longestString) return { type, text };
                const blob = new Blob([text]);
                return { type, size: blob.size, handle: this.#add(blob) };
            }),
            files: files.map((file) => ({ name: file.name, type: file.type, size: file.size, handle: this.#add(file) })),
        };
        if (new Blob([JSON.stringify(content)]).size <= mostBytes) return content;
        for (const { handle } of [...content.texts, ...content.files]) if (handle !== undefined) this.forget(handle);
        throw new Error("Too much was dropped: the names and strings have more than " + mostBytes + " bytes.");
    }

    #add(/** @type {Blob} */ blob) {
        this.#kept.set(++this.#last, blob);
        return this.#last;
    }

    // Yields the parts of a file; a reader that leaves asks for no more of them.
    async *read(/** @type {number} */ handle) {
        const blob = this.#kept.get(handle);
        if (blob === undefined) throw new Error("The page no longer has the file.");
        for (let start = 0; start < blob.size; start += partLength) {
            const part = await blob.slice(start, start + partLength).arrayBuffer().catch((error) => {
                throw new Error("The browser cannot read it. " + /** @type {Error} */ (error).message);
            });
            yield new Uint8Array(part);
        }
    }

    forget(/** @type {number} */ handle) { this.#kept.delete(handle); }

    // The connection is gone, and what could read.
    clear() { this.#kept.clear(); }
}
