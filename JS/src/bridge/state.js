// What the modules of the bridge share: constants, counters and the state of both sides.
import { queueJob } from "../engine/primordials.js";

export const isDirect = host.mode === "direct";
export const reservedPrefix = "_wvjb.";
export const disableName = "_disableJavascriptAlertBoxSafetyTimeout";

// The capabilities that a request announces for its reply; sending.js has their names on the wire.
export const accepts = { __proto__: null, errors: 1, streams: 2, progress: 4, binary: 8, references: 16, pipelining: 32 };
// A flag in the capabilities of a request until it is encoded.
export const keepsResult = 64;

export const counts = {
    unknownResponses: 0, duplicateReplies: 0, droppedMessages: 0, lateCancellations: 0, unknownStreams: 0,
    unknownReferences: 0,
};

export const state = {
    __proto__: null,
    // The number of the operation to which the running code belongs, 0 for none; the host sets it.
    operation: 0,
    // Whether a script has used this side: registered a handler, called one, or had its set-up list run.
    isUsed: false,
    // Runs at the first use, if something waits for it.
    /** @type {(() => void) | undefined} */
    whenUsed: undefined,
    // The known capabilities of the peer; the host provides them if both sides are ours.
    peerAccepts: host.peerAccepts === undefined ? 0 : host.peerAccepts,
    // Whether the other side has shown that it supports `x`. Only such a peer gets messages that it did not request.
    peerIsExtended: isDirect,
    // Whether it has shown that it knows that this side does. Only then does it announce the topics that it listens to.
    peerListens: isDirect,
    // Sends each message immediately, for dialects whose native side does not fetch a queue.
    /** @type {((message: BridgeMessage, isCopied?: boolean) => void) | undefined} */
    post: undefined,
};

export function noteUse() {
    state.isUsed = true;
    const { whenUsed } = state;
    if (whenUsed === undefined) return;
    state.whenUsed = undefined;
    // After the script has registered its other handlers.
    queueJob(whenUsed);
}
