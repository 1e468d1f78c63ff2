// Sends the inputs: at most once a frame, and one batch at a time, so that a slow server gets fewer and larger batches.
import { InputBatch } from "./input_batch.js";

export class InputSender {
    batch = new InputBatch();
    /** @type {PageBridge | undefined} */
    bridge;
    #notice;
    #failed;
    #request;
    // The batches that are under way.
    #sending = 0;

    constructor(
        /** @type {import("./server_notice.js").ServerNotice} */ notice, /** @type {(text: string) => void} */ failed,
        /** @type {() => void} */ request,
    ) {
        this.#notice = notice;
        this.#failed = failed;
        this.#request = request;
    }

    add(/** @type {PageInput} */ input) {
        // Without a connection, the user means no view of the present server.
        if (this.bridge === undefined) return;
        this.batch.add(input);
        this.#request();
    }

    measure(/** @type {number} */ number, /** @type {number} */ length) {
        if (this.bridge === undefined) return;
        this.batch.measure(number, length);
        this.#request();
    }

    // Begins with a new connection, whose elements have other numbers.
    begin(/** @type {PageBridge | undefined} */ bridge) {
        this.bridge = bridge;
        this.batch = new InputBatch();
        this.#sending = 0;
    }

    // Called in each frame that was requested, and with `isUrgent` before a question that must not overtake the inputs.
    async flush(isUrgent = false) {
        const { bridge } = this;
        if (bridge === undefined || this.#sending > 0 && !isUrgent || this.batch.isEmpty) return;
        this.#sending++;
        this.#notice.waits();
        try {
            await bridge.callHandler("view.input", this.batch.take());
        } catch (error) {
            // The loss of a connection is reported elsewhere.
            if (/** @type {any} */ (error).code !== "disconnected") this.#failed(/** @type {Error} */ (error).message);
        }
        if (this.bridge !== bridge) return;
        this.#sending--;
        this.#notice.answered();
        if (!this.batch.isEmpty) this.#request();
    }
}
