// References: functions and objects that stay on their side and are called from the other. Their behavior is in
// references_code, which the first one loads.
import { registerReserved } from "./handlers.js";
import { hooks } from "./hooks.js";
import { useBundle } from "../engine/late_bundles.js";
import { referenceHooks } from "../engine/values.js";

export const callName = "_wvjb.call";

/** @type {any} */
let references;
const useReferences = () => references ??= useBundle("references_code");

export const reference = (/** @type {unknown} */ value) => useReferences().reference(value);
export const callReference = (
    /** @type {unknown} */ value, /** @type {any[]} */ values, /** @type {any} */ options,
) => useReferences().callReference(value, values, options);
export const exportReferenceNote = (/** @type {unknown} */ value) => useReferences().exportReferenceNote(value);
export const importReferenceNote = (/** @type {any} */ note, /** @type {any} */ methods) =>
    useReferences().importReferenceNote(note, methods);
export const finalizeReference = (/** @type {number} */ number) => { useReferences().finalizeReference(number); };
export const receiveRelease = (/** @type {any} */ list) => { useReferences().receiveRelease(list); };
export const queueRelease = (/** @type {any} */ id, /** @type {any} */ count) => { useReferences().queueRelease(id, count); };
registerReserved(callName, (/** @type {any} */ data) => useReferences().receiveCall(data));

// Without the bundle no value crosses by reference.
export const isReferred = (/** @type {unknown} */ value) => references !== undefined && references.isReferred(value);
export const referenceCounts = () => references === undefined ? { __proto__: null, exported: 0, held: 0 } : references.referenceCounts();

hooks.exportReference = (value) => useReferences().exportReference(value);
hooks.exportedValue = (id) => useReferences().exportedValue(id);
hooks.heldValue = (id) => useReferences().heldValue(id);
hooks.importReference = (id, kind, methods) => useReferences().importReference(id, kind, methods);
hooks.isReferred = isReferred;
hooks.takeBack = (entries) => { useReferences().takeBack(entries); };
referenceHooks.exportReference = exportReferenceNote;
referenceHooks.isReferred = isReferred;
referenceHooks.takeBackReference = (note) => { useReferences().takeBackReference(note); };
