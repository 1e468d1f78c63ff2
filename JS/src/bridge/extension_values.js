// The payloads of messages on a text wire, with the values that JSON lacks. Their encoding is in wire_code, which the first
// message of a text wire loads.
import { dialect } from "./dialect.js";
import { accepts, isDirect, state } from "./state.js";
import { useBundle } from "../engine/late_bundles.js";

/** @type {any} */
let wire;
const useWire = () => wire ??= useBundle("wire_code");

export const pack = (/** @type {unknown} */ data, /** @type {number} */ accepted, /** @type {boolean} */ isLegacy) =>
    useWire().pack(data, accepted, isLegacy);
export const describePayload = (/** @type {any} */ x) => useWire().describePayload(x);
export const unpack = (
    /** @type {unknown} */ data, /** @type {any} */ entries, /** @type {List} */ list, /** @type {any} */ results,
) => useWire().unpack(data, entries, list, results);
export const importUnread = (/** @type {List} */ list) => { useWire().importUnread(list); };
export const snapshot = (/** @type {unknown} */ value) => useWire().snapshot(value);

// Whether this dialect can carry markers to a peer that supports them.
export const canMark = !isDirect && !dialect.payloadIsText && dialect.face === "handlers";
// Whether a function in a payload crosses to the peer.
export const takesFunctions = () => {
    const needed = accepts.binary | accepts.references;
    return isDirect || canMark && (state.peerAccepts & needed) === needed;
};
// The capabilities that every call announces if it supports errors.
export const alwaysAccepted = canMark ? accepts.binary | accepts.references : 0;
